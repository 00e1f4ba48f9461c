/** What is to be known in the morning: the last run, what is served, how new it is, what failed. Reads records, not corpora. */
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import type { FoundHolder } from '../../pipeline/run/holder.js';
import type { UnitState } from '../../pipeline/run/inspect.js';
import { findLastJob } from '../../pipeline/run/job.js';
import { findHolder } from '../../pipeline/run/lock.js';
import { openLooks } from '../../pipeline/run/looks.js';
import { type RunRecord, readLastRun } from '../../pipeline/run/records/record.js';
import { type JobState, readJobState } from '../../pipeline/run/submit.js';
import { messageOf } from '../errors.js';
import { type Outputs, outputsIn } from '../outputs.js';
import type { Settings } from '../settings.js';
import { findLastMove, readHistory, type Served } from '../snapshot/history.js';
import { lookAtManifest } from '../snapshot/manifest.js';
import { findWhole, listSnapshots, readPointer, verifySnapshot } from '../snapshot/snapshots.js';
import { mendHere, rebuildHere } from './mending.js';

export interface Morning {
  readonly dataset: DatasetId;
  /** Null where none was recorded. A run that says it is running and has no living process is one that died. */
  readonly last_run: RunRecord | null;
  /** The run that is under way. */
  readonly running: FoundHolder | null;
  /** What was handed to an engine and has not published, where no run has taken its place since. */
  readonly job: UnfinishedJob | null;
  readonly snapshot: {
    readonly id: string;
    readonly published_at: string;
    readonly served: Served | null;
    readonly documents: number;
    readonly rejects: number;
  } | null;
  /** What is wrong with the snapshot, where something is. */
  readonly fault: string | null;
  /** Units to do, and how many are fresh; null where it was not looked. */
  readonly work: Work | null;
}

export type UnfinishedJob = Pick<JobState, 'id' | 'created_at'> & {
  readonly state: Exclude<JobState['state'], 'done'>;
};

export type Work =
  | { readonly fresh: number; readonly stale: readonly UnitState[] }
  /** Why it cannot be told. */
  | { readonly fault: string };

export interface MorningOptions {
  readonly settings: Pick<Settings, 'outputs'>;
  readonly now: Date;
  /** Of the snapshot's files: whether they are there and as long as they were, or also whether they hold what was published. */
  readonly look: 'sizes' | 'contents';
}

export const readMorning = async (dataset: DatasetId, { settings, now, look }: MorningOptions): Promise<Morning> => {
  const outputs = outputsIn(resolve(settings.outputs));
  const running = (await findHolder(outputs.lock(dataset), now)) ?? null;
  const last = await readLastRun(outputs, dataset);
  const died = last?.outcome === 'running' && running === null;
  const about = {
    dataset,
    running,
    job: await findJob(outputs, dataset, last),
    last_run: last === undefined ? null : died ? ({ ...last, outcome: 'died' } as const) : last,
    work: null,
  };
  try {
    const pointer = await readPointer(outputs, dataset);
    if ('fault' in pointer) {
      // A first run that is under way has its snapshot in place before it points to it.
      const isFirst = running !== null && pointer.state === 'missing';
      return {
        ...about,
        snapshot: null,
        fault: isFirst ? null : await findLost(outputs, dataset, last, pointer.fault),
      };
    }
    const { id } = pointer;
    const manifest = await lookAtManifest(outputs.snapshot(dataset, id));
    if (typeof manifest === 'string') {
      const fault = `snapshot ${id}: ${manifest}. ${await advise(outputs, dataset, id)}`;
      return { ...about, snapshot: null, fault };
    }
    const served = findLastMove(await readHistory(outputs, dataset)) ?? null;
    const { documents, rejects } = manifest.counts;
    const snapshot = { id, published_at: manifest.published_at, served, documents, rejects };
    const hash = look === 'sizes' ? look : (await openLooks({ outputs, dataset, began: now, trust: 'all' })).hash;
    const faults = await verifySnapshot(outputs, dataset, id, hash);
    const fault = faults.length === 0 ? null : `${faults.join('; ')}. ${await advise(outputs, dataset, id)}`;
    return { ...about, snapshot, fault };
  } catch (error) {
    return { ...about, snapshot: null, fault: messageOf(error) };
  }
};

const findJob = async (outputs: Outputs, dataset: DatasetId, last: RunRecord | undefined): Promise<Morning['job']> => {
  const found = await findLastJob(outputs, dataset).catch(() => undefined);
  if (found === undefined) return null;
  const { id, created_at } = found.job;
  // Where the engine's commands are not installed, nobody can be asked.
  const { state } = await readJobState(found).catch(() => ({ state: 'waiting' }) as const);
  const isSince = last !== undefined && last.began_at > created_at;
  // What failed since then may be a night that was refused because the job is under way.
  const isPast = isSince && (state !== 'under way' || last.outcome === 'succeeded');
  return state === 'done' || isPast ? null : { id, created_at, state };
};

/** What is wrong where nothing is pointed to: nothing, where nothing was ever published. */
const findLost = async (
  outputs: Outputs,
  dataset: DatasetId,
  last: RunRecord | undefined,
  fault: string,
): Promise<string | null> => {
  const kept = await listSnapshots(outputs, dataset);
  const published = last?.last_success ?? null;
  if (kept.length === 0) {
    return published === null
      ? null
      : `${published.snapshot} was published on ${published.at.slice(0, 10)}, and ${outputs.published(dataset)} holds no snapshot any more. Is its disk there? If so, ${await rebuildHere(outputs, dataset)} publishes again.`;
  }
  return `${fault}, so none of the ${kept.length} kept snapshots is served. ${await advise(outputs, dataset, undefined)}`;
};

/** @param current the damaged snapshot; undefined where none is pointed to */
const advise = async (outputs: Outputs, dataset: DatasetId, current: string | undefined): Promise<string> => {
  const whole = (await findWhole(outputs, dataset)).filter((id) => id !== current);
  return `To mend it: ${await mendHere(outputs, { dataset, current, whole })}.`;
};
