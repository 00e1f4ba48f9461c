/** An in-memory database with the views that a report reads, and a world around it. */
import { tmpdir } from 'node:os';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import type { CheckResult } from '../../../pipeline/5-publish/checks/run.js';
import { readReportData } from '../../../pipeline/5-publish/report/data.js';
import type { ReportData } from '../../../pipeline/5-publish/report/types.js';
import type { StageReport } from '../../../pipeline/events.js';
import type { World } from '../../../pipeline/stage.js';
import { type Database, identifier, openDatabase, quote, type Row, type Value } from '../../../src/database.js';
import { hashText } from '../../../src/files.js';
import { countTableColumn, metricTableColumn } from '../../../src/formula.js';
import {
  type Column,
  type ColumnType,
  countsTable,
  documentsTable,
  rejectsTable,
  sentencesTable,
  type Table,
} from '../../../src/tables.js';
import { testWorld } from '../../support/rig.js';

export type ReportTable = 'documents' | 'counts' | 'sentences' | 'rejects' | 'last_documents' | 'last_counts';

export interface ReportWorld {
  readonly world: World;
  readonly database: Database;
  /** Rows by column; what is not named is null or, where it must not be, an empty text or zero. */
  readonly insert: (table: ReportTable, rows: readonly Row[]) => Promise<void>;
  /** Rows of a query, by column: the same defaults. */
  readonly insertQuery: (table: ReportTable, values: Readonly<Record<string, string>>, from: string) => Promise<void>;
  readonly read: (options?: {
    readonly checks?: readonly CheckResult[];
    readonly last?: string;
  }) => Promise<ReportData>;
}

export const openReportWorld = async (id: DatasetId, reports: readonly StageReport[] = []): Promise<ReportWorld> => {
  const database = await openDatabase({ memoryMb: 512, temporaryFolder: tmpdir(), threads: 2 });
  const world = testWorld(id, database, tmpdir(), {
    now: () => new Date('2026-03-04T02:14:00Z'),
    fingerprints: DATASETS[id].models.map((model) => ({
      model,
      fingerprint: hashText(model),
      packageFingerprint: hashText(`package of ${model}`),
      own: false,
    })),
    reports: () => reports,
  });
  const { dataset, metrics, counts } = world;
  const documents = documentsTable(dataset, metrics.map(metricTableColumn));
  const sentences = sentencesTable(dataset);
  const tables: Readonly<Record<ReportTable, Table>> = {
    documents,
    counts: countsTable(counts.map(countTableColumn)),
    sentences,
    rejects: rejectsTable,
    last_documents: documents,
    last_counts: countsTable(counts.map(countTableColumn)),
  };
  for (const [name, { columns }] of Object.entries(tables)) {
    const definitions = columns.map(
      (column) => `${identifier(column.name)} ${column.type}${column.nullable ? '' : ' NOT NULL'}`,
    );
    await database.run(`CREATE TABLE ${name} (${definitions.join(', ')})`);
  }

  return {
    world,
    database,
    insert: async (table, rows) => {
      for (const row of rows) {
        const values = tables[table].columns.map((column) => literal(row[column.name] ?? fallback(column)));
        await database.run(`INSERT INTO ${table} VALUES (${values.join(', ')})`);
      }
    },
    insertQuery: (table, values, from) =>
      database.run(
        `INSERT INTO ${table} SELECT ${tables[table].columns
          .map((column) => values[column.name] ?? literal(fallback(column)))
          .join(', ')} FROM ${from}`,
      ),
    read: ({ checks = [], last } = {}) => readReportData({ world, checks, last }),
  };
};

const EMPTY: Readonly<Record<ColumnType, Value>> = {
  VARCHAR: '',
  INTEGER: 0,
  BIGINT: 0,
  DOUBLE: 0,
  FLOAT: 0,
  DATE: '2020-01-01',
  UUID: '00000000-0000-0000-0000-000000000000',
};

const fallback = ({ nullable, type }: Column): Value => (nullable ? null : EMPTY[type]);

const literal = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'string' ? quote(value) : String(value);
