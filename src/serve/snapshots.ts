/** The snapshots that are served, of every dataset: looks at the pointers about once a second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { type Budget, createBudget } from './budget.js';
import { type DatasetState, type Followed, type FollowOptions, followDataset, type Pin } from './follow.js';
import type { OpenSnapshot } from './open-snapshot.js';

export interface SnapshotsOptions extends Omit<FollowOptions, 'openings'> {
  readonly openings?: Budget | undefined;
  /** Milliseconds between looks at the pointers. */
  readonly pollMs?: number | undefined;
}

export interface Snapshots {
  /**
   * Lets `read` have a snapshot, which stays open until it is done.
   *
   * @throws HttpError 404 where the one asked for is not kept, 503 where nothing is published
   */
  readonly use: <T>(dataset: DatasetId, pin: Pin, read: (snapshot: OpenSnapshot) => Promise<T>) => Promise<T>;
  readonly states: () => readonly DatasetState[];
  /** Looks at the pointers now. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Older snapshots of all datasets: enough to compare a few at once, and a quarter of the time for who goes round and round. */
const OPENINGS = { seconds: 10, share: 0.25 };

/** What is here is served when the store has not answered until then. */
const PATIENCE_MS = 5000;

/** Opens what is published; what is not can be published later. */
export const openSnapshots = async (options: SnapshotsOptions): Promise<Snapshots> => {
  const { openings = createBudget(OPENINGS) } = options;
  const followed = new Map(DATASET_IDS.map((dataset) => [dataset, followDataset(dataset, { ...options, openings })]));
  const get = (dataset: DatasetId): Followed => {
    const found = followed.get(dataset);
    if (found === undefined) throw new Error(`No dataset ${dataset}.`);
    return found;
  };
  const look = async (): Promise<void> => {
    await Promise.all([...followed.values()].map((dataset) => dataset.look()));
  };
  await Promise.all([...followed.values()].map(({ lookHere }) => lookHere()));
  const first = look();
  const isAnyHere = [...followed.values()].some(({ state }) => state().current !== undefined);
  await (isAnyHere ? Promise.race([first, sleep(PATIENCE_MS, undefined, { ref: false })]) : first);

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = first;
  const plan = (): void => {
    timer = setTimeout(() => {
      looking = look().finally(() => {
        if (!stopped) plan();
      });
    }, options.pollMs ?? 1000).unref();
  };
  void first.finally(() => {
    if (!stopped) plan();
  });

  return {
    use: (dataset, pin, read) => get(dataset).use(pin, read),
    states: () => [...followed.values()].map(({ state }) => state()),
    look,
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
      for (const { close } of followed.values()) await close();
    },
  };
};
