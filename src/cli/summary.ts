/** What a run says at its end: amounts, seconds a stage, the snapshot, some metrics, and what to type next. */
import { join, relative, resolve } from 'node:path';
import Table from 'cli-table3';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import type { Kept } from '../../pipeline/events.js';
import { keptText, keptWarning } from '../../pipeline/run/kept.js';
import type { DatasetRun, FailedDataset } from '../../pipeline/run/run.js';
import { identifier, openDatabase, parquet } from '../database.js';
import { RunError } from '../errors.js';
import { shortMetricName } from '../metric-names.js';
import { outputsIn } from '../outputs.js';
import type { Settings } from '../settings.js';
import { findLastMove, readHistory } from '../snapshot/history.js';
import { type Manifest, readManifest } from '../snapshot/manifest.js';
import { findCurrent } from '../snapshot/snapshots.js';
import { explain } from './explain.js';

export interface RunSummary {
  readonly dataset: DatasetId;
  /** The one that is served. */
  readonly snapshot: string;
  /** Since when, and why, where somebody rolled back to it: what this run made is not served then, and no figure here is of it. */
  readonly rolled_back: { readonly at: string; readonly reason: string | null } | null;
  readonly folder: string;
  /** Published; with `rejects` all that was found. */
  readonly documents: number;
  /** Of all that was found those that this run did not find, and that stay as they were last read. */
  readonly kept: Kept;
  /** Of the published documents. */
  readonly sentences: number;
  /** Of the sentences, those that no model was asked about. */
  readonly marked: number;
  /** Of the sentences, different texts; the marked ones too. */
  readonly unique_sentences: number | null;
  /** In this run, once for each text. */
  readonly predictions_made: number;
  /** The other labels of the snapshot: an earlier run answered the text, or it occurs more than once. */
  readonly predictions_reused: number;
  /** Files, rows and documents that were left out, and how many of them at which stage. */
  readonly rejects: number;
  readonly rejects_by_stage: Readonly<Record<string, number>>;
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
      ['serve', 'the API, and a page to look at it in a browser'],
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
  const move = findLastMove(await readHistory(outputs, run.dataset));
  const classify = run.reports.find(({ stage }) => stage === 'classify');
  const amounts = classify?.amounts ?? {};
  const made = amounts.predictions_made ?? 0;
  const predictions = (manifest.counts.sentences - manifest.counts.marked) * DATASETS[run.dataset].models.length;
  return {
    manifest,
    summary: {
      dataset: run.dataset,
      snapshot,
      rolled_back: move?.by === 'rollback' ? { at: move.at, reason: move.reason ?? null } : null,
      folder: shortest(folder),
      documents: manifest.counts.documents,
      kept: run.kept,
      sentences: manifest.counts.sentences,
      marked: manifest.counts.marked,
      unique_sentences: manifest.counts.unique_sentences ?? (await uniqueSentences(folder)),
      predictions_made: made,
      // What is served may be an older one, which somebody rolled back to.
      predictions_reused: Math.max(0, predictions - made),
      rejects: manifest.counts.rejects,
      rejects_by_stage: manifest.counts.rejects === 0 ? {} : await countRejects(folder),
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

/** What each stage leaves out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  ingest: 'that could not be used',
  segment: 'without a sentence',
  publish: 'with the text of another document',
};

const n = (value: number): string => value.toLocaleString('en');

const leftOutText = ({ rejects, rejects_by_stage: byStage }: RunSummary): string => {
  const kinds = Object.entries(byStage).map(([stage, count]) => `${n(count)} ${LEFT_OUT[stage] ?? `at ${stage}`}`);
  return `${n(rejects)} left out${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
};

/** Each line adds up, so that it can be compared with what the start of the run, `status` and the report say. */
export const describe = (summary: RunSummary): string => {
  const { dataset, documents, rejects, sentences, marked, unique_sentences: unique, provider } = summary;
  const { predictions_made: made, predictions_reused: reused, rolled_back: back } = summary;
  // The figures of what somebody rolled back to are not of what this run found.
  const kept = back === null ? keptText(summary.kept, documents + rejects) : undefined;
  const warning = keptWarning(summary.kept);
  const stages = summary.stages.map(
    ({ stage, seconds, done }) => `${stage} ${seconds.toFixed(1)} s${done === 0 ? ' (fresh)' : ''}`,
  );
  return [
    `${dataset}: snapshot ${summary.snapshot}`,
    ...(back === null
      ? []
      : [
          `  rolled back  to this one on ${back.at.slice(0, 10)}${back.reason === null ? '' : ` (${back.reason})`}, and it goes on serving: these are its figures. What it was rolled back from is not served again until something changes`,
        ]),
    `  documents    ${n(documents + rejects)}${kept === undefined ? ' found:' : `: ${kept};`} ${n(documents)} published, ${leftOutText(summary)}`,
    ...(warning === undefined ? [] : [`  warning      ${warning}`]),
    `  sentences    ${n(sentences)} in the published documents, of them ${n(unique ?? 0)} different texts${marked === 0 ? '' : `; ${n(marked)} are marked and asked of no model`}`,
    `  predictions  ${n(made + reused)} for ${n(sentences - marked)} sentences and ${DATASETS[dataset].models.length} models: ${n(made)} made in this run${provider === null ? '' : ` on ${provider}`}, ${n(reused)} known from earlier runs or from the same text elsewhere`,
    `  time         ${summary.seconds.toFixed(1)} s: ${stages.join(', ')}`,
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

const countRejects = (folder: string): Promise<Readonly<Record<string, number>>> =>
  withDatabase(async (database) => {
    const rows = await database.rows(
      `SELECT stage, count(*) AS n FROM ${parquet(join(folder, 'rejects.parquet'))} GROUP BY stage ORDER BY stage`,
    );
    return Object.fromEntries(rows.map((row) => [String(row.stage), Number(row.n)]));
  });

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

/** What the table leaves out. */
export const moreText = (documents: number, metrics: number, shown: number): string => {
  const count = (left: number, what: string): readonly string[] =>
    left > 0 ? [`${n(left)} more ${what}${left === 1 ? '' : 's'}`] : [];
  const more = [...count(documents, 'document'), ...count(metrics - shown, 'metric')];
  return more.length === 0 ? '' : `… and ${more.join(', ')}.\n`;
};

const metricsTable = (
  manifest: Manifest,
  rows: readonly Record<string, unknown>[],
  columns: number | undefined,
): string => {
  const width = columns ?? 160;
  const shown = manifest.metrics.slice(0, Math.max(2, Math.min(MOST_METRICS, Math.floor((width - 60) / 14))));
  const table = new Table({
    head: ['document', 'date', 'sentences', ...shown.map(({ name }) => shortMetricName(name))],
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
  return `${table.toString()}\n${moreText(manifest.counts.documents - rows.length, manifest.metrics.length, shown.length)}`;
};
