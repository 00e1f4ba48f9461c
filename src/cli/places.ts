/** The two places where snapshots are published, for `fintext snapshots`: the outputs folder, and an object store. */
import type { DatasetId } from '../../data/catalog.js';
import { type Leftover, removeLeftovers } from '../../pipeline/run/leftovers.js';
import { takeLock } from '../../pipeline/run/lock.js';
import { RunError } from '../errors.js';
import type { Outputs } from '../outputs.js';
import { downloadSnapshot } from '../snapshot/download.js';
import { readHistory, type Served } from '../snapshot/history.js';
import { type RollbackOptions, rollback } from '../snapshot/rollback.js';
import {
  type DeletedSnapshot,
  findCurrent,
  type KeptSnapshot,
  listSnapshots,
  prune,
  verifySnapshot,
} from '../snapshot/snapshots.js';
import { getPointer, listStored, verifyStored } from '../snapshot/stored.js';
import { pruneStored, rollbackStored } from '../snapshot/stored-changes.js';
import type { ObjectStore } from '../store/object-store.js';

export interface Place {
  /** How a damaged snapshot is made whole, in words. */
  readonly repair: string;
  /** Oldest first. */
  readonly history: () => Promise<readonly Served[]>;
  readonly findCurrent: () => Promise<string | undefined>;
  /** Newest first. */
  readonly list: () => Promise<readonly KeptSnapshot[]>;
  /** What is wrong with a snapshot, one line a fault. */
  readonly verify: (id: string) => Promise<readonly string[]>;
  readonly rollback: (options: RollbackOptions) => Promise<string>;
  readonly prune: (keep: number, now: Date) => Promise<Pruned>;
  /** A folder with a snapshot's manifest and these of its files, to be read only. `scratch`: where it may be made. */
  readonly bring: (id: string, files: readonly string[], scratch: string) => Promise<string>;
}

export interface Pruned {
  readonly snapshots: readonly DeletedSnapshot[];
  readonly leftovers: readonly (Pick<Leftover, 'path' | 'bytes'> & { readonly what: Leftover['what'] | 'upload' })[];
}

export const placeHere = (outputs: Outputs, dataset: DatasetId, now: () => Date): Place => ({
  repair: 'fintext rebuild publishes again',
  history: () => readHistory(outputs, dataset),
  findCurrent: () => findCurrent(outputs, dataset),
  list: () => listSnapshots(outputs, dataset),
  verify: (id) => verifySnapshot(outputs, dataset, id),
  rollback: (options) => alone(outputs, dataset, now(), () => rollback(outputs, dataset, options)),
  prune: (keep, at) =>
    alone(outputs, dataset, at, async () => ({
      snapshots: await prune(outputs, dataset, keep),
      leftovers: await removeLeftovers(outputs, dataset, at),
    })),
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

/** There is no lock in a store: what is written there is written on conditions. */
export const placeInStore = (store: ObjectStore, dataset: DatasetId, signal: AbortSignal): Place => {
  const history = async (): Promise<readonly Served[]> => (await getPointer(store, dataset, signal)).history;
  return {
    repair: `Delete the damaged object, and fintext rebuild --publish ${store.address} puts it there again`,
    history,
    findCurrent: async () => (await history()).at(-1)?.snapshot,
    list: () => listStored(store, dataset, signal),
    verify: (id) => verifyStored(store, dataset, id, signal),
    rollback: (options) => rollbackStored(store, dataset, { ...options, signal }),
    prune: (keep, now) => pruneStored(store, dataset, { keep, now, signal }),
    bring: async (id, files, scratch) => {
      const folder = `${scratch}/${id}`;
      const brought = await downloadSnapshot({ store, dataset, id, folder, files, signal });
      if (brought.state === 'whole') return folder;
      throw new RunError(`Snapshot ${id} in ${store.address} is damaged: ${brought.faults.join('; ')}.`);
    },
  };
};
