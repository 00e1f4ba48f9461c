/** What went wrong, in a sentence for the reader, and what can be done about it. */

/** An answer that is no success, or none at all (status 0). */
export class Refused extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    /** What the service says. */
    readonly detail: string,
    /** Seconds after which it may be asked again, where the service says so. */
    readonly retryAfter: number | undefined,
    /** By this the service's log knows the request. */
    readonly requestId: string | undefined,
    options: ErrorOptions = {},
  ) {
    super(`${status} ${detail}`, options);
  }
}

export interface Problem {
  readonly title: string;
  readonly text: string;
  /** What to offer: another key, asking again now, or asking again by itself after so many seconds. */
  readonly next: 'key' | 'retry' | { readonly retryIn: number } | 'nothing';
}

/** Waiting longer than this is for the reader to decide. */
const MOST_SECONDS = 60;

export const toProblem = (error: unknown): Problem => {
  if (!(error instanceof Refused))
    return { title: 'This page failed', text: `${String(error)}. Reload it; nothing is lost.`, next: 'retry' };
  const { status, detail, retryAfter, requestId } = error;
  const said = detail.endsWith('.') ? detail : `${detail}.`;
  switch (status) {
    case 0:
      return {
        title: 'The server cannot be reached',
        text: 'It gave no answer. It may have stopped, or the network is away.',
        next: 'retry',
      };
    case 401:
      return {
        title: 'This key is not accepted',
        text: `The server says: ${said} Check that it was copied whole; a key that was revoked or has expired is not accepted either.`,
        next: 'key',
      };
    case 403:
      return { title: 'This key may not do that', text: `The server says: ${said}`, next: 'nothing' };
    case 404:
      return {
        title: 'That is not there',
        text: `The server says: ${said} It may have been in an older snapshot, or never.`,
        next: 'nothing',
      };
    case 429:
      return {
        title: 'Too many requests',
        text: `The server says: ${said}`,
        next: waitOf(retryAfter),
      };
    case 503:
      return {
        title: 'The server is not ready',
        text: `It says: ${said}`,
        next: waitOf(retryAfter ?? 5),
      };
    case 400:
      return { title: 'The server did not understand', text: `It says: ${said}`, next: 'nothing' };
    default:
      return {
        title: 'The server failed',
        text: `It answered ${status}: ${said}${requestId === undefined ? '' : ` Whoever runs it finds the request as ${requestId} in its log.`}`,
        next: 'retry',
      };
  }
};

const waitOf = (seconds: number | undefined): Problem['next'] =>
  seconds === undefined || seconds > MOST_SECONDS ? 'nothing' : { retryIn: Math.max(1, Math.ceil(seconds)) };
