/** The two places where snapshots are published, for `fintext snapshots`: the outputs folder, and an object store. */
import { tmpdir } from 'node:os';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { findLeftovers, type Leftover, removeLeftovers } from '../../pipeline/run/leftovers.js';
import { takeLock } from '../../pipeline/run/lock.js';
import { findUnneededRaw, type RawFile, removeRaw } from '../../pipeline/run/unneeded.js';
import { openDatabase } from '../database.js';
import { RunError, UsageError } from '../errors.js';
import type { Outputs } from '../outputs.js';
import { downloadSnapshot } from '../snapshot/download.js';
import { readHistory, type Served } from '../snapshot/history.js';
import { type DeletedSnapshot, findOld, prune } from '../snapshot/prune.js';
import { type RollbackOptions, rollback } from '../snapshot/rollback.js';
import { findCurrent, type KeptSnapshot, listSnapshots, readPointer, verifySnapshot } from '../snapshot/snapshots.js';
import { getPointer, listStored, pointerKey, snapshotsKey, verifyStored } from '../snapshot/stored.js';
import { pruneStored, rollbackStored } from '../snapshot/stored-changes.js';
import type { ObjectStore } from '../store/object-store.js';
import { mendHere, mendInStore } from './mending.js';

export interface Place {
  /**
   * What helps where the current snapshot is damaged, or none is pointed to, in words. `whole`: those kept that are whole, as
   * far as is known, newest first.
   */
  readonly mend: (current: string | undefined, whole: readonly string[]) => Promise<string>;
  /** What helps where an older one is damaged. It was made of what was there then, and is not made again. */
  readonly mendOlder: (id: string) => string;
  /** The snapshot that is pointed to, or why none is, without a full stop. */
  readonly readPointer: () => Promise<{ readonly id: string } | { readonly fault: string }>;
  /** Oldest first. */
  readonly history: () => Promise<readonly Served[]>;
  readonly findCurrent: () => Promise<string | undefined>;
  /** Newest first. */
  readonly list: () => Promise<readonly KeptSnapshot[]>;
  /** What is wrong with a snapshot, one line a fault. */
  readonly verify: (id: string) => Promise<readonly string[]>;
  readonly rollback: (options: RollbackOptions) => Promise<string>;
  readonly prune: (options: PruneOptions) => Promise<Pruned>;
  /** A folder with a snapshot's manifest and these of its files, to be read only. `scratch`: where it may be made. */
  readonly bring: (id: string, files: readonly string[], scratch: string) => Promise<string>;
}

export interface PruneOptions {
  /** How many of the newest snapshots stay; the current one stays in any case. */
  readonly keep: number;
  readonly now: Date;
  readonly mode: 'look' | 'delete';
}

export interface Pruned {
  readonly snapshots: readonly DeletedSnapshot[];
  readonly leftovers: readonly (Pick<Leftover, 'path' | 'bytes'> & { readonly what: Leftover['what'] | 'upload' })[];
  /** Raw files; `not known` where another dataset is being run, which may need any. A store has none. */
  readonly raw: readonly RawFile[] | 'not known';
}

export const placeHere = (outputs: Outputs, dataset: DatasetId, now: () => Date): Place => ({
  mend: (current, whole) => mendHere(outputs, { dataset, current, whole }),
  mendOlder: (id) =>
    `${id} is not served, and no rebuild makes an older one again: bring its files back from a copy, or delete ${outputs.snapshot(dataset, id)}`,
  readPointer: () => readPointer(outputs, dataset),
  history: () => readHistory(outputs, dataset),
  findCurrent: () => findCurrent(outputs, dataset),
  list: () => listSnapshots(outputs, dataset),
  verify: (id) => verifySnapshot(outputs, dataset, id),
  rollback: (options) => alone(outputs, dataset, now(), () => rollback(outputs, dataset, options)),
  prune: (options) => alone(outputs, dataset, options.now, () => pruneHere(outputs, dataset, options)),
  bring: async (id) => outputs.snapshot(dataset, id),
});

/** Under the dataset's lock: a run that publishes meanwhile and this would each undo what the other relies on. */
const alone = async <T>(outputs: Outputs, dataset: DatasetId, now: Date, work: () => Promise<T>): Promise<T> => {
  const release = await takeLock(outputs.lock(dataset), now);
  try {
    return await work();
  } finally {
    await release();
  }
};

/** What is found is found before anything is deleted: a snapshot that cannot be read stops all of it. */
const pruneHere = async (outputs: Outputs, dataset: DatasetId, { keep, now, mode }: PruneOptions): Promise<Pruned> => {
  const snapshots = await findOld(outputs, dataset, keep);
  const leftovers = await findLeftovers(outputs, dataset, now);
  const going = { [dataset]: snapshots.map(({ id }) => id) };
  const raw = await withOthersLocked(outputs, dataset, now, async () => {
    const database = await openDatabase({ memoryMb: 128, temporaryFolder: tmpdir(), threads: 1 });
    try {
      const found = await findUnneededRaw(outputs, database, going);
      // Before the snapshots: killed in between, what is left of both is found again.
      if (mode === 'delete') await removeRaw(found);
      return found;
    } finally {
      database.close();
    }
  });
  if (mode === 'delete') {
    await prune(outputs, dataset, keep);
    await removeLeftovers(outputs, dataset, now);
  }
  return { snapshots, leftovers, raw };
};

/** Raw files are kept for all datasets: what another one needs is not known while it is run. */
const withOthersLocked = async <T>(
  outputs: Outputs,
  dataset: DatasetId,
  now: Date,
  work: () => Promise<T>,
): Promise<T | 'not known'> => {
  const releases: (() => Promise<void>)[] = [];
  try {
    for (const other of DATASET_IDS.filter((id) => id !== dataset)) {
      const release = await takeLock(outputs.lock(other), now).catch((error: unknown) => {
        if (error instanceof RunError) return undefined;
        throw error;
      });
      if (release === undefined) return 'not known';
      releases.push(release);
    }
    return await work();
  } finally {
    for (const release of releases) await release();
  }
};

/** There is no lock in a store: what is written there is written on conditions. */
export const placeInStore = (
  store: ObjectStore,
  dataset: DatasetId,
  { outputs, signal }: { readonly outputs: Outputs; readonly signal: AbortSignal },
): Place => {
  const history = async (): Promise<readonly Served[]> => (await getPointer(store, dataset, signal)).history;
  return {
    mend: async (current, whole) => mendInStore(store, outputs, await history(), { dataset, current, whole }),
    mendOlder: (id) =>
      `${id} is not served, and no rebuild makes an older one again: bring its objects back from a copy, or delete all of ${store.address}/${snapshotsKey(dataset)}${id}/`,
    readPointer: async () => {
      const id = (await history()).at(-1)?.snapshot;
      return id === undefined ? { fault: `${store.address}/${pointerKey(dataset)} names no snapshot` } : { id };
    },
    history,
    findCurrent: async () => (await history()).at(-1)?.snapshot,
    list: () => listStored(store, dataset, signal),
    verify: (id) => verifyStored(store, dataset, id, signal),
    rollback: (options) => rollbackStored(store, dataset, { ...options, signal }),
    prune: async ({ keep, now, mode }) => {
      if (mode === 'look') throw new UsageError('--dry-run is for snapshots of the outputs folder, not of a store.');
      return { ...(await pruneStored(store, dataset, { keep, now, signal })), raw: [] };
    },
    bring: async (id, files, scratch) => {
      const folder = `${scratch}/${id}`;
      const brought = await downloadSnapshot({ store, dataset, id, folder, files, signal });
      if (brought.state === 'whole') return folder;
      throw new RunError(`Snapshot ${id} in ${store.address} is damaged: ${brought.faults.join('; ')}.`);
    },
  };
};
