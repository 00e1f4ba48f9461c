/** Fetching from a test's own server, without waiting for long. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchAll } from '../../../../pipeline/1-ingest/fetch/fetch-all.js';
import type { Fetched, FetchOptions } from '../../../../pipeline/1-ingest/fetch/fetch-url.js';
import { openPace } from '../../../../pipeline/1-ingest/fetch/pace.js';
import { type Outputs, outputsIn } from '../../../../src/outputs.js';

export interface FetchRig {
  readonly outputs: Outputs;
  readonly scratch: string;
  readonly fetch: (url: string, options?: Partial<FetchOptions>) => Promise<Fetched>;
  readonly fetchMany: (urls: readonly string[], options?: Partial<FetchOptions>) => Promise<readonly Fetched[]>;
  /** What is left of downloads under way. */
  readonly leftovers: () => readonly string[];
}

export const openFetchRig = (folder: string): FetchRig => {
  const outputs = outputsIn(join(folder, 'outputs'));
  const scratch = join(outputs.folder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const fetchMany: FetchRig['fetchMany'] = async (urls, more = {}) => {
    const signal = more.signal ?? new AbortController().signal;
    const now = () => new Date();
    const options: FetchOptions = {
      outputs,
      scratch,
      signal,
      now,
      random: () => 0.5,
      maxBytes: 100_000,
      timeoutMs: 2000,
      mayConnect: () => true,
      pace: openPace({ gapMs: 0, now, signal }),
      retries: { attempts: 3, firstMs: 5, longestMs: 1500 },
      ...more,
    };
    const parsed = urls.map((url) => new URL(url));
    const results = await fetchAll(parsed, options, () => undefined);
    return parsed.map(
      (url) => results.get(url.href) ?? { kind: 'nothing', fault: 'no_answer', why: 'There is no answer.' },
    );
  };
  return {
    outputs,
    scratch,
    fetchMany,
    fetch: async (url, more) => {
      const [fetched] = await fetchMany([url], more);
      return fetched ?? { kind: 'nothing', fault: 'no_answer', why: 'There is no answer.' };
    },
    leftovers: () => readdirSync(scratch),
  };
};

export const textOf = (fetched: Fetched): string =>
  fetched.kind === 'content' ? readFileSync(fetched.file, 'utf8') : `nothing: ${fetched.why}`;

/** What is published of an address that gives nothing. */
export const faultOf = (fetched: Fetched): string => (fetched.kind === 'nothing' ? fetched.fault : 'it was fetched');

/** What the log says of it. */
export const whyOf = (fetched: Fetched): string => fetched.why ?? 'it was fetched';
