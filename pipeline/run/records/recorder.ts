/** Keeps the record of a run while it works, and tells those who are to be told when it ends. */
import type { DatasetId } from '../../../data/catalog.js';
import { messageOf } from '../../../src/errors.js';
import type { Outputs } from '../../../src/outputs.js';
import type { Repeated } from '../../../src/settings.js';
import { findCurrent } from '../../../src/snapshot/snapshots.js';
import type { RunEvent, StageReport } from '../../events.js';
import { throughputOf } from '../../throughput.js';
import { type AnnounceOptions, announce } from './announce.js';
import { lineageEvent, writeLineage } from './lineage.js';
import type { Measured } from './measure.js';
import { newRunId, type RunRecord, readLastRun, writeRecord } from './record.js';

export interface RecorderOptions extends AnnounceOptions {
  readonly job: RunRecord['job'];
  readonly inputs: readonly string[];
  readonly repeated: Repeated;
  readonly now: () => Date;
}

export interface Recorder {
  readonly id: string;
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
  const { close, ...recorder } = await openRecord(options);
  const tellOthers = async (record: RunRecord): Promise<void> => {
    const told = await announce(options, record);
    if (told.signals.length > 0) await writeQuietly(options, told);
  };
  return {
    ...recorder,
    succeed: async (measured) => tellOthers(await close.succeeded(measured)),
    fail: async (error, how) => tellOthers(await close.failed(error, how)),
  };
};

interface OpenRecord extends Omit<Recorder, 'succeed' | 'fail'> {
  /** Write the end of the run down, and tell nobody. */
  readonly close: {
    readonly succeeded: (measured: Measured | undefined) => Promise<RunRecord>;
    readonly failed: (error: unknown, how: 'failed' | 'stopped') => Promise<RunRecord>;
  };
}

/** As `openRecorder`; what ends the run is written down, and told to nobody. */
export const openRecord = async (options: RecorderOptions): Promise<OpenRecord> => {
  const { outputs, dataset, now, log } = options;
  const quietly = noting(dataset, log);
  const before = await readLastRun(outputs, dataset);
  const last = before?.outcome === 'running' ? await closeDead(outputs, before, quietly) : before;
  let record = await beginRecord(options, last);
  await writeQuietly(options, record);
  const started = lineageEvent('START', record, undefined, now());
  await quietly('write the lineage', () => writeLineage(outputs, record, [started]));

  const end = async (changed: Partial<RunRecord>, measured: Measured | undefined): Promise<RunRecord> => {
    const ended = now();
    record = {
      ...record,
      ...changed,
      ended_at: ended.toISOString(),
      seconds: (ended.getTime() - new Date(record.began_at).getTime()) / 1000,
    };
    const type = record.outcome === 'succeeded' ? 'COMPLETE' : record.outcome === 'stopped' ? 'ABORT' : 'FAIL';
    await writeQuietly(options, record);
    await quietly('write the lineage', () =>
      writeLineage(outputs, record, [started, lineageEvent(type, record, measured?.manifest, ended)]),
    );
    return record;
  };

  return {
    id: record.id,
    before: last,
    tell: (event) => {
      if (event.type === 'listed') {
        const { documents, rejects, kept } = event;
        record = { ...record, listed: { documents, rejects, kept: { ...kept, lost: [...kept.lost] } } };
      }
      if (event.type === 'stage-done') record = { ...record, stages: [...record.stages, toStage(event.report)] };
      if (event.type === 'checked') {
        record = { ...record, checks: event.checks.map(({ about: _about, first: _first, ...check }) => check) };
      }
    },
    save: () => writeQuietly(options, record),
    close: {
      succeeded: (measured) => {
        const [oldest, ...others] = measured?.newest.too_old ?? [];
        // Where something was published, the check has said it.
        if (oldest !== undefined && record.checks.length === 0) {
          const more = others.length === 0 ? '' : `, and ${others.length} more are too old`;
          const message = `Nothing newer of ${oldest.subject} than ${oldest.newest}, ${oldest.days} days ago${more}.`;
          log({ type: 'note', dataset, message });
        }
        return end(succeeded(record, measured, now()), measured);
      },
      failed: (error, outcome) =>
        end({ outcome, error: messageOf(error), totals: totalsOfLast(record, last) }, undefined),
    },
  };
};

/** No fault of record keeping ends a run. */
export const writeQuietly = ({ outputs, dataset, log }: RecorderOptions, record: RunRecord): Promise<void> =>
  noting(dataset, log)('write the record of the run', () => writeRecord(outputs, record));

type Quietly = (what: string, work: () => Promise<void>) => Promise<void>;

export const noting =
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

export const beginRecord = async (
  { outputs, dataset, job, inputs, repeated, now }: RecorderOptions,
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
    settings: { ...repeated },
    listed: null,
    stages: [],
    totals: null,
    rejects: [],
    checks: [],
    signals: [],
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

const toStage = (report: StageReport): RunRecord['stages'][number] => ({
  ...report,
  amounts: { ...report.amounts },
  made: { ...report.made },
  facts: { ...report.facts },
  throughput: throughputOf(report),
});
