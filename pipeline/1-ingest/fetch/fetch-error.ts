import type { FetchFault } from './faults.js';

/** Why an address gave nothing this time. The message is for the log, the end of a sentence: `the server answered 404`. */
export class FetchError extends Error {
  override name = 'FetchError';
  /** What is published of it. */
  readonly fault: FetchFault;
  /** `retry`: it may well work in a moment. `give up`: it would end in the same way. */
  readonly next: 'retry' | 'give up';
  /** How long the server asks to be left alone. */
  readonly waitMs: number | undefined;
  /** Did the server answer, if with a refusal? Where it did not, its other addresses may be as silent. */
  readonly answered: boolean;

  constructor(message: string, { fault, next, waitMs, answered = false, cause }: FetchErrorOptions) {
    super(message, { cause });
    this.fault = fault;
    this.next = next;
    this.waitMs = waitMs;
    this.answered = answered;
  }
}

export interface FetchErrorOptions extends Pick<FetchError, 'fault' | 'next'> {
  readonly waitMs?: number;
  readonly answered?: boolean;
  readonly cause?: unknown;
}
