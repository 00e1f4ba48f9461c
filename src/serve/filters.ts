/** EVERY PARAMETER of the metrics area, and which dataset takes it. */
import { CENTRAL_BANKS, DATASETS, type Dataset, type DatasetId } from '../../data/catalog.js';
import { meantMetricsText } from '../metric-names.js';
import type { Manifest } from '../snapshot/manifest.js';
import type { Pin } from './follow.js';
import { badRequest, notFound } from './http-error.js';
import {
  capitals,
  day,
  oneOf,
  type Parameter,
  type Parameters,
  type Read,
  several,
  shown,
  someText,
  wholeNumber,
} from './parameters.js';
import type { Filters } from './selection.js';

export const LIMIT = { least: 1, most: 10_000, fallback: 1000 } as const;

/** Filters of rows: `of` names the datasets that take it. */
export const FILTERS = {
  year: { ...several(wholeNumber('year of the document', 1, 9999)), of: ['wcb', 'earnings'] },
  start_date: { ...day('first day, inclusive; leaves out documents without a date'), of: ['wcb', 'earnings'] },
  end_date: { ...day('last day, inclusive; leaves out documents without a date'), of: ['wcb', 'earnings'] },
  bank_name: { ...several(oneOf('central bank identifier', CENTRAL_BANKS)), of: ['wcb'] },
  ticker: { ...several(capitals(someText('stock ticker', 32))), of: ['earnings'] },
  quarter: { ...several(wholeNumber('fiscal quarter', 1, 4)), of: ['earnings'] },
  date: { ...day('day of the document'), of: ['earnings'] },
} as const satisfies Record<string, Parameter<unknown> & { readonly of: readonly DatasetId[] }>;

export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

const metric = several(someText('name of a metric', 200));
export const PINS = {
  snapshot: someText('an older snapshot, as long as it is kept', 64),
  as_of: day('the snapshot that was served at the end of that day (UTC)'),
};
export const PAGE = {
  limit: wholeNumber('rows of a page', LIMIT.least, LIMIT.most, LIMIT.fallback),
  offset: wholeNumber('rows to leave out', 0, Number.MAX_SAFE_INTEGER, 0),
};

export const DOCUMENT_QUERY = {
  ...PAGE,
  format: oneOf('form of the answer', ['json', 'csv', 'parquet', 'arrow'], 'json'),
  metric,
  ...FILTERS,
  ...PINS,
};
export const SUMMARY_QUERY = { metric, ...FILTERS, ...PINS };

/**
 * The dataset of that id.
 *
 * @throws HttpError 404
 */
export const getDataset = (id: string): Dataset => {
  const found = Object.hasOwn(DATASETS, id) ? DATASETS[id as DatasetId] : undefined;
  if (found === undefined) throw notFound(`Dataset not found: ${id}`);
  return found;
};

/** Those of the parameters that a dataset takes; all of them where there is no such dataset. */
export const namesFor = (parameters: Parameters, dataset: string): readonly string[] =>
  Object.keys(parameters).filter((name) => {
    const filter = FILTER_NAMES.find((known) => known === name);
    return filter === undefined || !Object.hasOwn(DATASETS, dataset) || isFilterOf(filter, dataset);
  });

const isFilterOf = (name: FilterName, dataset: string): boolean => {
  const of: readonly string[] = FILTERS[name].of;
  return of.includes(dataset);
};

/**
 * The filters of a query, for a dataset that takes them.
 *
 * @throws HttpError 400
 */
export const toFilters = (query: Read<typeof FILTERS & typeof PINS>, dataset?: Dataset): Filters => {
  for (const name of FILTER_NAMES) {
    if (dataset !== undefined && query[name] !== undefined && !isFilterOf(name, dataset.id)) {
      const taken = FILTER_NAMES.filter((other) => isFilterOf(other, dataset.id));
      throw badRequest(`${name} is no filter of ${dataset.id}; its filters are ${taken.join(', ')}.`);
    }
  }
  if (query.start_date !== undefined && query.end_date !== undefined && query.start_date > query.end_date)
    throw badRequest(`start_date ${query.start_date} is after end_date ${query.end_date}.`);
  checkPin(query);
  const { year, start_date, end_date, bank_name, ticker, quarter, date } = query;
  return {
    year: sorted(year),
    start_date,
    end_date,
    bank_name: sorted(bank_name),
    ticker: sorted(ticker),
    quarter: sorted(quarter),
    date,
  };
};

/** @throws HttpError 400 where two snapshots are asked for */
export const checkPin = ({ snapshot, as_of }: Pin): void => {
  if (snapshot !== undefined && as_of !== undefined)
    throw badRequest('snapshot and as_of are both given; one of them says which snapshot.');
};

/** The order in which values are named says nothing: one question, one ETag. */
const sorted = <T extends string | number>(values: readonly T[] | undefined): readonly T[] | undefined =>
  values === undefined ? undefined : [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/**
 * Metrics by name, in the order of the interface; all where none is named.
 *
 * @throws HttpError 400
 */
export const chooseMetrics = (
  { dataset, metrics }: Manifest,
  names: readonly string[] | undefined,
): readonly string[] => {
  const all = metrics.map(({ name }) => name);
  const unknown = names?.find((name) => !all.includes(name));
  if (unknown !== undefined) throw badRequest(unknownMetric(unknown, dataset, all));
  return names === undefined ? all : all.filter((name) => names.includes(name));
};

const unknownMetric = (unknown: string, dataset: string, all: readonly string[]): string => {
  const meant = meantMetricsText(unknown, all);
  return meant === ''
    ? `Unknown metric ${shown(unknown)}: ${dataset} has ${all.join(', ')}.`
    : `Unknown metric ${shown(unknown)}. ${meant} /v1/metrics lists all ${all.length} of ${dataset}.`;
};
