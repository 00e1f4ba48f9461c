/** Nights of a small corpus of a test's own: runs in this process, one after the other. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { RunEvent } from '../../pipeline/events.js';
import { inspect } from '../../pipeline/run/inspect.js';
import { type RunRequest, run } from '../../pipeline/run/run.js';
import { type Database, openDatabase, parquet } from '../../src/database.js';
import { outputsIn } from '../../src/outputs.js';
import { readSettings } from '../../src/settings.js';

export interface Night {
  readonly snapshot: string;
  /** Ids of the published documents. */
  readonly documents: readonly string[];
  /** Subjects of the published rejects, with their reasons. */
  readonly rejects: Readonly<Record<string, string>>;
  /** Partitions that ingest made. */
  readonly ingested: number;
  /** Predictions that were made. */
  readonly predictions: number;
  readonly events: readonly RunEvent[];
  readonly notes: string;
}

export const openNights = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fintext-nights-'));
  const outputs = outputsIn(join(folder, 'outputs'));
  const settings = readSettings(
    {
      outputs: outputs.folder,
      device: 'cpu',
      workers: '1',
      fetchGapMs: '0',
      privateAddresses: 'allow',
      maxDropped: '1',
    },
    {},
  );
  let database: Database | undefined;
  afterAll(() => {
    database?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const input = (name: string): string => join(folder, name);
  const rows = async (sql: string) => {
    database ??= await openDatabase({ memoryMb: 256, temporaryFolder: folder, threads: 1 });
    return database.rows(sql);
  };
  const request = (inputs: readonly string[], more: Partial<RunRequest>): RunRequest => ({
    datasets: ['wcb'],
    inputs: inputs.map(input),
    settings,
    signal: new AbortController().signal,
    log: () => undefined,
    now: () => new Date(),
    random: () => 0.5,
    redo: { what: 'nothing' },
    allowedChecks: new Map(),
    ...more,
  });
  return {
    folder,
    outputs,
    settings,
    input,
    write: (path: string, text: string | Uint8Array): void => {
      mkdirSync(dirname(input(path)), { recursive: true });
      writeFileSync(input(path), text);
    },
    /** Rows of a published table; `where` may follow. */
    published: (snapshot: string, table: string, where = '') =>
      rows(
        `SELECT * FROM ${parquet(join(outputs.snapshot('wcb', snapshot), `${table}.parquet`))} ${where} ORDER BY ALL`,
      ),
    remove: (path: string): void => rmSync(input(path)),
    inspect: (inputs: readonly string[], more: Partial<RunRequest> = {}) => inspect(request(inputs, more)),
    rebuild: async (inputs: readonly string[], more: Partial<RunRequest> = {}): Promise<Night> => {
      const events: RunEvent[] = [];
      const { runs, failed } = await run(request(inputs, { log: (event) => events.push(event), ...more }));
      for (const { error } of failed) throw error;
      const snapshot = (await readFile(outputs.pointer('wcb'), 'utf8')).trim();
      const table = (name: string): string => parquet(join(outputs.snapshot('wcb', snapshot), `${name}.parquet`));
      const documents = await rows(`SELECT document_id FROM ${table('documents')} ORDER BY ALL`);
      const rejects = await rows(`SELECT subject, reason FROM ${table('rejects')} ORDER BY ALL`);
      return {
        snapshot,
        documents: documents.map(({ document_id: id }) => String(id)),
        rejects: Object.fromEntries(rejects.map(({ subject, reason }) => [String(subject), String(reason)])),
        ingested: runs[0]?.reports.find(({ stage }) => stage === 'ingest')?.stale ?? 0,
        predictions: runs[0]?.reports.find(({ stage }) => stage === 'classify')?.amounts.predictions_made ?? 0,
        events,
        notes: events.flatMap((event) => (event.type === 'note' ? [event.message] : [])).join('\n'),
      };
    },
  };
};

/** The nth of the texts of these tests: sentences enough for a document, and no two alike. */
export const textOf = (n: number): string =>
  `The committee of this fictional bank met for the ${n}th time. It raised its key rate by ${n} basis points.\n`;

/** A manifest of statements of one bank, one a month: `files` are paths or addresses, in order. */
export const manifestOf = (files: readonly string[]): string =>
  [
    'path,url,bank_name,start_date,document_type,title',
    ...files.map((file, at) => {
      const [path, url] = /^https?:/.test(file) ? ['', file] : [file, ''];
      const month = String(at + 1).padStart(2, '0');
      return file === '' ? undefined : `${path},${url},bank_of_mexico,2023-${month}-18,statement,`;
    }),
  ]
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join('');

export const idOf = (month: number): string => `bank_of_mexico_2023-${String(month).padStart(2, '0')}-18_statement`;
