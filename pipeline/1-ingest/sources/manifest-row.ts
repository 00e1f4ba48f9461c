/** What one row of a manifest says of a document, checked against the catalog. */
import { DATASET_IDS, DATASETS, type DatasetId } from '../../../data/catalog.js';
import type { SourceDocument } from '../source.js';
import { type Dimensions, findIsoDay, parseDimensions, shown } from './dimensions.js';
import { findDocumentId, identifyingNames, isSafeId, SAFE_ID_ALLOWED, toPartition } from './identity.js';

export type Facts = Omit<SourceDocument, 'file' | 'path'>;
export type Fields = Readonly<Record<string, unknown>>;

const ABOUT_COLUMNS = ['path', 'url', 'dataset', 'document_id', 'title', 'source_url'];

export const KNOWN_COLUMNS: ReadonlySet<string> = new Set([
  ...ABOUT_COLUMNS,
  ...DATASET_IDS.flatMap((id) => DATASETS[id].dimensions.map((dimension) => dimension.name)),
]);

/** The dataset of a row: the one it names, else the only one whose first partition column (`bank_name`, `ticker`) it fills. */
export const toDataset = (fields: Fields): DatasetId | undefined => {
  const told = textOf(fields.dataset);
  if (told !== null) return DATASET_IDS.find((id) => id === told);
  const filled = DATASET_IDS.filter((id) => textOf(fields[DATASETS[id].partitionBy[0]]) !== null);
  return filled.length === 1 ? filled[0] : undefined;
};

/** Everything about the document but its file, or what is wrong: column, value, what is allowed. */
export const toFacts = (fields: Fields): Facts | { readonly wrong: string } => {
  const dataset = toDataset(fields);
  if (dataset === undefined) return { wrong: datasetWrong(fields) };

  const { dimensions, wrong } = parseDimensions(dataset, withDerived(fields));
  const faults = [...wrong, ...findContradictions(dimensions)];
  if (faults.length > 0) return { wrong: faults.join('; ') };

  const told = textOf(fields.document_id);
  if (told !== null && !isSafeId(told)) return { wrong: `document_id is ${shown(told)}; allowed: ${SAFE_ID_ALLOWED}` };
  const documentId = told ?? findDocumentId(dataset, dimensions);
  if (documentId === undefined)
    return { wrong: `nothing tells the document from others: give ${identifyingNames(dataset)}, or a document_id` };

  const about = { title: textOf(fields.title), sourceUrl: textOf(fields.source_url) ?? textOf(fields.url) };
  return { dataset, documentId, partition: toPartition(dataset, dimensions), dimensions, ...about };
};

/** What follows from other columns where its own is empty: `year` from the meeting's start, `date` from release, else end. */
const withDerived = (fields: Fields): Fields => {
  const start = findIsoDay(textOf(fields.start_date) ?? '');
  const year = textOf(fields.year) ?? start?.slice(0, 4);
  const date = textOf(fields.date) ?? textOf(fields.release_date) ?? textOf(fields.end_date);
  return { ...fields, year, date };
};

const findContradictions = (dimensions: Dimensions): readonly string[] => {
  const { start_date: start, end_date: end, year } = dimensions;
  const faults: string[] = [];
  if (typeof start === 'string' && typeof end === 'string' && end < start)
    faults.push(`end_date is ${end}, before start_date ${start}`);
  if (typeof start === 'string' && typeof year === 'number' && Number(start.slice(0, 4)) !== year)
    faults.push(`year is ${year}, but the meeting began on ${start}; year is that of start_date`);
  return faults;
};

const datasetWrong = (fields: Fields): string => {
  const told = fields.dataset;
  return textOf(told) !== null
    ? `dataset is ${shown(told)}; allowed: ${DATASET_IDS.join(', ')}`
    : 'no column says which dataset it belongs to: fill dataset, or either bank_name or ticker';
};

const textOf = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  return text === '' ? null : text;
};
