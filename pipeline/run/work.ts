/** One task of a job, on whatever machine: does what is not marked as done, and marks it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf, messageOf, PassingError, RunError, UsageError } from '../../src/errors.js';
import { hashFile, makeFolder, temporaryBeside } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import { findSystemFault } from '../../src/system-faults.js';
import { FolderError } from '../1-ingest/sources/folders.js';
import type { RunEvent } from '../events.js';
import { PIPELINE } from '../pipeline.js';
import type { Stage } from '../stage.js';
import { local } from './executors/local.js';
import {
  elementMarker,
  elementsOf,
  type FoundJob,
  listShards,
  mark,
  readMarkers,
  readParts,
  readShards,
  STEPS,
  type StepName,
  shardsFolder,
} from './job.js';
import { takeLock } from './lock.js';
import type { DatasetPlan } from './plan.js';
import { type RunResult, run } from './run.js';
import { checkUnits, runStage } from './stages.js';
import { type OpenWorld, openWorld } from './world.js';

export interface WorkRequest {
  readonly found: FoundJob;
  /** Those of the job. */
  readonly settings: Settings;
  readonly step: StepName;
  readonly element: number;
  /** What all attempts of this task have in common, where an engine may begin one while another is not known to be over. */
  readonly attempts?: string;
  /** Seconds to wait for the step before, where the engine does not see to the order; 0 where it does. */
  readonly wait: number;
  readonly signal: AbortSignal;
  readonly log: (event: RunEvent) => void;
  readonly now: () => Date;
  readonly random: () => number;
}

/**
 * Does one task of a step. Any number of processes may do any tasks at any time, the same one too: units and parts of the
 * prediction store are put in place whole, and are the same whoever makes them.
 *
 * @returns what finalizing published; undefined of the other steps
 * @throws PassingError where a later attempt may succeed
 */
export const work = async (request: WorkRequest): Promise<RunResult | undefined> => {
  const { found, step, element, signal } = request;
  if (!(element < elementsOf(found.job, step))) {
    throw new UsageError(`The step ${step} has the elements 0 to ${elementsOf(found.job, step) - 1}; not ${element}.`);
  }
  if ((await readMarkers(found.folder)).has(elementMarker(step, element))) return undefined;
  try {
    await waitForStepBefore(request);
    const began = request.now().getTime();
    const { result, ...facts } = await ACTS[step](request);
    const seconds = (request.now().getTime() - began) / 1000;
    await mark(found.folder, elementMarker(step, element), { ...facts, host: hostname(), seconds });
    return result;
  } catch (error) {
    if (signal.aborted) throw new PassingError(messageOf(signal.reason), { cause: error });
    if (isPassing(error)) throw new PassingError(messageOf(error), { cause: error });
    throw error;
  }
};

interface Done {
  readonly result?: RunResult;
  readonly amounts?: Readonly<Record<string, number>>;
}

/** Faults of a machine or of the network between it and the shared folder; a file that another process replaced just then. */
const PASSING = ['ESTALE', 'ETIMEDOUT', 'EAGAIN', 'EBUSY', 'ENFILE', 'ECONNRESET', 'ENOENT'];

/** Is it worth another attempt, on this machine or on another one? */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof UsageError) return false;
  if (error instanceof FolderError) return isPassing(error.cause);
  const code = codeOf(error);
  return (
    (code !== undefined && PASSING.includes(code)) || ['EIO', 'ENOMEM', 'EMFILE'].includes(findSystemFault(error) ?? '')
  );
};

const PAUSE_MS = 2000;

const waitForStepBefore = async ({ found, step, wait, signal, now }: WorkRequest): Promise<void> => {
  const before = STEPS[STEPS.indexOf(step) - 1];
  if (before === undefined) return;
  const needed = Array.from({ length: elementsOf(found.job, before) }, (_, at) => elementMarker(before, at));
  const until = now().getTime() + wait * 1000;
  for (;;) {
    const markers = await readMarkers(found.folder);
    const missing = needed.filter((name) => !markers.has(name));
    if (missing.length === 0) return;
    if (now().getTime() >= until) {
      throw new PassingError(
        `The step ${before} is not done: ${missing.length} of ${needed.length} elements are missing.`,
      );
    }
    await setTimeout(PAUSE_MS, undefined, { signal });
  }
};

/** The stage whose opening is spread, and those before it. */
const SPREADING = PIPELINE.findIndex(({ spread }) => spread !== undefined);
const BEFORE = PIPELINE.slice(0, SPREADING);

const getSpreading = (): Stage & Required<Pick<Stage, 'spread'>> => {
  const stage = PIPELINE[SPREADING];
  if (stage?.spread === undefined) throw new RunError('No stage of the pipeline can be spread.');
  return { ...stage, spread: stage.spread };
};

const ACTS: Readonly<Record<StepName, (request: WorkRequest) => Promise<Done>>> = {
  read: async (request) => {
    const plan = await readParts(request.found, [request.element]);
    const reports = await withWorld(plan, request, (opened) => runBefore(opened));
    return { amounts: Object.assign({}, ...reports.map(({ amounts }) => amounts)) as Record<string, number> };
  },

  cut: async (request) => {
    const { found, settings, now, attempts } = request;
    if ((await readShards(found.folder)) !== undefined) return {};
    const outputs = outputsIn(settings.outputs);
    const plan = await readParts(found);
    // Nobody joins or drops parts of the prediction store meanwhile.
    const release = await takeLock(outputs.lock(found.job.dataset), now(), workOf(found, attempts));
    const into = temporaryBeside(shardsFolder(found.folder));
    try {
      await makeFolder(into);
      const shards = await withWorld(plan, request, async (opened) => {
        await runBefore(opened);
        const { spread, ...stage } = getSpreading();
        const units = await checkUnits(stage, opened.world, opened.world.partitions, new Set());
        const stale = units.flatMap(({ partition, freshness }) => (freshness.state === 'stale' ? [partition] : []));
        return spread.cut(stale, opened.world, { folder: into, pieces: found.job.elements.answer * SHARDS_A_TASK });
      });
      await listShards(found.folder, into, shards);
      return { amounts: { shards: shards.length, texts: shards.reduce((sum, { amount }) => sum + amount, 0) } };
    } finally {
      await rm(into, { recursive: true, force: true });
      await release();
    }
  },

  answer: async (request) => {
    const { found, element, log } = request;
    const all = await readShards(found.folder);
    if (all === undefined) throw new PassingError('The shards are not cut yet.');
    const markers = await readMarkers(found.folder);
    const own = all.filter((_, at) => at % found.job.elements.answer === element);
    const shards = own.filter(({ file }) => !markers.has(file));
    const total = own.reduce((sum, { amount }) => sum + amount, 0);
    let done = total - shards.reduce((sum, { amount }) => sum + amount, 0);
    await withWorld({ partitions: [], documents: new Map() }, request, async ({ world }) => {
      const { name, spread } = getSpreading();
      await spread.make(shards, world, {
        folder: shardsFolder(found.folder),
        onMade: async ({ file, amount }) => {
          await mark(found.folder, file, { element, host: hostname() });
          done += amount;
          log({ type: 'progress', dataset: found.job.dataset, stage: name, what: 'texts', done, total });
        },
      });
    });
    return { amounts: { shards: own.length, texts: total } };
  },

  finalize: async ({ found, settings, signal, log, now, random, attempts }) => {
    const { job } = found;
    const result = await run({
      datasets: [job.dataset],
      inputs: job.inputs,
      settings,
      signal,
      log,
      now,
      random,
      forget: job.forget,
      redo: { what: 'nothing' },
      allowedChecks: new Map(job.allowed),
      ...(attempts !== undefined && { attempts: workOf(found, attempts) }),
    });
    for (const { error } of result.failed) throw error;
    // Texts that are classified are of no more use.
    await rm(shardsFolder(found.folder), { recursive: true, force: true });
    return { result };
  },
};

/** An engine that lost its state gives its numbers again; a job’s id is given once. */
const workOf = <T extends string | undefined>({ job }: FoundJob, attempts: T): T | string =>
  attempts === undefined ? attempts : `${job.id} ${attempts}`;

/** Shards for each task, so that little is lost with a machine, and none has much more to do than another. */
const SHARDS_A_TASK = 8;

const runBefore = async (opened: OpenWorld) => {
  const reports = [];
  for (const stage of BEFORE) reports.push(await runStage(stage, opened, local, new Set()));
  return reports;
};

const withWorld = async <T>(
  plan: Pick<DatasetPlan, 'partitions' | 'documents'>,
  { found, settings, signal, log, now }: WorkRequest,
  act: (opened: OpenWorld) => Promise<T>,
): Promise<T> => {
  // On the machine's own disk.
  const scratch = await mkdtemp(join(tmpdir(), 'fintext-'));
  const opened = await openWorld({
    plan: { ...plan, dataset: found.job.dataset, rejects: [] },
    inputs: found.job.inputs,
    settings,
    signal,
    log,
    now,
    hash: hashFile,
    redoModels: [],
    allowedChecks: new Map(),
    reports: () => [],
    scratch,
  });
  try {
    return await act(opened);
  } finally {
    opened.close();
    await rm(scratch, { recursive: true, force: true });
  }
};
