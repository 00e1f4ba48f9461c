/** One published snapshot, open for reading: checked against its manifest, locked down, its documents in memory. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from 'duckdb';
import PQueue from 'p-queue';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import { ENGINE_OPTIONS, QueryError, type Value } from '../database.js';
import { RunError } from '../errors.js';
import type { HashFile } from '../files.js';
import { findManifest, type Manifest } from '../snapshot/manifest.js';
import { type DocumentTable, loadDocuments } from './document-table.js';
import { createRowMaker } from './formats/json.js';
import { unavailable } from './http-error.js';
import { type KeptRows, keepRows, type RowsEvent } from './kept-rows.js';
import {
  columnsOf,
  copyDocuments,
  countSentences,
  findCounts,
  findDocument,
  listSentences,
  lockDown,
  type Query,
  type SentenceSelection,
} from './sql.js';

export interface OpenSnapshot {
  readonly id: string;
  readonly dataset: DatasetId;
  readonly manifest: Manifest;
  readonly documents: DocumentTable;
  /** The rows of lists, where they are kept. */
  readonly kept: KeptRows | undefined;
  /** A document with every column, and its counts; undefined where there is none of that id. */
  readonly findDocument: (id: string) => Promise<{ readonly row: Row; readonly counts: Row } | undefined>;
  readonly countSentences: (selection: SentenceSelection) => Promise<number>;
  readonly listSentences: (
    selection: SentenceSelection,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<readonly Row[]>;
  /** Columns of chosen documents as a Parquet file. */
  readonly toParquet: (columns: readonly string[], rows: Iterable<number>) => Promise<Buffer>;
  /** To be called when nobody reads any more. */
  readonly close: () => void;
}

export type Row = Readonly<Record<string, Value>>;

export interface OpenOptions {
  readonly dataset: DatasetId;
  readonly folder: string;
  readonly id: string;
  /** Where Parquet answers are made, the only place that the database may write to, and rows are kept. */
  readonly scratch: string;
  /** `kept`: rows of lists are written to a file in the background, of a few kilobytes a document. */
  readonly rows: 'kept' | 'made';
  readonly log: (event: RowsEvent) => void;
  readonly hash: HashFile;
  readonly memoryMb: number;
  readonly threads: number;
}

/** Questions to the database that are under way at a time, and that may wait: each holds a connection and its memory. */
const AT_ONCE = 4;
const MOST_WAITING = 250;

/** Columns that tell where a text came from and not what it is: on the page of a document, not in lists. */
const NOT_LISTED = ['path', 'file_sha256', 'text_sha256'];

/** What requests filter by, where the dataset has it. */
const FILTERED = ['bank_name', 'ticker', 'year', 'quarter', 'date'];

/**
 * Opens a snapshot whose files are what its manifest says.
 *
 * @throws RunError that says what is wrong with it, without the folder, which everybody may be told
 */
export const openSnapshot = async (options: OpenOptions): Promise<OpenSnapshot> => {
  const { dataset, folder, id } = options;
  const manifest = await findManifest(folder);
  if (typeof manifest === 'string') throw new RunError(`${manifest}.`);
  const file = await checkFiles(manifest, options);
  await mkdir(options.scratch, { recursive: true });
  const instance = await DuckDBInstance.create(file, {
    access_mode: 'READ_ONLY',
    memory_limit: `${options.memoryMb}MB`,
    threads: String(options.threads),
    temp_directory: options.scratch,
    ...ENGINE_OPTIONS,
  });
  try {
    const rows = (query: Query): Promise<Row[]> =>
      connected(instance, query, async (connection) => {
        const result = await connection.runAndReadAll(query.sql, [...(query.values ?? [])]);
        return result.getRowObjects().map(toRow);
      });
    for (const query of lockDown(options.scratch)) await rows(query);
    for (const [name, table] of Object.entries(manifest.tables)) await checkColumns(rows, name, table.columns);

    const shape = shapeOf(dataset, manifest);
    const documents = await connected(instance, { sql: 'documents' }, (connection) => loadDocuments(connection, shape));
    const kept =
      options.rows === 'kept'
        ? keepRows({
            folder: options.scratch,
            length: documents.length,
            make: createRowMaker({ table: documents, metrics: [...documents.metrics.values()] }),
            log: options.log,
          })
        : undefined;
    const turns = new PQueue({ concurrency: AT_ONCE });
    const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
      if (turns.size >= MOST_WAITING) throw unavailable('Too many questions to the snapshot are waiting', 2);
      return turns.add(ask);
    };
    return {
      id,
      dataset,
      manifest,
      documents,
      kept,
      findDocument: async (document) => {
        const [[row], [counts]] = await inTurn(async () => [
          await rows(findDocument(document)),
          await rows(findCounts(document)),
        ]);
        return row === undefined || counts === undefined ? undefined : { row, counts };
      },
      countSentences: async (selection) => Number((await inTurn(() => rows(countSentences(selection))))[0]?.total ?? 0),
      listSentences: async (selection, page) => inTurn(() => rows(listSentences(selection, page))),
      toParquet: async (columns, chosen) =>
        inTurn(async () => {
          const target = join(options.scratch, `${randomUUID()}.parquet`);
          // Most of the time it is empty, and what clears temporary folders takes it away.
          await mkdir(options.scratch, { recursive: true, mode: 0o700 });
          try {
            await rows(copyDocuments(columns, places(documents, chosen), target));
            return await readFile(target);
          } finally {
            await rm(target, { force: true });
          }
        }),
      close: () => {
        void kept?.close();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
};

/** The path of the database, once it is sure that it is the one that was published. */
const checkFiles = async (manifest: Manifest, { dataset, folder, id, hash }: OpenOptions): Promise<string> => {
  if (manifest.snapshot !== id || manifest.dataset !== dataset) {
    throw new RunError(`The manifest is of ${manifest.dataset} ${manifest.snapshot}, its folder of ${dataset} ${id}.`);
  }
  const name = `${dataset}.duckdb`;
  const expected = manifest.files[name];
  if (expected === undefined) throw new RunError(`The manifest does not name ${name}.`);
  const file = join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new RunError(`${name} is missing.`);
  if (found.size !== expected.bytes) throw new RunError(`${name} has ${found.size} bytes, not ${expected.bytes}.`);
  if ((await hash(file)) !== expected.sha256) throw new RunError(`${name} is not what was published.`);
  return file;
};

/** The names that queries are made of come from the manifest: they must be those of the database. */
const checkColumns = async (
  rows: (query: Query) => Promise<Row[]>,
  table: string,
  columns: Manifest['tables'][string]['columns'],
): Promise<void> => {
  const found = (await rows(columnsOf(table))).map(({ column_name: name, data_type: type }) => `${name} ${type}`);
  const wanted = columns.map(({ name, type }) => `${name} ${type}`);
  if (found.join() !== wanted.join())
    throw new RunError(`The table ${table} has not the columns that the manifest names.`);
};

const shapeOf = (dataset: DatasetId, { tables, metrics }: Manifest) => {
  const columns = tables.documents?.columns.map(({ name }) => name) ?? [];
  const names = metrics.map(({ name }) => name);
  const missing = names.find((name) => !columns.includes(name));
  if (missing !== undefined) throw new RunError(`The table documents has no column for the metric ${missing}.`);
  return {
    columns: columns.filter((name) => !names.includes(name) && !NOT_LISTED.includes(name)),
    dimensions: DATASETS[dataset].dimensions.filter(({ name }) => FILTERED.includes(name)),
    metrics: names,
  };
};

const connected = async <T>(
  instance: DuckDBInstance,
  query: Query,
  use: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> => {
  const connection = await instance.connect();
  try {
    return await use(connection);
  } catch (error) {
    throw error instanceof RunError ? error : new QueryError(query.sql, error);
  } finally {
    connection.closeSync();
  }
};

const places = function* (documents: DocumentTable, rows: Iterable<number>): Generator<number> {
  for (const row of rows) yield documents.rowid(row);
};

const toRow = (row: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toValue(value)]));

const toValue = (value: unknown): Value => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  return String(value);
};
