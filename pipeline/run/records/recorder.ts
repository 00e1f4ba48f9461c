/** Keeps the record of a run while it works, and tells those who are to be told when it ends. */
import type { DatasetId } from '../../../data/catalog.js';
import { messageOf } from '../../../src/errors.js';
import type { Outputs } from '../../../src/outputs.js';
import type { Settings } from '../../../src/settings.js';
import { findCurrent } from '../../../src/snapshot/snapshots.js';
import type { StageName } from '../../document.js';
import type { RunEvent, StageReport } from '../../events.js';
import { takeLock } from '../lock.js';
import { lineageEvent, writeLineage } from './lineage.js';
import type { Measured } from './measure.js';
import { newRunId, type RunRecord, readLastRun, writeRecord } from './record.js';
import { writeTextfile } from './textfile.js';
import { postRecord } from './webhook.js';

export interface RecorderOptions {
  readonly outputs: Outputs;
  readonly settings: Pick<Settings, 'webhook' | 'prometheus'>;
  readonly dataset: DatasetId;
  readonly job: RunRecord['job'];
  readonly inputs: readonly string[];
  readonly now: () => Date;
  readonly log: (event: RunEvent) => void;
}

export interface Recorder {
  /** The record of the run before. */
  readonly before: RunRecord | undefined;
  /** Takes what a run says of its stages and checks. */
  readonly tell: (event: RunEvent) => void;
  /** Writes down how far the run is, for whoever looks while it works or after it was killed. */
  readonly save: () => Promise<void>;
  readonly succeed: (measured: Measured | undefined) => Promise<void>;
  readonly fail: (error: unknown, how: 'failed' | 'stopped') => Promise<void>;
}

/**
 * Begins the record of a run. The caller holds the dataset's lock. No fault of record keeping ends a run: it becomes a note.
 */
export const openRecorder = async (options: RecorderOptions): Promise<Recorder> => {
  const { outputs, dataset, now, log } = options;
  const quietly = noting(dataset, log);
  const before = await readLastRun(outputs, dataset);
  const last = before?.outcome === 'running' ? await closeDead(outputs, before, quietly) : before;
  let record = await beginRecord(options, last);
  await quietly('write the record of the run', () => writeRecord(outputs, record));
  const started = lineageEvent('START', record, undefined, now());
  await quietly('write the lineage', () => writeLineage(outputs, record, [started]));

  const end = async (changed: Partial<RunRecord>, measured: Measured | undefined): Promise<void> => {
    const ended = now();
    record = {
      ...record,
      ...changed,
      ended_at: ended.toISOString(),
      seconds: (ended.getTime() - new Date(record.began_at).getTime()) / 1000,
    };
    const type = record.outcome === 'succeeded' ? 'COMPLETE' : record.outcome === 'stopped' ? 'ABORT' : 'FAIL';
    await quietly('write the record of the run', () => writeRecord(outputs, record));
    await quietly('write the lineage', () =>
      writeLineage(outputs, record, [started, lineageEvent(type, record, measured?.manifest, ended)]),
    );
    await announce(options, record);
  };

  return {
    before: last,
    tell: (event) => {
      if (event.type === 'listed') {
        record = { ...record, listed: { documents: event.documents, rejects: event.rejects } };
      }
      if (event.type === 'stage-done') record = { ...record, stages: [...record.stages, toStage(event.report)] };
      if (event.type === 'checked') {
        record = { ...record, checks: event.checks.map(({ about: _, ...check }) => check) };
      }
    },
    save: () => quietly('write the record of the run', () => writeRecord(outputs, record)),
    succeed: async (measured) => {
      const [oldest, ...others] = measured?.newest.too_old ?? [];
      // Where something was published, the check has said it.
      if (oldest !== undefined && record.checks.length === 0) {
        const more = others.length === 0 ? '' : `, and ${others.length} more are too old`;
        const message = `Nothing newer of ${oldest.subject} than ${oldest.newest}, ${oldest.days} days ago${more}.`;
        log({ type: 'note', dataset, message });
      }
      await end(succeeded(record, measured, now()), measured);
    },
    fail: (error, outcome) => end({ outcome, error: messageOf(error), totals: totalsOfLast(record, last) }, undefined),
  };
};

/**
 * A run that could not even begin: no folder to read, nothing in it, another run under way. Written down where the dataset
 * was built before and nobody else is writing; told in any case.
 */
export const recordUnbegun = async (options: RecorderOptions, error: unknown): Promise<void> => {
  const { outputs, dataset, now } = options;
  const before = await readLastRun(outputs, dataset);
  if (before === undefined) return;
  const release = await takeLock(outputs.lock(dataset), now()).catch(() => undefined);
  if (release === undefined) {
    const record = await beginRecord(options, before);
    const ended = { ended_at: record.began_at, seconds: 0 };
    return announce(options, { ...record, ...ended, outcome: 'failed', error: messageOf(error) });
  }
  try {
    await (await openRecorder(options)).fail(error, 'failed');
  } finally {
    await release();
  }
};

const announce = async ({ outputs, settings, dataset, log }: RecorderOptions, record: RunRecord): Promise<void> => {
  const quietly = noting(dataset, log);
  if (settings.prometheus !== '') {
    await quietly('write the Prometheus textfile', () => writeTextfile(outputs, settings.prometheus));
  }
  if (settings.webhook !== '') await quietly('tell the webhook', () => postRecord(settings.webhook, record));
};

type Quietly = (what: string, work: () => Promise<void>) => Promise<void>;

const noting =
  (dataset: DatasetId, log: RecorderOptions['log']): Quietly =>
  async (what, work) => {
    try {
      await work();
    } catch (error) {
      log({ type: 'note', dataset, message: `Could not ${what}: ${messageOf(error)}` });
    }
  };

/** We hold the lock, so whoever wrote that it is running is gone. */
const closeDead = async (outputs: Outputs, record: RunRecord, quietly: Quietly): Promise<RunRecord> => {
  const dead: RunRecord = { ...record, outcome: 'died', error: 'The process ended without a word.' };
  await quietly('write the record of the run', () => writeRecord(outputs, dead));
  const at = new Date(record.began_at);
  const events = [lineageEvent('START', record, undefined, at), lineageEvent('FAIL', dead, undefined, at)];
  await quietly('write the lineage', () => writeLineage(outputs, dead, events));
  return dead;
};

const beginRecord = async (
  { outputs, dataset, job, inputs, now }: RecorderOptions,
  last: RunRecord | undefined,
): Promise<RunRecord> => {
  const current = (await findCurrent(outputs, dataset).catch(() => undefined)) ?? null;
  const began = now();
  return {
    format: 1,
    id: newRunId(began),
    dataset,
    job,
    outcome: 'running',
    began_at: began.toISOString(),
    ended_at: null,
    seconds: null,
    error: null,
    resumes: last === undefined || last.outcome === 'succeeded' ? null : last.id,
    inputs: [...inputs],
    listed: null,
    stages: [],
    totals: null,
    rejects: [],
    checks: [],
    snapshot: current,
    snapshot_before: current,
    newest: last?.newest ?? null,
    last_success: last?.last_success ?? null,
  };
};

/** What is served is what the run before left: its totals hold, but for what this run made. */
const totalsOfLast = (record: RunRecord, last: RunRecord | undefined): RunRecord['totals'] => {
  if (last?.totals == null || last.snapshot !== record.snapshot) return null;
  const made = madeIn(record);
  return { ...last.totals, predictions_made: made, predictions_reused: last.totals.predictions };
};

const madeIn = ({ stages }: RunRecord): number =>
  stages.find(({ stage }) => stage === 'classify')?.amounts.predictions_made ?? 0;

const succeeded = (record: RunRecord, measured: Measured | undefined, now: Date): Partial<RunRecord> => {
  if (measured === undefined) return { outcome: 'succeeded' };
  const { manifest, uniqueSentences, rejects, newest } = measured;
  const made = madeIn(record);
  const predictions = (manifest.counts.sentences - manifest.counts.marked) * manifest.models.length;
  return {
    outcome: 'succeeded',
    totals: {
      ...manifest.counts,
      unique_sentences: uniqueSentences,
      predictions,
      predictions_made: made,
      predictions_reused: Math.max(0, predictions - made),
    },
    rejects,
    newest,
    // Publishing that was fresh checked nothing anew: what it found then holds.
    checks: record.checks.length > 0 ? record.checks : manifest.checks,
    snapshot: manifest.snapshot,
    last_success: { id: record.id, at: now.toISOString(), snapshot: manifest.snapshot },
  };
};

/** The amount by which a stage's speed is told. */
const PACE: Readonly<Record<StageName, string>> = {
  ingest: 'documents',
  segment: 'sentences',
  classify: 'predictions_made',
  aggregate: 'documents',
  publish: 'sentences',
};

const toStage = ({ stage, units, stale, seconds, amounts, made, facts }: StageReport): RunRecord['stages'][number] => {
  const amount = PACE[stage];
  const done = made[amount] ?? 0;
  return {
    stage,
    units,
    stale,
    seconds,
    amounts: { ...amounts },
    made: { ...made },
    facts: { ...facts },
    throughput: done > 0 && seconds > 0.01 ? { amount, per_second: Number((done / seconds).toPrecision(4)) } : null,
  };
};
