/** One address: its content now, or the last one it gave, or why there is none. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type HashFile, hashText } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';
import { HEAD_BYTES } from '../content.js';
import { findKept, takeIn } from '../raw/store.js';
import { readHead } from '../read.js';
import { type DownloadOptions, download } from './download.js';
import { toExtension } from './extension.js';
import type { FetchFault } from './faults.js';
import { FetchError } from './fetch-error.js';
import { readUrlRecord, type UrlRecord, writeUrlRecord } from './records.js';
import { type Retries, withRetries } from './retry.js';

export interface FetchOptions extends DownloadOptions {
  readonly outputs: Outputs;
  /** A folder of this run alone, on the disk of the outputs. */
  readonly scratch: string;
  readonly retries: Retries;
  readonly random: () => number;
}

/** A content of an address, in the store of raw files. */
export interface FetchedContent {
  readonly kind: 'content';
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Ending that tells the format. */
  readonly extension: string;
  /** `kept`: the address gave nothing this time, so what it last gave stays. */
  readonly state: 'new' | 'changed' | 'unchanged' | 'kept';
  readonly fetchedAt: string;
  /** Why nothing newer is there, where the state is `kept`: for the log, as a server or the system said it. */
  readonly why?: string;
}

export type Fetched =
  | FetchedContent
  /** Never fetched so far. */
  | { readonly kind: 'nothing'; readonly fault: FetchFault; readonly why: string };

export interface FetchOutcome {
  readonly fetched: Fetched;
  /**
   * Did the host fail in a way that its other addresses may share? `busy`: it answered that it cannot; `silent`: it did not
   * answer; `at once`: it asks to be left alone.
   */
  readonly hostFailed: 'no' | 'busy' | 'silent' | 'at once';
}

export const fetchUrl = async (url: URL, options: FetchOptions): Promise<FetchOutcome> => {
  const { outputs, signal, scratch, retries, now } = options;
  const last = await findLast(outputs, url);
  const temporary = join(scratch, `fetch-${hashText(url.href)}`);
  try {
    const found = await withRetries(async () => {
      await rm(temporary, { force: true });
      const downloaded = await download(url, temporary, last && validatorsOf(last.record), options);
      if (downloaded.kind === 'unchanged') return undefined;
      const { head } = await readHead(temporary, Number.MAX_SAFE_INTEGER, HEAD_BYTES);
      const { headers } = downloaded;
      const extension = toExtension({
        contentType: headers['content-type'],
        contentDisposition: headers['content-disposition'],
        asked: url,
        answered: downloaded.url,
        head,
      });
      return { ...downloaded, extension };
    }, options);
    if (found === undefined && last !== undefined) return { fetched: toContent(last, 'unchanged'), hostFailed: 'no' };
    if (found === undefined) throw new Error('An address was unchanged that was never fetched.');

    const { received, headers, extension } = found;
    const file = await takeIn(outputs, temporary, received.sha256);
    const record: UrlRecord = {
      url: url.href,
      answered: found.url.href,
      etag: headers.etag ?? null,
      last_modified: headers['last-modified'] ?? null,
      content_type: headers['content-type'] ?? null,
      ...received,
      extension,
      fetched_at: now().toISOString(),
    };
    // The content first: a record never names what is not there.
    await writeUrlRecord(outputs, record);
    const same = last?.record.sha256 === record.sha256 && last.record.extension === extension;
    const state = last === undefined ? 'new' : same ? 'unchanged' : 'changed';
    return { fetched: toContent({ file, record }, state), hostFailed: 'no' };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    const leftAlone = (error.waitMs ?? 0) > retries.longestMs;
    return {
      fetched: withoutAnswer(last, error.fault, error.message),
      hostFailed: error.next === 'give up' ? 'no' : leftAlone ? 'at once' : error.answered ? 'busy' : 'silent',
    };
  } finally {
    await rm(temporary, { force: true });
  }
};

/** What an address last gave, as it lies in the store. Asks nobody. */
export const lookUpUrl = async (outputs: Outputs, url: URL, hash?: HashFile): Promise<FetchedContent | undefined> => {
  const last = await findLast(outputs, url, hash);
  return last === undefined ? undefined : toContent(last, 'unchanged');
};

/** What stands for an address that gave nothing: its last content, or the reason why there is none. */
export const withoutAnswer = (last: Last | undefined, fault: FetchFault, why: string): Fetched =>
  last === undefined ? { kind: 'nothing', fault, why } : { ...toContent(last, 'kept'), why };

export interface Last {
  readonly file: string;
  readonly record: UrlRecord;
}

/** Undefined as well where the kept content is damaged: then all of it is asked for. */
export const findLast = async (outputs: Outputs, url: URL, hash?: HashFile): Promise<Last | undefined> => {
  const record = await readUrlRecord(outputs, url.href);
  const file = record === undefined ? undefined : await findKept(outputs, record.sha256, hash);
  return record === undefined || file === undefined ? undefined : { file, record };
};

const validatorsOf = ({ answered, etag, last_modified: lastModified }: UrlRecord) => ({
  url: answered,
  etag,
  lastModified,
});

const toContent = ({ file, record }: Last, state: FetchedContent['state']): FetchedContent => ({
  kind: 'content',
  file,
  sha256: record.sha256,
  bytes: record.bytes,
  extension: record.extension,
  state,
  fetchedAt: record.fetched_at,
});
