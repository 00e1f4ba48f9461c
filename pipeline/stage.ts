/**
 * The Stage contract. A stage is a pure function of declared ingredients: it names them, and its results lie in the
 * folder of its unit until one of them changes. A stage knows no other stage and no way of running.
 */
import type { Dataset, DatasetId } from '../data/catalog.js';
import type { ModelId } from '../models/catalog.js';
import type { Database } from '../src/database.js';
import type { HashFile } from '../src/files.js';
import type { Count, Metric } from '../src/formula.js';
import type { ModelFingerprint } from '../src/inference/fingerprints.js';
import type { Outputs } from '../src/outputs.js';
import type { Settings } from '../src/settings.js';
import type { Reject, StageName } from './document.js';
import type { RunEvent, StageReport } from './events.js';

/** What a result depends on, by name: `status --why` shows the name that changed. */
export type Ingredients = Readonly<Record<string, string>>;

/** A source document with the hash of its file, as the plan found it. */
export interface PlannedDocument {
  readonly dataset: DatasetId;
  readonly documentId: string;
  readonly partition: string;
  readonly dimensions: Readonly<Record<string, string | number | null>>;
  readonly title: string | null;
  readonly sourceUrl: string | null;
  readonly file: string;
  /** From its input folder; or the address that it was fetched from. */
  readonly path: string;
  /** A name whose ending tells the format, where `path` has none that can be relied on. */
  readonly fileName?: string;
  /** sha256 of the file; null where it could not be read, which ingest then reports. */
  readonly fileSha256: string | null;
  /** What the source says that cannot be so, and what was made of it. */
  readonly notes?: readonly string[];
  readonly bytes: number;
}

/** What an earlier stage left for a partition: its files, and the hashes that stand for them. */
export interface UnitOutput {
  readonly folder: string;
  /** File name to sha256. */
  readonly files: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
}

/** What a stage made of a partition when it last did, whatever it was made of: its files are still what was written. */
export interface LastMade {
  readonly ingredients: Ingredients;
  readonly output: UnitOutput;
}

export interface RunName {
  readonly id: string;
  /** `rebuild`, `reprocess`. */
  readonly job: string;
}

export type Alone = <T>(path: string, work: () => Promise<T>) => Promise<T>;

/** Everything a stage may touch, passed in: no clock, chance, environment or global state of its own. */
export interface World {
  readonly dataset: Dataset;
  readonly settings: Settings;
  /** The formulas of the dataset, and every count that is stored for it. */
  readonly metrics: readonly Metric[];
  readonly counts: readonly Count[];
  readonly outputs: Outputs;
  readonly database: Database;
  readonly log: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Does some work while no other run, of whatever dataset, does any under this path; for work that takes seconds. */
  readonly alone: Alone;
  /** For right before what only one run may do: throws where this one slept for so long that another took over. */
  readonly confirmAlone: () => Promise<void>;
  /** The hash of a file that lay there before this run: by its look, where that is remembered, else of its content. */
  readonly hash: HashFile;
  /** Documents of a partition, in a stable order. */
  readonly documents: (partition: string) => readonly PlannedDocument[];
  /** Every partition of the dataset, sorted. */
  readonly partitions: readonly string[];
  /** Input folders, as absolute paths. */
  readonly inputs: readonly string[];
  /** Who answers: a model's fingerprint is a hash of its package's files and its output. In the dataset's order. */
  readonly fingerprints: readonly ModelFingerprint[];
  readonly stageVersions: Readonly<Record<string, string>>;
  /** What could not even be listed. */
  readonly listingRejects: readonly Reject[];
  /** What an earlier stage made; throws when it has not run. */
  readonly output: (stage: StageName, partition: string) => UnitOutput;
  /** What there is of it until it is made again; undefined where it was never made, or is damaged. Reads its files. */
  readonly lastMade: (stage: StageName, partition: string) => Promise<LastMade | undefined>;
  /** Models whose predictions are to be made again for the stale partitions, whatever the prediction store holds. */
  readonly redoModels: readonly ModelId[];
  /** Those documents alone of the stale partitions, where it was so asked. */
  readonly redoDocuments?: ReadonlySet<string>;
  /** Checks that may fail in this run without keeping it from being published, and why. */
  readonly allowedChecks: ReadonlyMap<string, string>;
  /** What this run is called in its record, where one is kept. */
  readonly run?: RunName;
  /** What the stages before this one did in this run, for the report. */
  readonly reports: () => readonly StageReport[];
}

export interface UnitResult {
  /** File names below the unit's folder, written whole. */
  readonly files: readonly string[];
  /** sha256 of some of them, where it is known already. */
  readonly hashes?: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
  /** Why the next run is to make it again although nothing changed: it lacks what may be had by then. */
  readonly again?: string;
}

/** A stage that has opened what it needs (a model, child processes) for a number of stale partitions. */
export interface OpenStage {
  /** Makes one partition's results in `folder`, which is empty. */
  readonly run: (partition: string, folder: string) => Promise<UnitResult>;
  /** How many partitions may run at a time. */
  readonly concurrency: number;
  readonly close: () => Promise<{
    readonly amounts?: Readonly<Record<string, number>>;
    readonly facts?: Readonly<Record<string, string>>;
  }>;
}

/** A piece of what a stage does as it opens, in a file: any process may make it at any time, and make it again. */
export interface Shard {
  /** A name below the folder of the shards. */
  readonly file: string;
  /** Shards of one kind need the same things opened (a model package). */
  readonly kind: string;
  /** How much there is in it, as its stage counts. */
  readonly amount: number;
}

/** How the work of opening a stage is shared between processes, on this machine or on many. */
export interface Spread {
  /**
   * Cuts what is missing for these partitions into shards of about equal cost, `pieces` of them where there is enough, and
   * writes them into `folder`. Those of one kind follow one another. Nothing missing: no shards.
   */
  readonly cut: (
    partitions: readonly string[],
    world: World,
    into: { readonly folder: string; readonly pieces: number },
  ) => Promise<readonly Shard[]>;
  /** Makes shards in their order, telling each that is kept. What a shard gives is the same, made once or often. */
  readonly make: (
    shards: readonly Shard[],
    world: World,
    from: { readonly folder: string; readonly onMade: (shard: Shard) => Promise<void> },
  ) => Promise<void>;
}

export interface Stage {
  readonly name: StageName;
  /** Raised by whoever changes what the stage makes of the same input. */
  readonly version: string;
  /** `dataset`: one unit for all partitions, named `all`. */
  readonly scope: 'partition' | 'dataset';
  readonly about: string;
  readonly ingredients: (partition: string, world: World) => Promise<Ingredients>;
  /** What is wrong with what a fresh unit left outside its folder: then it is made again. */
  readonly findFault?: (partition: string, world: World) => Promise<string | undefined>;
  readonly open: (partitions: readonly string[], world: World) => Promise<OpenStage>;
  /** Where opening is most of the work: what was spread and made before, opening finds done. */
  readonly spread?: Spread;
}

/** The stage itself as an ingredient of what it makes. */
export const stageIngredient = ({ name, version }: Pick<Stage, 'name' | 'version'>): Ingredients => ({
  stage: `${name} version ${version}`,
});

/** The partition of a stage whose scope is the dataset. */
export const WHOLE = 'all';
