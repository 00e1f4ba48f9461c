/** What a run says at its end: amounts, seconds a stage, the snapshot, some metrics, and what to type next. */
import { join, relative, resolve } from 'node:path';
import Table from 'cli-table3';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import type { DatasetRun, FailedDataset } from '../../pipeline/run/run.js';
import { identifier, openDatabase, parquet } from '../database.js';
import { RunError } from '../errors.js';
import { outputsIn } from '../outputs.js';
import type { Settings } from '../settings.js';
import { type Manifest, readManifest } from '../snapshot/manifest.js';
import { findCurrent } from '../snapshot/snapshots.js';
import { explain } from './explain.js';

export interface RunSummary {
  readonly dataset: DatasetId;
  readonly snapshot: string;
  readonly folder: string;
  readonly documents: number;
  readonly sentences: number;
  /** Of the sentences, those that no model was asked about. */
  readonly marked: number;
  readonly unique_sentences: number | null;
  readonly predictions_made: number;
  readonly predictions_reused: number;
  readonly rejects: number;
  readonly provider: string | null;
  readonly seconds: number;
  readonly stages: readonly {
    readonly stage: string;
    readonly units: number;
    readonly done: number;
    readonly seconds: number;
  }[];
}

export const runSummary = async (runs: readonly DatasetRun[], settings: Settings): Promise<readonly RunSummary[]> =>
  Promise.all(runs.map(async (run) => (await summarise(run, settings)).summary));

export const runSummaryText = async (
  runs: readonly DatasetRun[],
  settings: Settings,
  columns: number | undefined,
): Promise<string> => {
  const parts: string[] = [];
  let example: { dataset: DatasetId; document: string; metric: string } | undefined;
  for (const run of runs) {
    const { summary, manifest } = await summarise(run, settings);
    const rows = await someDocuments(summary.folder, manifest);
    example ??= {
      dataset: run.dataset,
      document: String(rows[0]?.document_id ?? ''),
      metric: manifest.metrics[0]?.name ?? '',
    };
    parts.push(
      describe(summary),
      metricsTable(manifest, rows, columns),
      `Snapshot: ${summary.folder}\nReport:   ${join(summary.folder, 'report.html')}\n`,
    );
  }
  if (example !== undefined) {
    const next = [
      [`explain ${example.document} --metric ${example.metric}`, 'where a number comes from, down to the sentences'],
      [`snapshots list --dataset ${example.dataset}`, 'what is published'],
      ['rebuild --input <folder>', 'your own documents'],
    ];
    const width = Math.max(...next.map(([command = '']) => command.length));
    parts.push(
      `Next:\n${next.map(([command = '', about]) => `  npx fintext ${command.padEnd(width)}   ${about}\n`).join('')}`,
    );
  }
  return parts.join('\n');
};

/** Ends the command with what failed: as it is where one dataset did, as one line where several did. */
export const throwFailures = (failed: readonly FailedDataset[]): void => {
  const [first] = failed;
  if (first === undefined) return;
  if (failed.length === 1) throw first.error;
  throw new RunError(failed.map(({ dataset, error }) => `${dataset}: ${explain(error)}`).join(' | '));
};

const summarise = async (
  run: DatasetRun,
  settings: Settings,
): Promise<{ readonly summary: RunSummary; readonly manifest: Manifest }> => {
  const outputs = outputsIn(settings.outputs);
  const snapshot = (await findCurrent(outputs, run.dataset)) ?? '';
  const folder = outputs.snapshot(run.dataset, snapshot);
  const manifest = await readManifest(folder);
  const classify = run.reports.find(({ stage }) => stage === 'classify');
  const amounts = classify?.amounts ?? {};
  const made = amounts.predictions_made ?? 0;
  return {
    manifest,
    summary: {
      dataset: run.dataset,
      snapshot,
      folder: shortest(folder),
      documents: manifest.counts.documents,
      sentences: manifest.counts.sentences,
      marked: manifest.counts.marked,
      unique_sentences: manifest.counts.unique_sentences ?? (await uniqueSentences(folder)),
      predictions_made: made,
      predictions_reused:
        (manifest.counts.sentences - manifest.counts.marked) * DATASETS[run.dataset].models.length - made,
      rejects: manifest.counts.rejects,
      provider: classify?.facts.provider ?? null,
      seconds: run.seconds,
      stages: run.reports.map(({ stage, units, stale, seconds }) => ({ stage, units, done: stale, seconds })),
    },
  };
};

/** As a person would write it: from here where that is below here, else whole. */
const shortest = (path: string): string => {
  const fromHere = relative('.', path);
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
};

const describe = (summary: RunSummary): string => {
  const n = (value: number): string => value.toLocaleString('en');
  const stages = summary.stages.map(
    ({ stage, seconds, done }) => `${stage} ${seconds.toFixed(1)} s${done === 0 ? ' (fresh)' : ''}`,
  );
  return [
    `${summary.dataset}: snapshot ${summary.snapshot}`,
    `  documents ${n(summary.documents)}, left out ${n(summary.rejects)}`,
    `  sentences ${n(summary.sentences)}, unique ${n(summary.unique_sentences ?? 0)}${summary.marked === 0 ? '' : `, marked and asked of no model ${n(summary.marked)}`}`,
    `  predictions made ${n(summary.predictions_made)}, reused ${n(summary.predictions_reused)}${summary.provider === null ? '' : `, on ${summary.provider}`}`,
    `  ${summary.seconds.toFixed(1)} s: ${stages.join(', ')}`,
    '',
  ].join('\n');
};

const withDatabase = async <T>(use: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ memoryMb: 256, temporaryFolder: '', threads: 1 });
  try {
    return await use(database);
  } finally {
    database.close();
  }
};

const uniqueSentences = (folder: string): Promise<number> =>
  withDatabase(async (database) => {
    const [row] = await database.rows(
      `SELECT count(DISTINCT hash(text)) AS n FROM ${parquet(join(folder, 'sentences.parquet'))}`,
    );
    return Number(row?.n ?? 0);
  });

const MOST_ROWS = 12;
const MOST_METRICS = 7;

/** Documents from all over the table, so that a change over the years shows. */
const someDocuments = (folder: string, manifest: Manifest): Promise<Record<string, unknown>[]> =>
  withDatabase((database) =>
    database.rows(
      `SELECT document_id, CAST(date AS VARCHAR) AS date, sentence_count, ${manifest.metrics
        .slice(0, MOST_METRICS)
        .map(({ name }) => identifier(name))
        .join(', ')}
       FROM (SELECT *, row_number() OVER (ORDER BY date NULLS LAST, document_id) AS place, count(*) OVER () AS total FROM ${parquet(join(folder, 'documents.parquet'))})
       WHERE floor(place * ${MOST_ROWS} / total) > floor((place - 1) * ${MOST_ROWS} / total)
       ORDER BY place`,
    ),
  );

const metricsTable = (
  manifest: Manifest,
  rows: readonly Record<string, unknown>[],
  columns: number | undefined,
): string => {
  const width = columns ?? 160;
  const shown = manifest.metrics.slice(0, Math.max(2, Math.min(MOST_METRICS, Math.floor((width - 60) / 14))));
  const short = (name: string): string =>
    name
      .replace(/^ec_/, '')
      .replace(/_(metric|relevancy|projection)$/g, '')
      .replaceAll('_', ' ');
  const table = new Table({
    head: ['document', 'date', 'sentences', ...shown.map(({ name }) => short(name))],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', ...shown.map(() => 'right' as const)],
    wordWrap: true,
  });
  for (const row of rows) {
    table.push([
      String(row.document_id),
      row.date === null ? '–' : String(row.date),
      String(row.sentence_count),
      ...shown.map(({ name }) => (typeof row[name] === 'number' ? row[name].toFixed(3) : '–')),
    ]);
  }
  const more = manifest.counts.documents - rows.length;
  return `${table.toString()}\n${more > 0 ? `… and ${more.toLocaleString('en')} more documents, ${manifest.metrics.length} metrics in all.\n` : ''}`;
};
