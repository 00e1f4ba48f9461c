/** Why an address gave nothing this time. The message is the end of a sentence: `the server answered 404`. */
export class FetchError extends Error {
  override name = 'FetchError';
  /** `retry`: it may well work in a moment. `give up`: it would end in the same way. */
  readonly next: 'retry' | 'give up';
  /** How long the server asks to be left alone. */
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    { next, waitMs, cause }: { readonly next: FetchError['next']; readonly waitMs?: number; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.next = next;
    this.waitMs = waitMs;
  }
}
