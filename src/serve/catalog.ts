/** `GET /v1/metrics`: the datasets, their metrics with formulas, their filters, what they cover. */
import { DATASETS, type Dataset } from '../../data/catalog.js';
import { type Answer, type Call, cached, cacheHeaders, JSON_TYPE } from './answer.js';
import { ABSENT, type DocumentTable } from './document-table.js';
import { FILTER_NAMES, FILTERS, type FilterName } from './filters.js';
import { unavailable } from './http-error.js';
import type { OpenSnapshot } from './open-snapshot.js';
import { readQuery } from './parameters.js';
import type { Service } from './service.js';

export const listDatasets = async (call: Call, { snapshots }: Service): Promise<Answer> => {
  readQuery({}, call.query);
  const open = snapshots
    .states()
    .map(({ current }) => current)
    .filter((current) => current !== undefined);
  if (open.length === 0) throw unavailable('No dataset is published yet', 5);
  const datasets = open.map(describe);
  const headers = { ...cacheHeaders('metrics', datasets), 'content-type': JSON_TYPE };
  return cached(call, headers, () => JSON.stringify({ datasets, total: open.length }));
};

const describe = (snapshot: OpenSnapshot) => {
  const dataset = DATASETS[snapshot.dataset];
  const { metrics, counts, published_at } = snapshot.manifest;
  return {
    id: dataset.id,
    name: dataset.name,
    description: dataset.description,
    metrics: metrics.map(({ name, formula, description, range }) => ({ name, formula, description, range })),
    filters: [
      ...FILTER_NAMES.filter((name) => (FILTERS[name].of as readonly string[]).includes(dataset.id)).map((name) =>
        describeFilter(name, dataset),
      ),
      { name: 'metric', type: 'string', several: true, values: metrics.map(({ name }) => name), applies_to: BOTH },
      { name: 'snapshot', type: 'string', several: false, applies_to: BOTH },
      { name: 'as_of', type: 'date', several: false, applies_to: BOTH },
    ],
    aggregation_levels: ['document', 'summary'],
    snapshot: snapshot.id,
    coverage: { published_at, documents: counts.documents, sentences: counts.sentences, ...cover(snapshot.documents) },
  };
};

const BOTH = ['documents', 'summary'];

const describeFilter = (name: FilterName, { dimensions }: Dataset) => {
  const column = name === 'start_date' || name === 'end_date' ? 'date' : name;
  const dimension = dimensions.find((dimension) => dimension.name === column);
  return {
    name,
    type: dimension === undefined ? 'string' : WORDS[dimension.type],
    several: 'several' in FILTERS[name],
    ...(dimension?.values === undefined ? {} : { values: dimension.values }),
    applies_to: BOTH,
  };
};

const WORDS = { VARCHAR: 'string', INTEGER: 'integer', DATE: 'date' } as const;

const cover = ({ dimensions }: DocumentTable) => {
  const known = (name: string): Int32Array =>
    dimensions.get(name)?.values.filter((value) => value !== ABSENT) ?? new Int32Array();
  const least = (values: Int32Array): number | null =>
    values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));
  const most = (values: Int32Array): number | null =>
    values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b));
  const toDate = (value: number | null): string | null =>
    value === null ? null : new Date(value * 86_400_000).toISOString().slice(0, 10);
  const [years, days] = [known('year'), known('date')];
  return {
    first_year: least(years),
    last_year: most(years),
    first_date: toDate(least(days)),
    last_date: toDate(most(days)),
    ...Object.fromEntries(
      [['banks', 'bank_name'] as const, ['tickers', 'ticker'] as const]
        .filter(([, column]) => dimensions.has(column))
        .map(([name, column]) => [name, new Set(known(column)).size]),
    ),
  };
};
