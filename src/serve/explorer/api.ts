/** The service's own API, asked with the reader's key. */
import type {
  Coverage,
  DatasetList,
  Document,
  DocumentList,
  DocumentPage,
  Sentence,
  SentenceList,
  Usage,
} from '../../client/types.js';
import { Refused } from './problem.js';

export interface Api {
  readonly usage: () => Promise<Usage>;
  readonly datasets: () => Promise<DatasetList>;
  /** Of the snapshot of that day, or of the current one where it is empty. */
  readonly coverage: (dataset: string, asOf: string) => Promise<Coverage>;
  /** Every document of some banks or tickers, with every metric, from one snapshot. */
  readonly documents: (
    dataset: string,
    by: string,
    subjects: readonly string[],
    snapshot: string,
  ) => Promise<readonly Document[]>;
  readonly document: (dataset: string, id: string, snapshot: string) => Promise<DocumentPage>;
  readonly sentences: (dataset: string, id: string, snapshot: string) => Promise<readonly Sentence[]>;
}

/** Rows of a page: the most that the service gives, because each page takes from the reader's quota. */
const PAGE = 10_000;

/**
 * @param onQuota what is left of the month's requests, as each answer says
 * @throws Refused from every call that is not answered with 200
 */
export const openApi = (key: string, onQuota: (remaining: number) => void): Api => {
  const ask = async <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> => {
    // Other characters may not stand in a header; no key has them.
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Refused(401, 'Invalid or missing API key', undefined, undefined);
    const address = new URL(`v1/${path}`, document.baseURI);
    for (const [name, value] of Object.entries(query)) if (value !== '') address.searchParams.set(name, value);
    let response: Response;
    try {
      response = await fetch(address, { headers: { 'x-api-key': key }, credentials: 'omit' });
      const [, remaining] = /"month";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? [];
      if (remaining !== undefined) onQuota(Number(remaining));
      if (response.ok) return (await response.json()) as T;
    } catch (cause) {
      throw new Refused(0, 'No answer', undefined, undefined, { cause });
    }
    throw await toRefused(response);
  };

  return {
    usage: () => ask('usage/me', { days: '1' }),
    datasets: () => ask('metrics'),
    coverage: (dataset, asOf) => ask(`metrics/${dataset}/coverage`, { as_of: asOf }),
    documents: (dataset, by, subjects, snapshot) =>
      allPages<DocumentList, Document>(
        (offset) =>
          ask(`metrics/${dataset}/documents`, { [by]: subjects.join(','), snapshot, limit: String(PAGE), offset }),
        ({ documents }) => documents,
      ),
    document: (dataset, id, snapshot) => ask(`metrics/${dataset}/documents/${encodeURIComponent(id)}`, { snapshot }),
    sentences: (dataset, id, snapshot) =>
      allPages<SentenceList, Sentence>(
        (offset) =>
          ask(`metrics/${dataset}/documents/${encodeURIComponent(id)}/sentences`, {
            snapshot,
            limit: String(PAGE),
            offset,
          }),
        ({ sentences }) => sentences,
      ),
  };
};

const allPages = async <Page extends { readonly next_offset: number | null }, Row>(
  read: (offset: string) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const page: Page = await read(String(offset));
    for (const row of rowsOf(page)) rows.push(row);
    offset = page.next_offset;
  }
  return rows;
};

const toRefused = async (response: Response): Promise<Refused> => {
  const body: unknown = await response.json().catch(() => undefined);
  const detail =
    typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
      ? body.detail
      : response.statusText;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new Refused(
    response.status,
    detail,
    Number.isFinite(after) ? after : undefined,
    response.headers.get('x-request-id') ?? undefined,
  );
};
