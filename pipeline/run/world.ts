import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { DATASETS } from '../../data/catalog.js';
import type { ModelId } from '../../models/catalog.js';
import { openDatabase } from '../../src/database.js';
import { type HashFile, makeFolder } from '../../src/files.js';
import { findFingerprints } from '../../src/inference/fingerprints.js';
import { outputsIn } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import { countsFor, metricsOf } from '../4-aggregate/metrics.js';
import type { StageName } from '../document.js';
import type { RunEvent, StageReport } from '../events.js';
import { PIPELINE } from '../pipeline.js';
import type { RunName, UnitOutput, World } from '../stage.js';
import { waitForLock } from './lock.js';
import type { DatasetPlan } from './plan.js';
import { findLastMade } from './units.js';

export interface WorldOptions {
  readonly plan: Pick<DatasetPlan, 'dataset' | 'partitions' | 'documents' | 'rejects'>;
  readonly inputs: readonly string[];
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly log: (event: RunEvent) => void;
  readonly now: () => Date;
  readonly redoModels: readonly ModelId[];
  readonly redoDocuments?: ReadonlySet<string>;
  readonly allowedChecks: ReadonlyMap<string, string>;
  readonly run?: RunName;
  readonly reports: () => readonly StageReport[];
  readonly hash: HashFile;
  /** Where DuckDB spills; emptied now. Nobody else's: the caller holds the lock, or made it, and removes it at the end. */
  readonly scratch: string;
  /** As of the world's; nobody can take over where it is not given. */
  readonly confirmAlone?: World['confirmAlone'];
  /** What the attempts of this run have in common: a later one takes over the locks of an earlier one. */
  readonly attempts?: string | undefined;
}

/** What the stages of one dataset share in one run, and the outputs of the units that are fresh so far. */
export interface OpenWorld {
  readonly world: World;
  readonly setOutput: (stage: StageName, partition: string, output: UnitOutput) => void;
  readonly hasOutput: (stage: StageName, partition: string) => boolean;
  /** Files of the outputs that are known so far, by path, with their hashes. */
  readonly hashes: () => ReadonlyMap<string, string>;
  readonly close: () => void;
}

/** For what takes another run seconds, on a slow disk and with much else to do. */
const PATIENCE_MS = 30 * 60_000;

export const openWorld = async (options: WorldOptions): Promise<OpenWorld> => {
  const { plan, settings, scratch } = options;
  const dataset = DATASETS[plan.dataset];
  const outputs = outputsIn(resolve(settings.outputs));
  // What a killed run left there is of no use to anybody.
  await rm(scratch, { recursive: true, force: true });
  await makeFolder(scratch);
  const fingerprints = await findFingerprints(dataset.models, {
    modelsFolder: settings.models,
    device: settings.device,
    variant: settings.variant,
  });
  const database = await openDatabase({
    memoryMb: settings.databaseMb,
    temporaryFolder: scratch,
    // Each thread of DuckDB needs a part of the memory for itself, sorting most of all.
    threads: Math.max(1, Math.min(availableParallelism(), Math.floor(settings.databaseMb / 192))),
  });
  const made = new Map<string, UnitOutput>();
  return {
    world: {
      dataset,
      settings,
      metrics: metricsOf(dataset.id, settings),
      counts: countsFor(dataset.id, settings),
      outputs,
      database,
      log: options.log,
      signal: options.signal,
      now: options.now,
      hash: options.hash,
      alone: async (path, work) => {
        const release = await waitForLock(path, { ...options, patienceMs: PATIENCE_MS, work: options.attempts });
        try {
          return await work();
        } finally {
          await release();
        }
      },
      confirmAlone: options.confirmAlone ?? (() => Promise.resolve()),
      documents: (partition) => plan.documents.get(partition) ?? [],
      partitions: plan.partitions,
      inputs: options.inputs.map((input) => resolve(input)),
      fingerprints,
      stageVersions: Object.fromEntries(PIPELINE.map(({ name, version }) => [name, version])),
      listingRejects: plan.rejects,
      output: (stage, partition) => {
        const output = made.get(`${stage} ${partition}`);
        if (output === undefined) throw new Error(`The stage ${stage} has not run for ${partition}.`);
        return output;
      },
      lastMade: (stage, partition) => findLastMade(outputs.unit(dataset.id, stage, partition)),
      redoModels: options.redoModels,
      ...(options.redoDocuments !== undefined && { redoDocuments: options.redoDocuments }),
      allowedChecks: options.allowedChecks,
      ...(options.run !== undefined && { run: options.run }),
      reports: options.reports,
    },
    setOutput: (stage, partition, output) => {
      made.set(`${stage} ${partition}`, output);
    },
    hasOutput: (stage, partition) => made.has(`${stage} ${partition}`),
    hashes: () =>
      new Map(
        [...made.values()].flatMap(({ folder, files }) =>
          Object.entries(files).map(([name, sha256]) => [join(folder, name), sha256] as const),
        ),
      ),
    close: () => database.close(),
  };
};
