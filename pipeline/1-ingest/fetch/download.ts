/** From an address to a file, by way of redirects: each hop is a request of its own, checked and paced like the first. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { shownAddress } from '../../../src/credentials.js';
import { ACCEPT_ENCODING, type Received, receiveBody } from './body.js';
import type { FetchFault } from './faults.js';
import { FetchError } from './fetch-error.js';
import type { Pace } from './pace.js';
import { request } from './request.js';
import { readRetryAfter } from './retry.js';
import { hostOf, parseUrl } from './url.js';

export interface DownloadOptions {
  readonly maxBytes: number;
  /** For each hop, from the first byte out to the last byte in. */
  readonly timeoutMs: number;
  readonly mayConnect: (address: string) => boolean;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly lookup?: LookupFunction;
}

/** What a server said of a content when it sent it: asks whether it is still the same. */
export interface Validators {
  /** The address that answered, after redirects: an etag means something there alone. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type Downloaded =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'content';
      readonly received: Received;
      readonly url: URL;
      readonly headers: IncomingHttpHeaders;
    };

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Writes what lies at `first` to `file`. @throws FetchError */
export const download = async (
  first: URL,
  file: string,
  validators: Validators | undefined,
  options: DownloadOptions,
): Promise<Downloaded> => {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const at = url;
    const found = await options.pace.run(hostOf(at), () => ask(at, file, validators, options));
    if (found.kind !== 'redirect') return found;
    url = follow(at, found.to);
  }
  throw new FetchError(`the server redirects more than ${MAX_REDIRECTS} times`, { fault: 'redirect', next: 'give up' });
};

type Asked = Downloaded | { readonly kind: 'redirect'; readonly to: string | undefined };

const ask = async (
  url: URL,
  file: string,
  validators: Validators | undefined,
  options: DownloadOptions,
): Promise<Asked> => {
  const { timeoutMs, signal } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const known = validators?.url === url.href ? validators : undefined;
    const answer = await request(url, {
      ...options,
      headers: { accept: '*/*', 'accept-encoding': ACCEPT_ENCODING, ...toConditions(known) },
      signal: AbortSignal.any([signal, late.signal]),
    });
    // It may break off before anybody reads it, who then finds that it did.
    answer.on('error', () => undefined);
    try {
      return await readAnswer(answer, url, file, known, options);
    } finally {
      answer.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted)
      throw new FetchError(`it took longer than ${timeoutMs / 1000} s (--fetch-seconds)`, {
        fault: 'no_answer',
        next: 'retry',
        cause: error,
      });
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

const toConditions = (known: Validators | undefined): Record<string, string> => ({
  ...(known?.etag != null && { 'if-none-match': known.etag }),
  ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
});

const readAnswer = async (
  answer: IncomingMessage,
  url: URL,
  file: string,
  known: Validators | undefined,
  { maxBytes, now }: DownloadOptions,
): Promise<Asked> => {
  const status = answer.statusCode ?? 0;
  const { headers } = answer;
  if (status === 200 || status === 203)
    return { kind: 'content', received: await receiveBody(answer, file, maxBytes), url, headers };
  if (status === 304 && known !== undefined) return { kind: 'unchanged' };
  if (REDIRECTS.has(status)) return { kind: 'redirect', to: headers.location };
  const waitMs = readRetryAfter(headers['retry-after'], now());
  const fault = faultOf(status);
  throw new FetchError(`the server answered ${status}`, {
    fault,
    next: fault === 'no_answer' ? 'retry' : 'give up',
    answered: true,
    ...(waitMs !== undefined && { waitMs }),
  });
};

/** By its status. A server that is busy or broken answers in one of several ways, by chance. */
const faultOf = (status: number): FetchFault => {
  if (status === 408 || status === 429 || status >= 500) return 'no_answer';
  if (status === 404 || status === 410) return 'not_there';
  return [401, 403, 407, 451].includes(status) ? 'not_allowed' : 'no_document';
};

const follow = (from: URL, location: string | undefined): URL => {
  const refuse = (why: string): never => {
    throw new FetchError(`the server redirects to ${shownAddress(location ?? 'nowhere').slice(0, 200)}: ${why}`, {
      fault: 'redirect',
      next: 'give up',
    });
  };
  if (location === undefined || !URL.canParse(location, from.href)) return refuse('that is no address');
  const parsed = parseUrl(new URL(location, from).href);
  if ('wrong' in parsed) return refuse(parsed.wrong);
  if (from.protocol === 'https:' && parsed.url.protocol === 'http:') return refuse('https is not left for http');
  return parsed.url;
};
