/** The last runs for Prometheus, as the textfile collector of the node exporter reads them. */
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { DATASET_IDS } from '../../../data/catalog.js';
import { RunError } from '../../../src/errors.js';
import { writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';
import { type RunRecord, readLastRun } from './record.js';

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  /** No sample where a run says nothing of it. */
  readonly samples: (record: RunRecord) => readonly Sample[];
}

const one = (value: number | null | undefined): readonly Sample[] => (value == null ? [] : [{ value }]);
const instant = (time: string | null | undefined): readonly Sample[] =>
  time == null ? [] : [{ value: new Date(time).getTime() / 1000 }];

/** Every gauge; each has the label `dataset` besides its own. */
export const GAUGES: readonly Gauge[] = [
  {
    name: 'fintext_last_success_timestamp_seconds',
    help: 'When the last run that succeeded ended.',
    samples: ({ last_success: last }) => instant(last?.at),
  },
  {
    name: 'fintext_last_run_timestamp_seconds',
    help: 'When the last run ended, or began where it has not.',
    samples: ({ began_at: began, ended_at: ended }) => instant(ended ?? began),
  },
  {
    name: 'fintext_last_run_success',
    help: '1 where the last run succeeded.',
    samples: ({ outcome }) => one(outcome === 'succeeded' ? 1 : 0),
  },
  { name: 'fintext_run_seconds', help: 'How long the last run took.', samples: ({ seconds }) => one(seconds) },
  {
    name: 'fintext_stage_seconds',
    help: 'How long a stage of the last run took.',
    samples: ({ stages }) => stages.map(({ stage, seconds }) => ({ labels: { stage }, value: seconds })),
  },
  {
    name: 'fintext_stage_units_made',
    help: 'Units of work that a stage made again in the last run.',
    samples: ({ stages }) => stages.map(({ stage, stale }) => ({ labels: { stage }, value: stale })),
  },
  {
    name: 'fintext_documents',
    help: 'Documents of the current snapshot.',
    samples: ({ totals }) => one(totals?.documents),
  },
  {
    name: 'fintext_sentences',
    help: 'Sentences of the current snapshot.',
    samples: ({ totals }) => one(totals?.sentences),
  },
  {
    name: 'fintext_rejects',
    help: 'Files, rows and documents that the current snapshot leaves out.',
    samples: ({ totals }) => one(totals?.rejects),
  },
  {
    name: 'fintext_documents_gone',
    help: 'Documents that were gone from their folders in the last run, and stay as they were last read.',
    samples: ({ listed }) => one(listed?.kept.gone),
  },
  {
    name: 'fintext_documents_unread',
    help: 'Documents whose files, or the lists that named them, the last run could not read, and that stay as they were last read.',
    samples: ({ listed }) => one(listed?.kept.unread),
  },
  {
    name: 'fintext_documents_unanswered',
    help: 'Documents whose addresses gave nothing in the last run, and that keep their last content.',
    samples: ({ listed }) => one(listed?.kept.unanswered),
  },
  {
    name: 'fintext_sources_lost',
    help: 'Banks or tickers with several documents of which the last run found none.',
    samples: ({ listed }) => one(listed?.kept.lost.length),
  },
  {
    name: 'fintext_predictions_made',
    help: 'Predictions that the last run made.',
    samples: ({ totals }) => one(totals?.predictions_made),
  },
  {
    name: 'fintext_checks_failed',
    help: 'Checks that failed in the last run; allowed: those that somebody let fail, with a reason.',
    samples: ({ checks }) => {
      const failed = checks.filter(({ passed }) => !passed);
      const count = (severity: string): number =>
        failed.filter((check) => (check.overridden === undefined ? check.severity : 'allowed') === severity).length;
      return ['block', 'warn', 'allowed'].map((severity) => ({ labels: { severity }, value: count(severity) }));
    },
  },
  {
    name: 'fintext_newest_document_timestamp_seconds',
    help: 'Day of the newest document; where none has a day, the end of its year or calendar quarter.',
    samples: ({ newest }) => instant(newest?.date),
  },
  {
    name: 'fintext_sources_too_old',
    help: 'Banks or tickers whose newest document is older than --max-age-days allows.',
    samples: ({ newest }) => one(newest?.too_old.length),
  },
];

/**
 * Writes the file whole: a reader sees all datasets of the run before, or of this one. Its folder is not made: one that
 * is not there is a slip, and no collector looks there.
 *
 * @param ended stands for its dataset where no record could be written
 */
export const writeTextfile = async (outputs: Outputs, path: string, ended: RunRecord): Promise<void> => {
  const folder = dirname(resolve(path));
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new RunError(`There is no folder ${folder} for ${basename(path)}: make it, or correct --prometheus.`);
  const records: RunRecord[] = [];
  for (const dataset of DATASET_IDS) {
    const last = await readLastRun(outputs, dataset).catch(() => undefined);
    const record = last ?? (dataset === ended.dataset ? ended : undefined);
    if (record !== undefined) records.push(record);
  }
  await writeFileWhole(path, textfile(records));
};

export const textfile = (records: readonly RunRecord[]): string =>
  GAUGES.map(({ name, help, samples }) => {
    const lines = records.flatMap((record) =>
      samples(record).map(({ labels = {}, value }) => {
        const all = Object.entries({ dataset: record.dataset, ...labels }).map(([key, text]) => `${key}="${text}"`);
        return `${name}{${all.join(',')}} ${value}\n`;
      }),
    );
    return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
  }).join('');
