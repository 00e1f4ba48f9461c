/**
 * The snapshots of one dataset: the current one, followed as its pointer moves, and a few older ones for who asks by
 * name. A new one is opened beside the old and takes its place in one step. One that is not whole is refused, and the
 * old one goes on. What is no longer wanted is closed after its last reader.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import { type HashFile, hashFile } from '../files.js';
import type { Outputs } from '../outputs.js';
import { findAsOf } from '../snapshot/history.js';
import { MANIFEST_FILE } from '../snapshot/manifest.js';
import { findCurrent, isSnapshotId } from '../snapshot/snapshots.js';
import type { Budget } from './budget.js';
import { createFileHashes } from './file-hashes.js';
import { Held, type Lease } from './held.js';
import { notFound, unavailable } from './http-error.js';
import type { RowsEvent } from './kept-rows.js';
import { type OpenSnapshot, openSnapshot } from './open-snapshot.js';
import { isOfFiles, type Refusal, refusePointer, refuseSnapshot } from './refusals.js';
import type { Brought, SnapshotSource } from './source.js';

/** Which snapshot is asked for: by name, by day, or the current one. */
export interface Pin {
  readonly snapshot?: string | undefined;
  readonly as_of?: string | undefined;
}

export interface DatasetState {
  readonly dataset: DatasetId;
  /** Undefined while nothing is published. */
  readonly current: OpenSnapshot | undefined;
  /** What the pointer names and cannot be served, with the reason that everybody may know. */
  readonly refused: { readonly snapshot: string; readonly reason: string } | undefined;
}

export type SnapshotEvent = { readonly dataset: DatasetId; readonly snapshot: string } & (
  | { readonly type: 'snapshot-opened'; readonly documents: number; readonly seconds: number }
  | { readonly type: 'snapshot-refused'; readonly reason: string }
  | { readonly type: 'snapshot-closed' }
  | { readonly type: 'snapshot-fetched'; readonly bytes: number; readonly seconds: number }
  | RowsEvent
);

export interface FollowOptions {
  readonly outputs: Outputs;
  /** A folder of this process, for Parquet answers under way and the rows of lists. */
  readonly scratch: string;
  /** Are the rows of lists kept in files? As long as a snapshot is open, and they take a few kilobytes a document. */
  readonly rows?: 'kept' | 'made' | undefined;
  readonly log: (event: SnapshotEvent) => void;
  readonly source?: SnapshotSource | undefined;
  /** Older snapshots that stay open, of each dataset. */
  readonly keepOpen?: number | undefined;
  /** What opening older ones may take: who asks for one after the other would have the server do nothing else. */
  readonly openings: Budget;
  /** Reads what a database file is, once; it is asked again when the file looks different. */
  readonly hash?: HashFile | undefined;
  /** Megabytes that DuckDB may hold, for each snapshot. */
  readonly memoryMb?: number | undefined;
  readonly threads?: number | undefined;
}

export interface Followed {
  readonly use: <T>(pin: Pin, read: (snapshot: OpenSnapshot) => Promise<T>) => Promise<T>;
  /** Opens what the pointer names, if it is another one. */
  readonly lookHere: () => Promise<void>;
  /** The same, and before that brings what is to be served from the source. */
  readonly look: () => Promise<void>;
  readonly state: () => DatasetState;
  readonly close: () => Promise<void>;
}

const RETRY_SECONDS = 5;
/** Openings of older snapshots that may wait: each reads a whole table. */
const MOST_WAITING = 8;

export const followDataset = (dataset: DatasetId, options: FollowOptions): Followed => {
  const { outputs, log, source, openings } = options;
  const hash = createFileHashes(options.hash ?? hashFile);
  let current: Held | undefined;
  let refused: Refusal | undefined;
  /** What the source could not bring. */
  let notBrought: Refusal | undefined;
  /** Older ones, the least lately used first. */
  const older = new Map<string, Held>();
  /**
   * What could not be opened. What was not whole is not looked at again until its files change, and has their signature;
   * what failed for another reason (a full disk, no memory) may pass, and is tried at every look.
   */
  const faults = new Map<string, Refusal & { readonly signature: string | undefined }>();
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const tellRefused = ({ snapshot, detail }: Refusal): void =>
    log({ type: 'snapshot-refused', dataset, snapshot, reason: detail });

  const open = async (id: string): Promise<Held | undefined> => {
    const folder = outputs.snapshot(dataset, id);
    const signature = await signatureOf(folder, dataset);
    if (faults.get(id)?.signature === signature) return undefined;
    const started = performance.now();
    try {
      const { scratch, rows = 'kept', memoryMb = 256, threads = 2 } = options;
      const snapshot = await openSnapshot({
        ...{ dataset, folder, id, scratch, rows, memoryMb, threads, hash },
        log: (event) => log({ ...event, dataset, snapshot: id }),
      });
      const seconds = Math.round(performance.now() - started) / 1000;
      faults.delete(id);
      log({ type: 'snapshot-opened', dataset, snapshot: id, documents: snapshot.documents.length, seconds });
      return new Held(snapshot, () => log({ type: 'snapshot-closed', dataset, snapshot: id }));
    } catch (error) {
      const told = faults.get(id);
      const origin = source === undefined ? 'here' : 'store';
      const refusal = { snapshot: id, ...refuseSnapshot(error, { outputs, dataset, id, origin }) };
      const fault = { ...refusal, signature: isOfFiles(error) ? signature : undefined };
      faults.set(id, fault);
      if (fault.signature !== told?.signature || fault.detail !== told?.detail) tellRefused(refusal);
      return undefined;
    }
  };

  const keep = (held: Held): void => {
    older.delete(held.snapshot.id);
    older.set(held.snapshot.id, held);
    for (const [id, old] of older) {
      if (older.size <= (options.keepOpen ?? 2)) break;
      older.delete(id);
      old.retire();
    }
  };

  /** One after another: two that ask for the same open it once. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  const find = (id: string): Held | undefined => {
    if (current?.snapshot.id === id) return current;
    const held = older.get(id);
    if (held !== undefined) keep(held);
    return held;
  };

  const getOlder = async (id: string): Promise<Lease> => {
    const known = find(id);
    if (known !== undefined) return known.lease();
    const isHere = isSnapshotId(id) && (await signatureOf(outputs.snapshot(dataset, id), dataset)) !== MISSING;
    if (!isHere && (source === undefined || !isSnapshotId(id))) throw notFound(`Snapshot not found: ${id}`);
    if (waiting >= MOST_WAITING) throw unavailable('Too many older snapshots are being opened', RETRY_SECONDS);
    waiting += 1;
    try {
      if (!isHere) await paid(() => fetchOlder(id));
      return await inTurn(async () => {
        const held = find(id) ?? (await paid(() => open(id)));
        if (held === undefined) {
          if (faults.get(id)?.signature !== undefined) throw notFound(`Snapshot not found: ${id}`);
          throw unavailable(`The snapshot ${id} cannot be opened now`, RETRY_SECONDS);
        }
        if (held !== current) keep(held);
        return held.lease();
      });
    } finally {
      waiting -= 1;
    }
  };

  const paid = async <T>(work: () => Promise<T>): Promise<T> => {
    const seconds = openings.wait();
    if (seconds > 0) throw unavailable('Too many older snapshots were opened lately', seconds);
    const started = performance.now();
    try {
      return await work();
    } finally {
      openings.spend((performance.now() - started) / 1000);
    }
  };

  const fetchOlder = async (id: string): Promise<void> => {
    const brought = await source?.bring(dataset, id);
    if (brought?.state === 'fetched') tellFetched(brought);
    if (brought?.state !== 'refused') return;
    tellRefused({ ...brought, snapshot: id });
    throw unavailable(`The snapshot ${id} cannot be had now`, RETRY_SECONDS);
  };

  const tellFetched = ({ snapshot, bytes, seconds }: Extract<Brought, { readonly state: 'fetched' }>): void =>
    log({ type: 'snapshot-fetched', dataset, snapshot, bytes, seconds });

  const choose = async ({ snapshot, as_of }: Pin): Promise<Lease> => {
    if (snapshot !== undefined) return getOlder(snapshot);
    if (as_of !== undefined) {
      const id = await findAsOf(outputs, dataset, as_of);
      if (id === undefined) throw notFound(`Snapshot not found: none was published by ${as_of}`);
      return getOlder(id);
    }
    if (current === undefined) {
      throw unavailable(`Nothing of ${dataset} (${DATASETS[dataset].name}) is published yet`, RETRY_SECONDS);
    }
    return current.lease();
  };

  const bringCurrent = async (): Promise<void> => {
    const brought = await source?.bringCurrent(dataset);
    if (brought?.state === 'fetched') tellFetched(brought);
    const failed = brought?.state === 'refused' ? brought : undefined;
    if (failed !== undefined && failed.detail !== notBrought?.detail) tellRefused(failed);
    notBrought = failed;
  };

  const lookHere = async (): Promise<void> => {
    let id: string | undefined;
    try {
      id = await findCurrent(outputs, dataset);
    } catch (error) {
      const refusal = refusePointer(error);
      if (refused?.detail !== refusal.detail) tellRefused(refusal);
      refused = refusal;
      return;
    }
    if (id === undefined || id === current?.snapshot.id) {
      refused = undefined;
      return;
    }
    const wanted = id;
    await inTurn(async () => {
      const next = older.get(wanted) ?? (await open(wanted));
      if (next === undefined) {
        refused = faults.get(wanted);
        return;
      }
      const last = current;
      older.delete(wanted);
      current = next;
      refused = undefined;
      // Who is paging through the old one goes on with it.
      if (last !== undefined) keep(last);
    });
  };

  return {
    use: async (pin, read) => {
      const { snapshot, release } = await choose(pin);
      try {
        return await read(snapshot);
      } finally {
        release();
      }
    },
    lookHere,
    look: async () => {
      await bringCurrent();
      await lookHere();
    },
    state: () => {
      const refusal = refused ?? notBrought;
      return {
        dataset,
        current: current?.snapshot,
        refused: refusal && { snapshot: refusal.snapshot, reason: refusal.reason },
      };
    },
    close: async () => {
      await turn;
      for (const held of [...older.values(), ...(current ? [current] : [])]) held.retire();
      older.clear();
      current = undefined;
    },
  };
};

const MISSING = 'missing';

/** Changes when the files of a snapshot are replaced. */
const signatureOf = async (folder: string, dataset: DatasetId): Promise<string> => {
  const marks: string[] = [];
  for (const name of [MANIFEST_FILE, `${dataset}.duckdb`]) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found === undefined && name === MANIFEST_FILE) return MISSING;
    marks.push(found === undefined ? MISSING : `${found.ino} ${found.size} ${found.mtimeMs}`);
  }
  return marks.join(', ');
};
