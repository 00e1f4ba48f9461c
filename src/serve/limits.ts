/** EVERY LIMIT of the HTTP side, as data. */
export const LIMITS = {
  /** Bytes of a body: 128 texts of 32,768 characters, as UTF-8 in most scripts. */
  bodyBytes: 16 * 1024 * 1024,
  /** Bytes of all headers, the address among them. */
  headerBytes: 16 * 1024,
  connections: 4096,
  /** Milliseconds in which headers, and the whole request, must arrive. */
  headersMs: 15_000,
  requestMs: 60_000,
  /** Milliseconds without a byte after which a connection is dropped: a reader that stopped reading. */
  silentMs: 120_000,
  keepAliveMs: 65_000,
  /** Characters of a placeholder in the path. */
  placeholder: 512,
  /** Milliseconds that requests under way get when the service stops. */
  drainMs: 30_000,
} as const;
