/** What a handler is asked and what it answers, in terms of HTTP but of no framework. */
import { Readable } from 'node:stream';
import type { Account } from '../accounts/accounts.js';
import { hashText } from '../files.js';
import { packageVersion } from '../package-root.js';
import type { AnswerMemory } from './answer-memory.js';

export interface Call {
  /** Whose key it is; undefined where none is needed. */
  readonly account: Account | undefined;
  /** Values of the path's placeholders, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as JSON, unread. */
  readonly body: unknown;
  /** HEAD: the headers are wanted, the body is not. */
  readonly head: boolean;
  /** Does the client hold what this ETag names? */
  readonly holds: (etag: string) => boolean;
  readonly now: Date;
  /** For the answer, until it is sent. */
  readonly memory: AnswerMemory;
  /** Ends when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: there is none, and nothing is said of its length. */
  readonly body: string | Buffer | Readable | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonAnswer = (value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

/** For what depends on a snapshot, a question and this program only: a strong ETag, kept by the caller's own cache alone. */
export const cacheHeaders = (
  ...parts: readonly unknown[]
): { readonly etag: string; readonly 'cache-control': string } => ({
  etag: `"${hashText(JSON.stringify([packageVersion, ...parts])).slice(0, 32)}"`,
  'cache-control': 'private, no-cache',
});

/** 304 where the client has it already; else what `make` makes, or nothing for HEAD. */
export const cached = async (
  call: Call,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
  make: () => Answer['body'] | Promise<Answer['body']>,
): Promise<Answer> => {
  if (call.holds(headers.etag)) return { status: 304, headers, body: undefined };
  // An empty stream: the length of a body that was not made is not known.
  return { status: 200, headers, body: call.head ? Readable.from([]) : await make() };
};
