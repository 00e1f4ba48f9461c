/** What people do to the snapshots in an object store: point to another one, delete old ones. */
import type { DatasetId } from '../../data/catalog.js';
import { RunError, UsageError } from '../errors.js';
import { type ObjectStore, persist } from '../store/object-store.js';
import { findEarlier, type Served } from './history.js';
import { MANIFEST_FILE } from './manifest.js';
import { type DeletedSnapshot, servedEarlier } from './prune.js';
import { notWhole, type RollbackOptions } from './rollback.js';
import { isSnapshotId, type KeptSnapshot, newestFirst } from './snapshots.js';
import { getPointer, listStored, pointerKey, readPointer, snapshotsKey, verifyStored, writePointer } from './stored.js';

/** Points to another snapshot, verified first, and returns it. Damaged lines of the history are dropped on the way. */
export const rollbackStored = async (
  store: ObjectStore,
  dataset: DatasetId,
  { to, reason, now, signal }: RollbackOptions & { readonly signal: AbortSignal },
): Promise<string> => {
  const pointer = await readPointer(store, dataset, { signal });
  if (pointer === 'same') throw new Error(`${pointerKey(dataset)} was not given.`);
  const { history } = pointer;
  const kept = (await listStored(store, dataset, signal)).map(({ id }) => id);
  const last = history.at(-1);
  // Where the pointer is damaged, what it named last.
  const candidates = [...(pointer.damaged > 0 && last ? [last.snapshot] : []), ...findEarlier(history)];
  const target = to ?? candidates.find((id) => kept.includes(id));
  if (target === undefined) {
    const others = kept.length === 0 ? '' : ` Name one with --to: ${kept.join(', ')}.`;
    throw new UsageError(`${dataset} has no snapshot before the current one to roll back to.${others}`);
  }
  if (!kept.includes(target)) {
    throw new UsageError(`${dataset} has no snapshot ${target} there. Kept: ${kept.join(', ') || 'none'}.`);
  }
  const faults = await verifyStored(store, dataset, target, signal);
  if (faults.length > 0) {
    throw notWhole(target, faults, kept);
  }
  const served: Served = {
    snapshot: target,
    at: after(last, now).toISOString(),
    by: 'rollback',
    ...(reason === undefined ? {} : { reason }),
  };
  if ((await writePointer(store, dataset, pointer, served)) === 'written') return target;
  throw new RunError(
    `Somebody moved ${store.address}/${pointerKey(dataset)} just now. Nothing was changed; look again, and say --to which snapshot.`,
  );
};

/** A person who rolls back means it, whatever the clock of this machine says. */
const after = (last: Served | undefined, now: Date): Date =>
  new Date(Math.max(now.getTime(), last === undefined ? 0 : new Date(last.at).getTime() + 1));

export interface PrunedStored {
  readonly snapshots: readonly DeletedSnapshot[];
  /** Objects of uploads that were cut off, and parts of such. */
  readonly leftovers: readonly { readonly what: 'upload'; readonly path: string; readonly bytes: number }[];
}

/** Whoever serves from there goes by the pointer: without it, which of them is needed is not known. */
const noPointer = (store: ObjectStore, dataset: DatasetId, kept: readonly KeptSnapshot[]): RunError => {
  const rollback = `fintext snapshots rollback --dataset ${dataset} --published ${store.address}`;
  return new RunError(
    `${store.address}/${pointerKey(dataset)} names no snapshot, so it is not known which one is the current one, and nothing was deleted. Point to one with ${rollback} --to <id>: ${kept.map(({ id }) => id).join(', ')}.`,
  );
};

/** What is younger may be an upload under way. */
const OLD_MS = 24 * 3600 * 1000;

/** Deletes all but the newest `keep` snapshots and the current one, and what uploads left that were cut off a day ago. */
export const pruneStored = async (
  store: ObjectStore,
  dataset: DatasetId,
  { keep, now, signal }: { readonly keep: number; readonly now: Date; readonly signal: AbortSignal },
): Promise<PrunedStored> => {
  const below = snapshotsKey(dataset);
  const { history } = await getPointer(store, dataset, signal);
  const kept = await listStored(store, dataset, signal);
  if (history.length === 0 && kept.length > 0) throw noPointer(store, dataset, kept);
  const old = newestFirst(kept, servedEarlier(history))
    .slice(keep)
    .map(({ id }) => id);
  const snapshots: DeletedSnapshot[] = [];
  for (const id of old) {
    // Nothing is deleted while it is not known which one is current; and that may have changed meanwhile.
    if ((await getPointer(store, dataset, signal)).history.at(-1)?.snapshot === id) continue;
    const objects = await store.list(`${below}${id}/`);
    // The manifest goes first: what is half deleted is no snapshot any more.
    const isManifest = (key: string): boolean => key.endsWith(`/${MANIFEST_FILE}`);
    const inOrder = [...objects].sort((a, b) => Number(isManifest(b.key)) - Number(isManifest(a.key)));
    for (const { key } of inOrder) await persist(() => store.delete(key), signal);
    snapshots.push({ id, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) });
  }

  const before = new Date(now.getTime() - OLD_MS);
  const all = (await store.list(below)).map((object) => ({
    ...object,
    id: object.key.slice(below.length).split('/')[0] ?? '',
  }));
  const whole = new Set(all.filter(({ key }) => key.endsWith(`/${MANIFEST_FILE}`)).map(({ id }) => id));
  const leftovers: { readonly what: 'upload'; readonly path: string; readonly bytes: number }[] = [];
  for (const { key, id, bytes, modified } of all) {
    if (!isSnapshotId(id) || whole.has(id) || modified >= before) continue;
    await persist(() => store.delete(key), signal);
    leftovers.push({ what: 'upload', path: key, bytes });
  }
  for (const path of await store.abandonUploads(below, before)) leftovers.push({ what: 'upload', path, bytes: 0 });
  return { snapshots, leftovers };
};
