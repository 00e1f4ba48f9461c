/** Handing a rebuild over to an engine, and what became of it. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { RunError } from '../../src/errors.js';
import { outputsIn } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import type { Alive, Engine } from './executors/executor.js';
import { findEngine } from './executors/index.js';
import { checkForget } from './forget.js';
import {
  createJob,
  elementMarker,
  elementsOf,
  type FoundJob,
  findLastJob,
  type Job,
  logsFolder,
  readMarkers,
  readShards,
  STEPS,
  type StepName,
  stepName,
  stepsOf,
} from './job.js';
import { removeTemporaries } from './leftovers.js';
import { isEmpty, type Listing, listingOf, readListing } from './listing.js';
import { takeLock } from './lock.js';
import { announce, makePlan } from './make-plan.js';
import { recordUnbegun } from './records/unbegun.js';
import { selectedBy } from './redo.js';
import { type FailedDataset, nothingFound, type RunRequest, recordAllUnbegun, recorderOptions } from './run.js';
import { settleAbsent } from './vanished.js';

export interface PlannedJobs {
  readonly jobs: readonly FoundJob[];
  /** Datasets of which no job could be planned, and why. Those of the others are. */
  readonly failed: readonly FailedDataset[];
}

/**
 * Plans a rebuild of each dataset and writes the folder of its job. Nothing is read of the documents but their hashes.
 *
 * @param engine who will be given it; a job of which tasks are still alive is not planned beside
 */
export const planJobs = async (request: RunRequest, engine: Engine | undefined): Promise<PlannedJobs> => {
  const { datasets, inputs, settings, signal, forget = [] } = request;
  const outputs = outputsIn(resolve(settings.outputs));
  const listing = await readListing(inputs, signal).catch(async (error: unknown) => {
    await recordAllUnbegun(request, error);
    throw error;
  });
  await checkForget({ outputs, datasets, listing, forget });
  const jobs: FoundJob[] = [];
  const failed: FailedDataset[] = [];
  for (const dataset of datasets) {
    signal.throwIfAborted();
    if (isEmpty(listingOf(listing, dataset))) {
      const error = await settleAbsent(recorderOptions(dataset, request));
      if (error !== undefined) failed.push({ dataset, error });
      continue;
    }
    try {
      await refuseWhereAlive(dataset, settings);
      jobs.push(await planJob(dataset, listing, request, engine));
    } catch (error) {
      signal.throwIfAborted();
      await recordUnbegun(recorderOptions(dataset, request), error);
      failed.push({ dataset, error });
    }
  }
  if (jobs.length + failed.length === 0) {
    const error = nothingFound(request);
    await recordAllUnbegun(request, error);
    throw error;
  }
  return { jobs, failed };
};

const planJob = async (
  dataset: DatasetId,
  listing: Listing,
  request: RunRequest,
  engine: Engine | undefined,
): Promise<FoundJob> => {
  const { inputs, settings, forget = [], allowedChecks, now } = request;
  const outputs = outputsIn(resolve(settings.outputs));
  const release = await takeLock(outputs.lock(dataset), now());
  try {
    await removeTemporaries(outputs, dataset, now());
    const { plan, asked } = await makePlan(dataset, listing, request);
    announce(plan, settings, request.log);
    selectedBy(plan, request.redo, asked);
    const given = { engine: engine?.name ?? 'nobody', now: now(), forget, allowedChecks };
    return await createJob({ plan, outputs, settings, inputs, ...given });
  } finally {
    await rm(outputs.scratch(dataset), { recursive: true, force: true }).catch(() => undefined);
    await release();
  }
};

/** Hands a job to its engine. That it does not take all of it is a night that could not begin, and told. */
export const submitJob = async (found: FoundJob, engine: Engine, request: RunRequest): Promise<void> => {
  try {
    await engine.submit(stepsOf(found), logsFolder(found.folder));
  } catch (error) {
    // Steps before the one that it refused would run, publish nothing, and keep the next job from being planned meanwhile.
    await cancelJob(found).catch(() => undefined);
    await recordUnbegun(recorderOptions(found.job.dataset, request), error);
    throw error;
  }
};

const refuseWhereAlive = async (dataset: DatasetId, settings: Settings): Promise<void> => {
  const last = await findLastJob(outputsIn(resolve(settings.outputs)), dataset);
  const engine = last === undefined ? undefined : findEngine(last.job.engine);
  if (last === undefined || engine === undefined) return;
  if (await isDone(last)) return;
  const alive = await engine.findAlive(namesOf(last.job));
  if (alive.length === 0) return;
  throw new RunError(
    `The job ${last.job.id} of ${dataset} is under way: fintext jobs status says how far; fintext jobs cancel ends it.`,
  );
};

/** Has it published? Its markers say so, whoever was given it. */
export const isDone = async ({ folder }: FoundJob): Promise<boolean> =>
  (await readMarkers(folder)).has(elementMarker('finalize', 0));

const namesOf = (job: Job): readonly string[] => STEPS.map((step) => stepName(job, step));

export interface StepState {
  readonly step: StepName;
  /** Tasks of the step; of `answer` shards, once they are cut. */
  readonly done: number;
  readonly all: number;
  readonly what: 'tasks' | 'shards';
  /** What the engine says of tasks that have not ended. */
  readonly alive: readonly Alive[];
}

export interface JobState {
  readonly id: string;
  readonly dataset: DatasetId;
  readonly engine: string;
  readonly folder: string;
  readonly created_at: string;
  /** `stalled`: not done, and the engine knows of no task that would go on. `waiting`: nobody can be asked. */
  readonly state: 'done' | 'under way' | 'stalled' | 'waiting';
  readonly steps: readonly StepState[];
}

/** How far a job is, by its markers; whether somebody goes on with it, by its engine, which is asked once. */
export const readJobState = async ({ folder, job }: FoundJob): Promise<JobState> => {
  const markers = await readMarkers(folder);
  const shards = await readShards(folder);
  const finished = markers.has(elementMarker('finalize', 0));
  const engine = findEngine(job.engine);
  const alive = finished ? [] : ((await engine?.findAlive(namesOf(job))) ?? []);
  const steps = STEPS.map((step): StepState => {
    const own = alive.filter(({ step: name }) => name === stepName(job, step));
    if (step === 'answer' && shards !== undefined) {
      return {
        step,
        done: shards.filter(({ file }) => markers.has(file)).length,
        all: shards.length,
        what: 'shards',
        alive: own,
      };
    }
    const all = elementsOf(job, step);
    const done = Array.from({ length: all }, (_, at) => elementMarker(step, at)).filter((name) => markers.has(name));
    return { step, done: done.length, all, what: 'tasks', alive: own };
  });
  const state = finished ? 'done' : engine === undefined ? 'waiting' : alive.length > 0 ? 'under way' : 'stalled';
  const { id, dataset, created_at } = job;
  return { id, dataset, engine: job.engine, folder, created_at, state, steps };
};

/** Ends what the engine still has of a job. What is made stays made. */
export const cancelJob = async ({ job }: FoundJob): Promise<void> => {
  const engine = findEngine(job.engine);
  if (engine === undefined)
    throw new RunError(`The job ${job.id} was given to ${job.engine}: end it where it was started.`);
  await engine.cancel(namesOf(job));
};
