/** Deletes old snapshots. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { RunError } from '../errors.js';
import { measureBytes, syncPath } from '../files.js';
import type { Outputs } from '../outputs.js';
import { rebuildCommand, rollbackCommand } from './commands.js';
import { readHistory, type Served } from './history.js';
import { MANIFEST_FILE } from './manifest.js';
import { howToMend } from './mend.js';
import { findWhole, hasManifest, type KeptSnapshot, listSnapshots, newestFirst, readPointer } from './snapshots.js';

export interface DeletedSnapshot {
  readonly id: string;
  readonly bytes: number;
}

/**
 * All but the newest `keep` snapshots and the current one, and what a killed deletion left. What was published long ago and served
 * again since, as content that came back is, is as new as that: it may be what one would roll back to.
 *
 * @throws RunError where something was published and it is not known which one is current
 */
export const findOld = async (
  outputs: Outputs,
  dataset: DatasetId,
  keep: number,
): Promise<readonly DeletedSnapshot[]> => {
  const kept = await listSnapshots(outputs, dataset);
  const history = await readHistory(outputs, dataset);
  await checkPointer(outputs, dataset, { kept, history });
  const [whole, half]: [KeptSnapshot[], KeptSnapshot[]] = [[], []];
  for (const one of kept) {
    (one.current || (await hasManifest(outputs, dataset, one.id)) ? whole : half).push(one);
  }
  const newest = newestFirst(whole, servedEarlier(history));
  const old = [...newest.slice(keep).filter(({ current }) => !current), ...half];
  return Promise.all(old.map(async ({ id }) => ({ id, bytes: await measureBytes(outputs.snapshot(dataset, id)) })));
};

/** What was served last is kept because the pointer names it. Where nothing was ever published there is none, and nothing to keep. */
const checkPointer = async (
  outputs: Outputs,
  dataset: DatasetId,
  { kept, history }: { readonly kept: readonly KeptSnapshot[]; readonly history: readonly Served[] },
): Promise<void> => {
  const pointer = await readPointer(outputs, dataset);
  if ('id' in pointer || (pointer.state === 'missing' && kept.length + history.length === 0)) return;
  const mend = howToMend({
    history,
    current: undefined,
    whole: await findWhole(outputs, dataset),
    rebuild: rebuildCommand({ dataset, outputs, run: undefined }),
    rollback: rollbackCommand(outputs, dataset),
  });
  throw new RunError(
    `${pointer.fault}, so it is not known which snapshot is the current one, and nothing was deleted. To mend it: ${mend}.`,
  );
};

/** When others than the current one were served: that one stays besides as many as are kept, however it came to be current. */
export const servedEarlier = (history: readonly Served[]): readonly Served[] =>
  history.filter(({ snapshot }) => snapshot !== history.at(-1)?.snapshot);

/** Deletes all but the newest `keep` snapshots and the current one; returns what was deleted. */
export const prune = async (
  outputs: Outputs,
  dataset: DatasetId,
  keep: number,
): Promise<readonly DeletedSnapshot[]> => {
  const old = await findOld(outputs, dataset, keep);
  for (const { id } of old) {
    // The manifest goes first: what is half deleted is no snapshot any more.
    await rm(join(outputs.snapshot(dataset, id), MANIFEST_FILE), { force: true });
    await rm(outputs.snapshot(dataset, id), { recursive: true, force: true });
  }
  if (old.length > 0) await syncPath(outputs.snapshots(dataset));
  return old;
};
