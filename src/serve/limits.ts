/** EVERY LIMIT of the HTTP side, as data. */
export const LIMITS = {
  /**
   * Bytes of a body: 128 texts of 32,768 characters, as UTF-8 in most scripts. Characters of four bytes, or written as
   * JSON's escapes, are fewer; so this is stated where the limits of texts are.
   */
  bodyBytes: 16 * 1024 * 1024,
  /** Bytes of bodies that are held at a time: of everybody, and of one account. A body is held until its answer is sent. */
  bodiesBytes: 256 * 1024 * 1024,
  accountBodiesBytes: 64 * 1024 * 1024,
  /**
   * Bytes of answers that are held at a time, beside the blocks: of everybody, and of one account. An answer is held until
   * it is sent. Those that are no larger than a small one are not counted: the connections are.
   */
  answersBytes: 256 * 1024 * 1024,
  accountAnswersBytes: 64 * 1024 * 1024,
  smallAnswer: 64 * 1024,
  /** Values of a JSON body: several times the 10,000 texts that the largest batch of an enterprise account has. */
  bodyValues: 100_000,
  /** Bytes of a body that is not wanted that are still taken in, unread, so that its sender gets to see why. */
  drainedBytes: 64 * 1024 * 1024,
  /** Bytes of all headers, the address among them. */
  headerBytes: 16 * 1024,
  connections: 4096,
  /** Long answers that are made at a time, and blocks of memory that hold some until they are sent. */
  turns: 4,
  blocks: 16,
  /** Milliseconds in which headers, and the whole request, must arrive. */
  headersMs: 15_000,
  requestMs: 60_000,
  /** Milliseconds between looks for connections that are past those. */
  overdueMs: 5_000,
  /** Milliseconds without a byte after which a connection is dropped: a reader that stopped reading. */
  silentMs: 120_000,
  keepAliveMs: 65_000,
  /** Characters of a placeholder in the path. */
  placeholder: 512,
  /** Milliseconds that requests under way get when the service stops. */
  drainMs: 30_000,
} as const;
