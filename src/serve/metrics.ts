/** The metrics area: what there is, lists of documents, summaries. */
import { setImmediate } from 'node:timers/promises';
import type { Dataset } from '../../data/catalog.js';
import { type Answer, type Call, cached, cacheHeaders, JSON_TYPE } from './answer.js';
import { LruCache } from './cache.js';
import type { DocumentTable } from './document-table.js';
import { chooseMetrics, DOCUMENT_QUERY, getDataset, LIMIT, namesFor, SUMMARY_QUERY, toFilters } from './filters.js';
import type { Pin } from './follow.js';
import { toArrow } from './formats/arrow.js';
import { toCsv } from './formats/csv.js';
import { toJson } from './formats/json.js';
import { type Means, type Page, ROWS_AT_ONCE } from './formats/page.js';
import type { MetricColumn } from './metric-column.js';
import type { OpenSnapshot } from './open-snapshot.js';
import { readQuery } from './parameters.js';
import { type Filters, type Selection, selectDocuments } from './selection.js';
import type { Service } from './service.js';
import { type MetricSummary, summarize } from './summary.js';
import { type Question, withSnapshot } from './with-snapshot.js';

/** `GET /v1/metrics/{dataset_id}/documents` */
export const listDocuments = async (call: Call, service: Service): Promise<Answer> => {
  const { dataset_id: id = '' } = call.path;
  const query = readQuery(DOCUMENT_QUERY, call.query, namesFor(DOCUMENT_QUERY, id));
  toFilters(query);
  const dataset = getDataset(id);
  const filters = toFilters(query, dataset);
  const { limit = LIMIT.fallback, offset = 0, format = 'json' } = query;
  return withSnapshot(service, toQuestion(dataset, query), async (snapshot, metrics) => {
    const selection = select(snapshot.documents, filters);
    const next = offset + limit < selection.length ? offset + limit : null;
    const page = toPage(snapshot, selection.subarray(offset, offset + limit), metrics);
    const headers = {
      ...cacheHeaders('documents', snapshot.id, filters, metrics, limit, offset, format),
      'content-type': TYPES[format],
      'x-snapshot': snapshot.id,
      'x-total-count': String(selection.length),
      ...(next === null ? {} : { link: `<${nextAddress(call, snapshot.id, limit, next)}>; rel="next"` }),
      ...(format === 'json' ? {} : { 'content-disposition': `attachment; filename="${dataset.id}.${format}"` }),
    };
    const envelope = {
      dataset_id: dataset.id,
      snapshot: snapshot.id,
      total: selection.length,
      limit,
      offset,
      next_offset: next,
    };
    const make = async (): Promise<Answer['body']> =>
      encode[format](page, { snapshot, envelope, memory: call.memory, turns: service.turns });
    const isLong = format !== 'parquet' && page.rows.length > ROWS_AT_ONCE;
    return cached(call, headers, () => (isLong ? service.turns(make) : make()));
  });
};

/** `GET /v1/metrics/{dataset_id}/summary` */
export const summarizeDocuments = async (call: Call, service: Service): Promise<Answer> => {
  const { dataset_id: id = '' } = call.path;
  const query = readQuery(SUMMARY_QUERY, call.query, namesFor(SUMMARY_QUERY, id));
  toFilters(query);
  const dataset = getDataset(id);
  const filters = toFilters(query, dataset);
  return withSnapshot(service, toQuestion(dataset, query), async (snapshot, metrics) => {
    const headers = {
      ...cacheHeaders('summary', snapshot.id, filters, metrics),
      'content-type': JSON_TYPE,
      'x-snapshot': snapshot.id,
    };
    return cached(call, headers, async () => {
      const { documents } = snapshot;
      return JSON.stringify({
        dataset_id: dataset.id,
        snapshot: snapshot.id,
        filters: { ...filters, ...(query.metric === undefined ? {} : { metric: metrics }) },
        documents: select(documents, filters).length,
        summary: await summarizeAll(documents, filters, getMetrics(documents, metrics)),
      });
    });
  });
};

const TYPES = {
  json: JSON_TYPE,
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;

type Encode = (
  page: Page,
  more: Means & {
    readonly snapshot: OpenSnapshot;
    readonly envelope: Readonly<Record<string, unknown>>;
  },
) => Answer['body'] | Promise<Answer['body']>;

const encode: Readonly<Record<keyof typeof TYPES, Encode>> = {
  json: (page, { envelope, ...means }) => toJson(envelope, page, means),
  csv: (page, means) => toCsv(page, means),
  arrow: (page, means) => toArrow(page, means),
  parquet: (page, { snapshot, memory }) => {
    // Made as a whole: before it is, room is kept for what it is without any packing.
    memory.reserve(page.rows.length * (page.table.heads.longest + 8 * page.metrics.length));
    const names = [...page.columns, ...page.metrics].map(({ name }) => name);
    return snapshot.toParquet(names, page.rows);
  },
};

const toQuestion = (
  { id }: Dataset,
  query: Pin & { readonly metric?: readonly string[] | undefined },
): Question<readonly string[]> => ({
  dataset: id,
  pin: query,
  check: ({ manifest }) => chooseMetrics(manifest, query.metric),
});

const toPage = ({ documents, manifest, kept }: OpenSnapshot, rows: Uint32Array, metrics: readonly string[]): Page => ({
  table: documents,
  rows,
  metrics: getMetrics(documents, metrics),
  columns: manifest.tables.documents?.columns.filter(({ name }) => documents.columns.includes(name)) ?? [],
  kept: metrics.length === documents.metrics.size ? kept : undefined,
});

const getMetrics = (documents: DocumentTable, names: readonly string[]): readonly MetricColumn[] =>
  names.map((name) => documents.metrics.get(name)).filter((column) => column !== undefined);

/** The next page of the same snapshot, whatever is published meanwhile. */
const nextAddress = (call: Call, snapshot: string, limit: number, offset: number): string => {
  const query = new URLSearchParams(call.query);
  query.delete('as_of');
  for (const [name, value] of Object.entries({ limit, offset, snapshot })) query.set(name, String(value));
  // A comma may stand as it is: escaped, a list of tickers becomes longer than the headers that a client and this service take.
  return `/v1/metrics/${call.path.dataset_id}/documents?${query.toString().replaceAll('%2C', ',')}`;
};

/** Selections and summaries of a table go with it; the summaries of a selection by metric. */
const memory = new WeakMap<
  DocumentTable,
  { readonly selections: LruCache<Selection>; readonly summaries: LruCache<Map<string, MetricSummary>> }
>();

const memoryOf = (documents: DocumentTable) => {
  const known = memory.get(documents);
  if (known !== undefined) return known;
  const made = {
    selections: new LruCache<Selection>(32),
    summaries: new LruCache<Map<string, MetricSummary>>(1000),
  };
  memory.set(documents, made);
  return made;
};

const select = (documents: DocumentTable, filters: Filters): Selection =>
  memoryOf(documents).selections.get(JSON.stringify(filters), () => selectDocuments(documents, filters));

/** Values that are read before others get their turn. */
const AT_ONCE = 300_000;

const summarizeAll = async (
  documents: DocumentTable,
  filters: Filters,
  metrics: readonly MetricColumn[],
): Promise<readonly MetricSummary[]> => {
  const known = memoryOf(documents).summaries.get(JSON.stringify(filters), () => new Map<string, MetricSummary>());
  const selection = select(documents, filters);
  const found: MetricSummary[] = [];
  let read = 0;
  for (const metric of metrics) {
    let summary = known.get(metric.name);
    if (summary === undefined) {
      read += selection.length;
      summary = summarize(metric, selection);
      known.set(metric.name, summary);
    }
    found.push(summary);
    if (read > AT_ONCE) {
      read = 0;
      await setImmediate();
    }
  }
  return found;
};
