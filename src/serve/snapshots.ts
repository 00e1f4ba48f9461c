/** The snapshots that are served, of every dataset: looks at the pointers about once a second. */
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { type DatasetState, type Followed, type FollowOptions, followDataset, type Pin } from './follow.js';
import type { OpenSnapshot } from './open-snapshot.js';

export interface SnapshotsOptions extends FollowOptions {
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

/** Opens what is published; what is not can be published later. */
export const openSnapshots = async (options: SnapshotsOptions): Promise<Snapshots> => {
  const followed = new Map(DATASET_IDS.map((dataset) => [dataset, followDataset(dataset, options)]));
  const get = (dataset: DatasetId): Followed => {
    const found = followed.get(dataset);
    if (found === undefined) throw new Error(`No dataset ${dataset}.`);
    return found;
  };
  const look = async (): Promise<void> => {
    await Promise.all([...followed.values()].map((dataset) => dataset.look()));
  };
  await look();

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  const plan = (): void => {
    timer = setTimeout(() => {
      looking = look().finally(() => {
        if (!stopped) plan();
      });
    }, options.pollMs ?? 1000).unref();
  };
  plan();

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
