/** The names that a document goes by: its id and its partition, both made of dimensions. */
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import type { Dimensions } from './dimensions.js';

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
export const SAFE_ID_ALLOWED = 'up to 200 letters, digits, _ . and -, the first a letter or a digit';

/** May this text be a `document_id`? It is part of URL paths and of file names. */
export const isSafeId = (id: string): boolean => SAFE_ID.test(id) && !id.includes('..');

/**
 * The `document_id` that dimensions make: the values of the catalog's `identifiedBy` that are not null, joined by `_`,
 * a quarter as `Q1`: `bank_of_japan_1998-10-13`, `AAPL_2019_Q1`. Undefined where a date or a number among them is
 * null, for words alone (a bank, a type) would give many documents one name.
 */
export const findDocumentId = (dataset: DatasetId, dimensions: Dimensions): string | undefined => {
  const parts: string[] = [];
  for (const name of DATASETS[dataset].identifiedBy) {
    const value = dimensions[name] ?? null;
    if (value !== null) parts.push(name === 'quarter' ? `Q${value}` : String(value));
    else if (typeOf(dataset, name) !== 'VARCHAR') return undefined;
  }
  const id = parts.join('_');
  return isSafeId(id) ? id : undefined;
};

/** `bank_of_japan/2005`, `AAPL`: the catalog's `partitionBy`, all of which are required dimensions. */
export const toPartition = (dataset: DatasetId, dimensions: Dimensions): string =>
  DATASETS[dataset].partitionBy.map((name) => String(dimensions[name])).join('/');

/** The dimensions that tell documents of a dataset apart, for a message. */
export const identifyingNames = (dataset: DatasetId): string =>
  DATASETS[dataset].identifiedBy.filter((name) => typeOf(dataset, name) !== 'VARCHAR').join(' and ');

const typeOf = (dataset: DatasetId, name: string) =>
  DATASETS[dataset].dimensions.find((dimension) => dimension.name === name)?.type;
