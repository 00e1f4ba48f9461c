/**
 * Serves from an object store: keeps in a local outputs folder what the store says is to be served, brought whole and
 * compared with its hashes. What follows the pointers of that folder needs to know nothing of stores.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { codeOf, messageOf } from '../errors.js';
import { makerOf, writeFileWhole } from '../files.js';
import type { Outputs } from '../outputs.js';
import { downloadSnapshot } from '../snapshot/download.js';
import { findCurrent, isSnapshotId, setCurrent, verifySnapshot } from '../snapshot/snapshots.js';
import { damagedPointer, isDamage, readPointer, snapshotsKey } from '../snapshot/stored.js';
import type { ObjectStore } from '../store/object-store.js';
import { isAbandoned } from '../temporaries.js';
import type { Brought, SnapshotSource } from './source.js';

export interface MirrorOptions {
  readonly store: ObjectStore;
  /** Of nobody but this: what is not needed any more is deleted from it. */
  readonly outputs: Outputs;
  readonly signal: AbortSignal;
}

export interface Mirror extends SnapshotSource {
  /** What the store was last asked in vain, with the error; undefined while it answers. */
  readonly fault: () => Error | undefined;
}

/** Snapshots that stay, the current one among them: for who is paging through one, and for who asks for one by name. */
const KEPT = 3;

export const openMirror = async ({ store, outputs, signal }: MirrorOptions): Promise<Mirror> => {
  /** ETag of the pointer that was read last, what it says, and whether the folder says the same. */
  const pointers = new Map<DatasetId, { readonly etag: string; readonly id: string; readonly text: string }>();
  const followed = new Map<DatasetId, string>();
  /** What was damaged, by the objects as they were: not downloaded again until they change. */
  const damaged = new Map<string, { readonly signature: string; readonly reason: string }>();
  /** Compared with its hashes by this process. */
  const whole = new Set<string>();
  /** The lately used ones last. */
  const recent = new Map<DatasetId, string[]>();
  const underWay = new Map<string, Promise<Brought>>();
  let fault: Error | undefined;
  for (const dataset of DATASET_IDS) recent.set(dataset, await tidyUp(outputs, dataset));

  const signatureOf = async (dataset: DatasetId, id: string): Promise<string> =>
    (await store.list(`${snapshotsKey(dataset)}${id}/`)).map(({ key, etag }) => `${key} ${etag}`).join('\n');

  const use = (dataset: DatasetId, id: string): void => {
    recent.set(dataset, [...(recent.get(dataset) ?? []).filter((known) => known !== id), id]);
  };

  const fetch = async (dataset: DatasetId, id: string): Promise<Brought> => {
    const folder = outputs.snapshot(dataset, id);
    const known = damaged.get(id);
    if (known !== undefined && known.signature === (await signatureOf(dataset, id))) return refuse(id, known.reason);
    if (whole.has(id) && (await isThere(folder))) return { state: 'here' };
    // What an earlier process brought may have been damaged since.
    if ((await isThere(folder)) && (await verifySnapshot(outputs, dataset, id)).length === 0) {
      whole.add(id);
      return { state: 'here' };
    }
    await rm(folder, { recursive: true, force: true });
    const started = performance.now();
    const signature = await signatureOf(dataset, id);
    const brought = await downloadSnapshot({ store, dataset, id, folder, signal }).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      return { state: 'damaged', faults: [messageOf(error).replaceAll(`${store.address}/`, '')] } as const;
    });
    if (brought.state === 'damaged') {
      const reason = brought.faults.join('; ');
      damaged.set(id, { signature, reason });
      return refuse(id, reason);
    }
    damaged.delete(id);
    whole.add(id);
    const seconds = Math.round(performance.now() - started) / 1000;
    return { state: 'fetched', snapshot: id, bytes: brought.bytes, seconds };
  };

  const refuse = (snapshot: string, reason: string): Brought => ({
    state: 'refused',
    snapshot,
    reason,
    detail: `${store.address}: ${reason}`,
  });

  /** Two that want the same bring it once. */
  const fetchOnce = (dataset: DatasetId, id: string): Promise<Brought> => {
    const key = `${dataset} ${id}`;
    const mine =
      underWay.get(key) ??
      fetch(dataset, id).finally(() => {
        underWay.delete(key);
      });
    underWay.set(key, mine);
    return mine;
  };

  const readWhatToServe = async (dataset: DatasetId): Promise<{ readonly id: string } | Brought> => {
    const known = pointers.get(dataset);
    const pointer = await readPointer(store, dataset, { signal, unless: known?.etag });
    if (pointer === 'same') return known ?? { state: 'here' };
    if (pointer.damaged > 0) {
      const reason = 'The pointer is damaged';
      return { state: 'refused', snapshot: '', reason, detail: damagedPointer(store, dataset, pointer) };
    }
    const id = pointer.history.at(-1)?.snapshot;
    if (id === undefined || pointer.etag === undefined) return { state: 'unknown' };
    const text = pointer.history.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    pointers.set(dataset, { etag: pointer.etag, id, text });
    return { id };
  };

  const bringCurrent = async (dataset: DatasetId): Promise<Brought> => {
    const wanted = await readWhatToServe(dataset);
    if ('state' in wanted) return wanted;
    const { id } = wanted;
    const brought = await fetchOnce(dataset, id);
    if (brought.state === 'refused') return brought;
    const { text = '', etag = '' } = pointers.get(dataset) ?? {};
    if (followed.get(dataset) !== etag || (await findCurrent(outputs, dataset).catch(() => undefined)) !== id) {
      await writeFileWhole(outputs.history(dataset), text);
      await setCurrent(outputs, dataset, id);
      followed.set(dataset, etag);
      use(dataset, id);
      await removeOld(dataset, id);
    }
    return brought;
  };

  const removeOld = async (dataset: DatasetId, current: string): Promise<void> => {
    const ids = recent.get(dataset) ?? [];
    const old = ids.slice(0, -KEPT).filter((id) => id !== current);
    for (const id of old) {
      whole.delete(id);
      await rm(outputs.snapshot(dataset, id), { recursive: true, force: true });
    }
    recent.set(
      dataset,
      ids.filter((id) => !old.includes(id)),
    );
  };

  const bring = async (dataset: DatasetId, id: string): Promise<Brought> => {
    // Only what was served is asked for: anybody can make up an id.
    const { text = '' } = pointers.get(dataset) ?? {};
    if (!text.includes(`"${id}"`)) return { state: 'unknown' };
    const brought = await fetchOnce(dataset, id);
    if (brought.state !== 'refused') {
      use(dataset, id);
      await removeOld(dataset, pointers.get(dataset)?.id ?? id);
    }
    return brought;
  };

  /** What stops the store from answering is no fault of a snapshot; it is tried again. */
  const tolerant = async (work: () => Promise<Brought>): Promise<Brought> => {
    try {
      const brought = await work();
      fault = undefined;
      return brought;
    } catch (error) {
      if (signal.aborted) return { state: 'here' };
      fault = error instanceof Error ? error : new Error(messageOf(error));
      const reason = codeOf(error) === 'ENOSPC' ? 'The disk is full' : 'The store cannot be read; the log says why';
      return { state: 'refused', snapshot: '', reason, detail: messageOf(error) };
    }
  };

  return {
    bringCurrent: (dataset) => tolerant(() => bringCurrent(dataset)),
    bring: (dataset, id) => tolerant(() => bring(dataset, id)),
    fault: () => fault,
  };
};

/** Removes what dead processes left half brought; returns the snapshots that are there, the lately brought ones last. */
const tidyUp = async (outputs: Outputs, dataset: DatasetId): Promise<string[]> => {
  const folder = outputs.snapshots(dataset);
  const found: { readonly id: string; readonly mtimeMs: number }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const maker = makerOf(name);
    const path = join(folder, name);
    if (maker !== undefined && (await isAbandoned(path, maker, new Date())))
      await rm(path, { recursive: true, force: true });
    if (!isSnapshotId(name)) continue;
    const { mtimeMs } = await stat(path);
    found.push({ id: name, mtimeMs });
  }
  return found.sort((a, b) => a.mtimeMs - b.mtimeMs).map(({ id }) => id);
};

const isThere = async (folder: string): Promise<boolean> => (await stat(folder).catch(() => undefined)) !== undefined;
