/** A client of the service: typed answers, and the documented retry. Needs `fetch`, nothing else. */
import type {
  Coverage,
  DatasetId,
  DatasetList,
  Document,
  DocumentList,
  DocumentPage,
  Filters,
  Inference,
  ModelList,
  PageQuery,
  SentenceList,
  SentenceQuery,
  Summary,
  Usage,
} from './types.js';

export type * from './types.js';

export interface ClientOptions {
  /** Address of the service: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between attempts, for tests. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** An answer that is no success. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    /** What the service says is wrong. */
    readonly detail: string,
    /** By this id the service's log knows the request. */
    readonly requestId: string | null,
    /** Seconds after which it may be tried again, where the service says so. */
    readonly retryAfter: number | null,
  ) {
    super(`${status}: ${detail}`);
  }
}

/** A file was asked for, and there are more documents than one answer holds: part of them would pass for all. */
export class IncompleteError extends Error {
  override name = 'IncompleteError';
  constructor(
    dataset: DatasetId,
    /** Documents that meet the filters. */
    readonly total: number,
    /** Those that the answer holds. */
    readonly received: number,
  ) {
    super(
      `${dataset}: ${total} documents meet the filters, and one file holds ${received}. Narrow the filters (such as year), give limit and offset for a page, or read all with allDocuments.`,
    );
  }
}

export interface Client {
  readonly models: () => Promise<ModelList>;
  /** One label for each text, in their order; at most 128 texts, and 16 MiB as JSON, a call. */
  readonly infer: (
    model: string,
    texts: readonly string[],
    options?: { readonly scores?: 'with' | 'without' },
  ) => Promise<Inference>;
  readonly usage: (options?: { readonly days?: number }) => Promise<Usage>;
  readonly datasets: () => Promise<DatasetList>;
  /** The banks or tickers that have documents. */
  readonly coverage: (dataset: DatasetId, query?: Pick<Filters, 'snapshot' | 'as_of'>) => Promise<Coverage>;
  readonly documents: (dataset: DatasetId, query?: Filters & PageQuery) => Promise<DocumentList>;
  /** Every document that meets the filters, page by page, all of one snapshot. */
  readonly allDocuments: (dataset: DatasetId, query?: Filters & PageQuery) => AsyncGenerator<Document>;
  /**
   * Every document that meets the filters, as a file; with `limit` or `offset`, that page of them.
   *
   * @throws IncompleteError where all were asked for and they are more than one answer holds
   */
  readonly download: (
    dataset: DatasetId,
    format: 'csv' | 'parquet' | 'arrow',
    query?: Filters & PageQuery,
  ) => Promise<Uint8Array>;
  readonly summary: (dataset: DatasetId, query?: Filters) => Promise<Summary>;
  readonly document: (
    dataset: DatasetId,
    documentId: string,
    query?: Pick<Filters, 'snapshot' | 'as_of'>,
  ) => Promise<DocumentPage>;
  readonly sentences: (dataset: DatasetId, documentId: string, query?: SentenceQuery) => Promise<SentenceList>;
}

/** Documents that one answer holds at most. */
const MOST = 10_000;

/** Seconds to wait before each further attempt after 429 and 503. */
const WAITS = [1, 2, 4];

export const createClient = (options: ClientOptions): Client => {
  const { fetch = globalThis.fetch, wait = sleep } = options;
  const base = options.baseUrl.replace(/\/+$/, '');

  const ask = async (path: string, query: object = {}, init: RequestInit = {}): Promise<Response> => {
    const address = `${base}/v1${path}${toQuery(query)}`;
    const headers = { ...init.headers, 'x-api-key': options.apiKey };
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(address, { ...init, headers });
      if (response.ok) return response;
      const error = await toError(response);
      const pause = WAITS[attempt];
      // A quota that resets next month is not worth waiting for; what is not ready may be at any moment.
      const hopeless = error.status === 429 && (error.retryAfter ?? 0) > restOfWaits(attempt);
      if (pause === undefined || hopeless || (error.status !== 429 && error.status !== 503)) throw error;
      await wait(pause * 1000);
    }
  };
  const json = async <T>(path: string, query?: object, init?: RequestInit): Promise<T> =>
    (await ask(path, query, init)).json() as Promise<T>;
  const documentPath = (dataset: DatasetId, documentId: string): string => {
    // Nothing, and dots, which an address drops, would ask for the list.
    if (/^\.{0,2}$/.test(documentId)) throw new ApiError(404, `Document not found: ${documentId}`, null, null);
    return `/metrics/${dataset}/documents/${encodeURIComponent(documentId)}`;
  };
  const documents: Client['documents'] = (dataset, query) => json(`/metrics/${dataset}/documents`, query);

  return {
    models: () => json('/models'),
    infer: (model, texts, { scores = 'without' } = {}) =>
      json('/models/infer', undefined, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model_id: model,
          instances: texts.map((text) => ({ text })),
          ...(scores === 'with' ? { parameters: { return_scores: true } } : {}),
        }),
      }),
    usage: (query) => json('/usage/me', query),
    datasets: () => json('/metrics'),
    coverage: (dataset, query) => json(`/metrics/${dataset}/coverage`, query),
    documents,
    allDocuments: async function* (dataset, query = {}) {
      let offset: number | null = query.offset ?? 0;
      const { as_of, ...rest } = query;
      let pin: Pick<Filters, 'snapshot' | 'as_of'> = as_of === undefined ? {} : { as_of };
      while (offset !== null) {
        const page: DocumentList = await documents(dataset, { ...rest, ...pin, offset });
        yield* page.documents;
        pin = { snapshot: page.snapshot };
        offset = page.next_offset;
      }
    },
    download: async (dataset, format, query = {}) => {
      const asksForAll = query.limit === undefined && query.offset === undefined;
      const wanted = asksForAll ? { ...query, limit: MOST } : query;
      const response = await ask(`/metrics/${dataset}/documents`, { ...wanted, format });
      const total = Number(response.headers.get('x-total-count'));
      if (asksForAll && total > MOST) {
        // Nobody will read it; left open, the connection would stay taken.
        await response.body?.cancel();
        throw new IncompleteError(dataset, total, MOST);
      }
      return new Uint8Array(await response.arrayBuffer());
    },
    summary: (dataset, query) => json(`/metrics/${dataset}/summary`, query),
    document: async (dataset, documentId, query) => json(documentPath(dataset, documentId), query),
    sentences: async (dataset, documentId, query) => json(`${documentPath(dataset, documentId)}/sentences`, query),
  };
};

const restOfWaits = (attempt: number): number => WAITS.slice(attempt).reduce((sum, seconds) => sum + seconds, 0);

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const toQuery = (query: object): string => {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(',') : String(value)]);
  // A comma may stand as it is: escaped, it takes three times its room of what an address may have.
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString().replaceAll('%2C', ',')}`;
};

const toError = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const detail =
    typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
      ? body.detail
      : response.statusText;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    detail,
    response.headers.get('x-request-id'),
    Number.isFinite(after) ? after : null,
  );
};
