/** A run: plan, then for each dataset the five stages in order, each for its stale units alone. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { messageOf, UsageError } from '../../src/errors.js';
import { outputsIn } from '../../src/outputs.js';
import { findRepeated, type Settings } from '../../src/settings.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { ChangedFileError } from '../1-ingest/read-document.js';
import { removeFailedReport } from '../5-publish/report/failed-report.js';
import type { Kept, RunEvent, StageReport } from '../events.js';
import { PIPELINE } from '../pipeline.js';
import { getExecutor } from './executors/index.js';
import { checkForget, forgetDocuments } from './forget.js';
import { countKept } from './kept.js';
import { removeTemporaries } from './leftovers.js';
import { isEmpty, type Listing, listingOf, readListing } from './listing.js';
import { type Held, takeLock } from './lock.js';
import { type Looks, openLooks } from './looks.js';
import { announce, countDocuments, listedEvent, makePlan } from './make-plan.js';
import type { DatasetPlan } from './plan.js';
import { publishElsewhere } from './publish-elsewhere.js';
import { measureSnapshot } from './records/measure.js';
import { openRecorder, type Recorder, type RecorderOptions } from './records/recorder.js';
import { recordUnbegun } from './records/unbegun.js';
import { forcedUnits, modelsToRedo, type Redo, selectedBy } from './redo.js';
import { rememberDocuments } from './remember.js';
import { runStage } from './stages.js';
import { settleAbsent } from './vanished.js';
import { type OpenWorld, openWorld } from './world.js';

export interface RunRequest {
  readonly datasets: readonly DatasetId[];
  readonly inputs: readonly string[];
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly log: (event: RunEvent) => void;
  readonly now: () => Date;
  /** From 0 up to 1, for the waits between attempts. */
  readonly random: () => number;
  /** Ids of documents that are gone from their folders and are not to stay. */
  readonly forget?: readonly string[];
  readonly redo: Redo;
  /** Checks that may fail in this run, and why. */
  readonly allowedChecks: ReadonlyMap<string, string>;
  /** Where an engine may start it again on another machine: what its attempts have in common. */
  readonly attempts?: string;
}

export interface DatasetRun {
  readonly dataset: DatasetId;
  readonly documents: number;
  /** Of the documents, those that were not found and stay as they were last read. */
  readonly kept: Kept;
  readonly partitions: number;
  /** Partitions that a reprocess asked for. */
  readonly selected: number;
  readonly reports: readonly StageReport[];
  readonly seconds: number;
}

/** A dataset that could not be published, and why. The others go on. */
export interface FailedDataset {
  readonly dataset: DatasetId;
  readonly error: unknown;
}

export interface RunResult {
  readonly runs: readonly DatasetRun[];
  readonly failed: readonly FailedDataset[];
}

/**
 * Makes everything that is not fresh, and publishes. Safe to kill and to run again: a unit counts only once its marker is
 * written, and the pointer moves last. A dataset that fails does not keep the next one from being published.
 *
 * @throws UsageError where an input folder cannot be used or holds nothing that was asked for
 */
export const run = async (request: RunRequest): Promise<RunResult> => {
  const { datasets, inputs, signal, log } = request;
  getExecutor(request.settings.executor);
  log({ type: 'run-started', datasets, inputs });
  const outputs = outputsIn(resolve(request.settings.outputs));
  const listing = await readListing(inputs, signal).catch(async (error: unknown) => {
    await recordAllUnbegun(request, error);
    throw error;
  });
  await checkForget({ outputs, datasets, listing, forget: request.forget ?? [] }).catch((error: unknown) => {
    // An attempt before may have forgotten it; where there was none, a wrong id is not to pass without a word.
    if (request.attempts === undefined || !(error instanceof UsageError)) throw error;
    log({ type: 'note', dataset: null, message: `${messageOf(error)} An attempt before may have forgotten it.` });
  });
  const runs: DatasetRun[] = [];
  const failed: FailedDataset[] = [];
  const waiting = new Map<DatasetId, Held>();
  try {
    // All locks before anything is made: of two runs started one after the other each would take one, and fail the other.
    for (const dataset of datasets) {
      signal.throwIfAborted();
      if (isEmpty(listingOf(listing, dataset))) {
        const error = await settleAbsent(recorderOptions(dataset, request));
        if (error !== undefined) failed.push({ dataset, error });
        continue;
      }
      try {
        waiting.set(dataset, await lockOrRecord(recorderOptions(dataset, request), request));
      } catch (error) {
        failed.push({ dataset, error });
      }
    }
    for (const [dataset, release] of [...waiting]) {
      signal.throwIfAborted();
      waiting.delete(dataset);
      try {
        runs.push(await runDataset(dataset, listing, request, release));
      } catch (error) {
        signal.throwIfAborted();
        failed.push({ dataset, error });
      }
    }
  } finally {
    for (const release of waiting.values()) await release();
  }
  if (runs.length + failed.length === 0) {
    const error = nothingFound(request);
    await recordAllUnbegun(request, error);
    throw error;
  }
  return { runs, failed };
};

/** A night that could not begin is a failed night, the very first one too. */
export const recordAllUnbegun = async (request: RunRequest, error: unknown): Promise<void> => {
  if (request.signal.aborted || request.redo.what === 'selection') return;
  for (const dataset of request.datasets) await recordUnbegun(recorderOptions(dataset, request), error);
};

export const recorderOptions = (
  dataset: DatasetId,
  { inputs, settings, now, log, redo }: RunRequest,
): RecorderOptions => ({
  outputs: outputsIn(resolve(settings.outputs)),
  settings,
  dataset,
  job: redo.what === 'selection' ? 'reprocess' : 'rebuild',
  // An empty name is no folder: it would be the one that the process stands in.
  inputs: inputs.filter((input) => input.trim() !== '').map((input) => resolve(input)),
  repeated: findRepeated(settings),
  now,
  log,
});

export const nothingFound = ({ datasets, inputs }: Pick<RunRequest, 'datasets' | 'inputs'>): UsageError =>
  new UsageError(`No document of ${datasets.join(' or ')} was found in ${inputs.join(', ')}.`);

/** @param release gives back the dataset's lock, which the caller has taken; done at the end, however that comes */
const runDataset = async (
  dataset: DatasetId,
  listing: Listing,
  request: RunRequest,
  release: Held,
): Promise<DatasetRun> => {
  const { inputs, settings, log, now, redo, forget = [] } = request;
  const options = recorderOptions(dataset, request);
  const { outputs } = options;
  const scratch = outputs.scratch(dataset);
  const signal = AbortSignal.any([request.signal, release.lost]);
  const began = now().getTime();
  const reports: StageReport[] = [];
  const executor = getExecutor(settings.executor);
  // Whoever asks for a part that is not there has slipped, which is no failed run: that is recorded once it is known.
  let recorder: Recorder | undefined = redo.what === 'selection' ? undefined : await openRecorder(options);
  try {
    await removeTemporaries(outputs, dataset, now());
    const trust = redo.what === 'everything' ? 'nothing' : 'all but some';
    const looks = await openLooks({ outputs, dataset, began: new Date(began), trust });
    const { plan, asked } = await makePlan(dataset, listing, { ...request, signal }, looks.hash);
    const tell = (event: RunEvent): void => {
      recorder?.tell(event);
      log(event);
    };
    announce(plan, settings, tell);
    const selected = selectedBy(plan, redo, asked);
    recorder ??= await openRecorder(options);
    recorder.tell(listedEvent(plan, settings));
    const opened = await openWorld({
      plan,
      inputs,
      settings,
      signal,
      log: tell,
      hash: looks.hash,
      now,
      redoModels: modelsToRedo(plan, redo),
      ...(redo.what === 'selection' && { redoDocuments: asked }),
      allowedChecks: request.allowedChecks,
      run: { id: recorder.id, job: options.job },
      reports: () => reports,
      confirmAlone: release.confirm,
      scratch,
      attempts: request.attempts,
    });
    try {
      for (const stage of PIPELINE) {
        signal.throwIfAborted();
        // Whoever has taken over publishes; of what is published a process that slept changes nothing.
        await release.confirm();
        reports.push(await runStage(stage, opened, executor, forcedUnits(stage, redo, selected)));
        if (stage.name === 'ingest') await rememberDocuments({ plan, world: opened.world, scratch });
        await recorder.save();
      }
      await removeFailedReport(outputs, dataset).catch((error: unknown) => {
        log({
          type: 'note',
          dataset,
          message: `Could not remove the report of what was not published: ${messageOf(error)}`,
        });
      });
      await rememberLooks(plan, opened, looks).catch((error: unknown) => {
        // Without it the next run, and `status`, read what they need not.
        const message = `Could not remember what the files look like: ${messageOf(error)}`;
        log({ type: 'note', dataset, message });
      });
      await publishElsewhere({ outputs, settings, dataset, now, random: request.random, signal, log: tell });
      // Last: as long as something is left to do, the same command is to be run again, and must find what it asks for.
      await forgetDocuments(dataset, { outputs, listing, forget });
      await recorder.succeed(await measureSnapshot(opened.world, recorder.before));
    } finally {
      opened.close();
    }
    return {
      dataset,
      documents: countDocuments(plan),
      kept: countKept(plan, settings),
      partitions: plan.partitions.length,
      selected: selected.length,
      reports,
      seconds: (now().getTime() - began) / 1000,
    };
  } catch (error) {
    // The record is that of whoever has taken over, which says of this run that it died.
    await release.confirm().catch(() => undefined);
    release.lost.throwIfAborted();
    // Its hash may be one that was only remembered: the next run reads all files.
    if (error instanceof ChangedFileError) await rm(outputs.looks(dataset), { force: true }).catch(() => undefined);
    await recorder?.fail(error, signal.aborted ? 'stopped' : 'failed');
    throw error;
  } finally {
    // What stays of it is removed by the next run; the lock must not stay.
    if (!release.lost.aborted) await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
    await release();
  }
};

/** A night that could not begin because another run is under way is told, too. */
export const lockOrRecord = async (
  options: RecorderOptions,
  { redo, attempts }: Pick<RunRequest, 'redo' | 'attempts'>,
): Promise<Held> => {
  try {
    return await takeLock(options.outputs.lock(options.dataset), options.now(), attempts);
  } catch (error) {
    if (redo.what !== 'selection') await recordUnbegun(options, error);
    throw error;
  }
};

/** What was hashed, and what this run wrote: raw files, what the stages made, and what is published. */
const rememberLooks = async (plan: DatasetPlan, { world, hashes }: OpenWorld, looks: Looks): Promise<void> => {
  const { outputs, dataset } = world;
  const made = new Map(hashes());
  for (const { file, fileSha256 } of [...plan.documents.values()].flat()) {
    if (fileSha256 !== null) made.set(file, fileSha256);
  }
  const current = await findCurrent(outputs, dataset.id);
  if (current !== undefined) {
    const folder = outputs.snapshot(dataset.id, current);
    for (const [name, { sha256 }] of Object.entries((await readManifest(folder)).files)) {
      made.set(join(folder, name), sha256);
    }
  }
  await looks.save(made);
};
