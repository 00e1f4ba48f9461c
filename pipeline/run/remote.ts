/** Documents at addresses: asked in a run, looked up where a run is only planned. */
import type { HashFile } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import { FETCH_FAULTS, type FetchFault } from '../1-ingest/fetch/faults.js';
import { fetchAll } from '../1-ingest/fetch/fetch-all.js';
import { type FetchedContent, type FetchOptions, lookUpUrl } from '../1-ingest/fetch/fetch-url.js';
import { openPace } from '../1-ingest/fetch/pace.js';
import { isPublicAddress } from '../1-ingest/fetch/public-address.js';
import { RETRIES } from '../1-ingest/fetch/retry.js';
import type { RemoteDocument } from '../1-ingest/source.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';
import type { From, ListedReject } from './listing.js';

export type RemoteAnswer =
  | FetchedContent
  | { readonly kind: 'nothing'; readonly fault: FetchFault; readonly why: string }
  /** Never fetched, and not asked now. */
  | { readonly kind: 'unasked' };

/** What lies at each address, by address. */
export type ReadRemote = (urls: readonly URL[]) => Promise<ReadonlyMap<string, RemoteAnswer>>;

export interface RemoteOptions {
  readonly outputs: Outputs;
  readonly settings: Pick<Settings, 'fetchMb' | 'fetchSeconds' | 'fetchGapMs' | 'privateAddresses'>;
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly random: () => number;
  readonly onProgress: (done: number, total: number) => void;
}

export const askRemote =
  ({ settings, onProgress, signal, now, ...rest }: RemoteOptions): ReadRemote =>
  (urls) => {
    const options: FetchOptions = {
      ...rest,
      signal,
      now,
      maxBytes: settings.fetchMb * (1 << 20),
      timeoutMs: settings.fetchSeconds * 1000,
      mayConnect: settings.privateAddresses === 'allow' ? () => true : isPublicAddress,
      pace: openPace({ gapMs: settings.fetchGapMs, now, signal }),
      retries: RETRIES,
    };
    return fetchAll(urls, options, onProgress);
  };

/** Asks nobody: what each address last gave. */
export const lookUpRemote =
  (outputs: Outputs, hash?: HashFile): ReadRemote =>
  async (urls) => {
    const answers = new Map<string, RemoteAnswer>();
    for (const url of urls) answers.set(url.href, (await lookUpUrl(outputs, url, hash)) ?? { kind: 'unasked' });
    return answers;
  };

/** Asks these addresses, and looks the others up. */
export const askSome =
  (ask: ReadRemote, lookUp: ReadRemote, asked: ReadonlySet<string>): ReadRemote =>
  async (urls) =>
    new Map([
      ...(await lookUp(urls.filter(({ href }) => !asked.has(href)))),
      ...(await ask(urls.filter(({ href }) => asked.has(href)))),
    ]);

export type FetchedDocument =
  | { readonly kind: 'document'; readonly document: From<PlannedDocument>; readonly state: FetchedContent['state'] }
  /** `why` is for the log: as a server or the system said it. */
  | ({ readonly kind: 'reject'; readonly why: string } & ListedReject)
  | { readonly kind: 'unasked' };

/** What an address gave, as a document like any other; or why there is none. */
export const toFetched = (
  { url, ...facts }: From<RemoteDocument>,
  answer: RemoteAnswer = { kind: 'unasked' },
): FetchedDocument => {
  if (answer.kind === 'unasked') return { kind: 'unasked' };
  if (answer.kind === 'nothing') {
    const reason = `${url.href} could not be fetched: ${FETCH_FAULTS[answer.fault]}`;
    const reject: Reject = { dataset: facts.dataset, subject: facts.path, stage: 'ingest', reason };
    return { kind: 'reject', why: answer.why, input: facts.input, reject, missing: facts.documentId, unanswered: true };
  }
  const { file, sha256, bytes, extension, state, why, fetchedAt } = answer;
  const notes = [...(facts.notes ?? [])];
  if (state === 'kept') notes.push(`${why}; what was fetched on ${fetchedAt.slice(0, 10)} stays`);
  const document = { ...facts, file, fileName: `document${extension}`, fileSha256: sha256, bytes };
  return { kind: 'document', document: { ...document, ...(notes.length > 0 && { notes }) }, state };
};

export interface UrlCounts {
  readonly all: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Gave nothing this time; their last content stays. */
  readonly kept: number;
  readonly nothing: number;
  /** Were never fetched and are not asked now. */
  readonly unasked: number;
}

export const countUrls = (
  remote: readonly From<RemoteDocument>[],
  answers: ReadonlyMap<string, RemoteAnswer>,
): UrlCounts => {
  const urls = new Set(remote.map(({ url }) => url.href));
  const found = [...urls].map((url) => {
    const answer = answers.get(url) ?? ({ kind: 'unasked' } as const);
    return answer.kind === 'content' ? answer.state : answer.kind;
  });
  const count = (...states: readonly string[]): number => found.filter((state) => states.includes(state)).length;
  return {
    all: urls.size,
    changed: count('new', 'changed'),
    unchanged: count('unchanged'),
    kept: count('kept'),
    nothing: count('nothing'),
    unasked: count('unasked'),
  };
};
