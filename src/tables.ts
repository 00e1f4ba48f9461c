/**
 * EVERY TABLE, its columns, types, keys and meaning. The pipeline writes them, the server and its users read them.
 * Metric and count columns come from the formulas (`pipeline/4-aggregate/metrics.ts`), model columns from the catalog.
 */
import type { Dataset } from '../data/catalog.js';

export type ColumnType = 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'FLOAT' | 'DATE' | 'UUID';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly about: string;
}

export interface Table {
  readonly name: string;
  /** What one row is. */
  readonly row: string;
  readonly columns: readonly Column[];
  /** Columns that name a row; unique, and the order of the file. */
  readonly key: readonly [string, ...string[]];
}

const column = (name: string, type: ColumnType, about: string): Column => ({ name, type, nullable: false, about });
const nullable = (name: string, type: ColumnType, about: string): Column => ({ name, type, nullable: true, about });

const documentId = column('document_id', 'VARCHAR', 'stable name of the document, the same on every machine');
const sentenceIndex = column('sentence_index', 'INTEGER', 'place of the sentence in its document, from 0');

const dimensionColumns = (dataset: Dataset): readonly Column[] =>
  dataset.dimensions.map(({ name, type, required, about }) => ({ name, type, nullable: !required, about }));

const provenance: readonly Column[] = [
  nullable('title', 'VARCHAR', 'title that the source or the file states'),
  nullable('source_url', 'VARCHAR', 'where the source says that the text was published'),
  column('language', 'VARCHAR', 'language of the text, ISO 639-1, `und` where it is not clear'),
  column('path', 'VARCHAR', 'path of the file from its input folder, or the address that it was fetched from'),
  column('file_sha256', 'VARCHAR', 'sha256 of the file, 64 hexadecimal digits'),
  column('text_sha256', 'VARCHAR', 'sha256 of the extracted text in UTF-8, 64 hexadecimal digits'),
];

const spans: readonly Column[] = [
  column('char_start', 'INTEGER', 'first character of the sentence in the text, in Unicode code points from 0'),
  column('char_end', 'INTEGER', 'one past its last character'),
  column(
    'text',
    'VARCHAR',
    'the span with each run of white space as one space, without what a page prints within it, a hyphen that a file holds as a control character as such: what the models read',
  ),
];

const marks: readonly Column[] = [
  column(
    'language',
    'VARCHAR',
    'that of the document, or another, ISO 639-1, where the paragraph is certainly in that; `und` where only the script tells that it is not English',
  ),
  nullable(
    'mark',
    'VARCHAR',
    '`foreign`: the paragraph is not in English; `furniture`: menus, notices, what is printed on every page or over the parts of a call, a passage that the file holds again; `speaker`: it only names who speaks or takes part; `table`: a cell or row of a table, or of a calendar of meetings. No model was asked and no metric counts the sentence; null: every model was asked',
  ),
];

const voices: readonly Column[] = [
  nullable('speaker', 'VARCHAR', 'who speaks'),
  nullable('role', 'VARCHAR', 'operator, executive or analyst'),
  nullable('section', 'VARCHAR', 'prepared_remarks or questions_and_answers'),
];

const modelColumns = (dataset: Dataset): readonly Column[] =>
  dataset.models.map((id) => nullable(id, 'VARCHAR', `label of the model ${id}; null where the sentence has a mark`));

/** Between ingest and segment: the extracted text itself. Not published. */
export const textsTable = (dataset: Dataset): Table => ({
  name: 'texts',
  row: 'a document with its extracted text',
  columns: [
    documentId,
    ...dimensionColumns(dataset),
    ...provenance,
    column('text', 'VARCHAR', 'the text as extracted'),
    nullable('turns', 'VARCHAR', 'JSON array of the turns that the file format states, offsets in UTF-16 code units'),
  ],
  key: ['document_id'],
});

/** Between segment and classify: sentences without labels, with the key of the prediction store. Not published. */
export const spansTable = (dataset: Dataset): Table => ({
  name: 'spans',
  row: 'a sentence, a span of a document',
  columns: [
    documentId,
    sentenceIndex,
    ...spans,
    ...marks,
    ...(dataset.kind === 'transcript' ? voices : []),
    column('text_hash', 'UUID', 'first 128 bits of the sha256 of the text: what the prediction store is asked by'),
  ],
  key: ['document_id', 'sentence_index'],
});

const lengths: readonly Column[] = [
  column('sentence_count', 'INTEGER', 'sentences of the document'),
  column('marked_count', 'INTEGER', 'of these, those with a mark, which no model was asked about and no metric counts'),
];

export const documentsTable = (dataset: Dataset, metrics: readonly Column[]): Table => ({
  name: 'documents',
  row: 'a published text with its metrics',
  columns: [documentId, ...dimensionColumns(dataset), ...provenance, ...lengths, ...metrics],
  key: ['document_id'],
});

export const countsTable = (counts: readonly Column[]): Table => ({
  name: 'counts',
  row: 'every count of a document that a formula uses',
  columns: [documentId, ...counts],
  key: ['document_id'],
});

/** Between aggregate and publish. Not published by itself: its columns are among those of `documents`. */
export const metricsTable = (metrics: readonly Column[]): Table => ({
  name: 'metrics',
  row: 'the metrics of a document, null where a denominator is zero',
  columns: [documentId, ...lengths, ...metrics],
  key: ['document_id'],
});

export const sentencesTable = (dataset: Dataset): Table => ({
  name: 'sentences',
  row: 'a sentence with one label of each model',
  columns: [
    documentId,
    sentenceIndex,
    ...spans,
    ...marks,
    ...(dataset.kind === 'transcript' ? voices : []),
    ...modelColumns(dataset),
  ],
  key: ['document_id', 'sentence_index'],
});

export const rejectsTable: Table = {
  name: 'rejects',
  row: 'something left out, and why',
  columns: [
    column('subject', 'VARCHAR', 'path of the file from its input folder, or document_id'),
    column('stage', 'VARCHAR', 'the stage that left it out'),
    column('reason', 'VARCHAR', 'what is wrong with it'),
  ],
  key: ['subject', 'stage', 'reason'],
};
