/** Published snapshots: which there are, which one is current and whether one is whole. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { RunError } from '../errors.js';
import { type HashFile, hashFile, readdirIfThere, readTextIfThere, writeFileWhole } from '../files.js';
import type { Outputs } from '../outputs.js';
import { rollbackCommand } from './commands.js';
import { lookAtManifest, MANIFEST_FILE, type Manifest } from './manifest.js';

const ID = /^[0-9a-f]{16}$/;

export const isSnapshotId = (text: string): boolean => ID.test(text);

/** The id that the pointer names, or what is wrong with it, without a full stop. */
export const readPointer = async (
  outputs: Outputs,
  dataset: DatasetId,
): Promise<{ readonly id: string } | { readonly fault: string; readonly state: 'missing' | 'damaged' }> => {
  const path = outputs.pointer(dataset);
  const text = (await readTextIfThere(path))?.trim();
  if (text === undefined) return { state: 'missing', fault: `${path} is missing` };
  return ID.test(text) ? { id: text } : { state: 'damaged', fault: `${path} does not hold a snapshot id` };
};

/**
 * The id that the pointer names, or undefined when nothing has been published.
 *
 * @throws RunError where it names none
 */
export const findCurrent = async (outputs: Outputs, dataset: DatasetId): Promise<string | undefined> => {
  const pointer = await readPointer(outputs, dataset);
  if ('id' in pointer) return pointer.id;
  if (pointer.state === 'missing') return undefined;
  const next = `${rollbackCommand(outputs, dataset)} points to the one that was served last.`;
  throw new RunError(`${pointer.fault}. ${next}`);
};

/** Of the kept snapshots those that are whole, newest first; by the sizes of their files, for none of them is read. */
export const findWhole = async (outputs: Outputs, dataset: DatasetId): Promise<readonly string[]> => {
  const kept = await listSnapshots(outputs, dataset);
  const faults = await Promise.all(kept.map(({ id }) => verifySnapshot(outputs, dataset, id, 'sizes')));
  return kept.flatMap(({ id }, at) => (faults[at]?.length === 0 ? [id] : []));
};

/** Moves the pointer, as one step. Whoever publishes or rolls back does it through the history (`serve`). */
export const setCurrent = (outputs: Outputs, dataset: DatasetId, id: string): Promise<void> =>
  writeFileWhole(outputs.pointer(dataset), `${id}\n`);

/** Snapshots kept, newest first; those whose manifest cannot be read come last. */
export const listSnapshots = async (outputs: Outputs, dataset: DatasetId): Promise<readonly KeptSnapshot[]> => {
  // A pointer that names nothing makes none of them the current one; whoever needs to know asks for it.
  const current = await findCurrent(outputs, dataset).catch(() => undefined);
  const kept: KeptSnapshot[] = [];
  for (const id of (await readdirIfThere(outputs.snapshots(dataset))).filter((name) => ID.test(name)).sort()) {
    const manifest = await lookAtManifest(outputs.snapshot(dataset, id));
    kept.push({ id, current: id === current, manifest });
  }
  return newestFirst(kept);
};

/**
 * By the time of publishing; those whose manifest cannot be read last.
 *
 * @param served when they were pointed to: what was served again long after it was published is as new as that
 */
export const newestFirst = (
  kept: readonly KeptSnapshot[],
  served: readonly { readonly snapshot: string; readonly at: string }[] = [],
): readonly KeptSnapshot[] => {
  const last = new Map(served.map(({ snapshot, at }) => [snapshot, at]));
  const time = ({ id, manifest }: KeptSnapshot): string => {
    if (typeof manifest === 'string') return '';
    return [manifest.published_at, last.get(id) ?? ''].sort().at(-1) ?? '';
  };
  return [...kept].sort((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
};

export interface KeptSnapshot {
  readonly id: string;
  readonly current: boolean;
  /** Or what is wrong with it, without a full stop. */
  readonly manifest: Manifest | string;
}

/**
 * Is every file of a snapshot there and what its manifest says?
 *
 * @param hash how the files are compared: by their content, where it is not said; `sizes` reads none of them
 * @returns what is wrong, one line a fault, without a full stop; nothing when it is whole
 */
export const verifySnapshot = async (
  outputs: Outputs,
  dataset: DatasetId,
  id: string,
  hash: HashFile | 'sizes' = hashFile,
): Promise<readonly string[]> => {
  const folder = outputs.snapshot(dataset, id);
  const manifest = await lookAtManifest(folder);
  if (typeof manifest === 'string') return [manifest];
  const faults: string[] = [];
  if (manifest.snapshot !== id)
    faults.push(`${MANIFEST_FILE} names the snapshot ${manifest.snapshot}, its folder ${id}`);
  for (const [name, expected] of Object.entries(manifest.files)) {
    const found = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
    if (found === undefined) faults.push(`${name} is missing`);
    else if (found.size !== BigInt(expected.bytes))
      faults.push(`${name} has ${found.size} bytes, not ${expected.bytes}`);
    else if (hash !== 'sizes' && (await hash(join(folder, name), found)) !== expected.sha256)
      faults.push(`${name} is not what was published`);
  }
  return faults;
};

/** A folder that has lost its manifest is what a killed deletion left, and no snapshot. */
export const hasManifest = async (outputs: Outputs, dataset: DatasetId, id: string): Promise<boolean> =>
  (await stat(join(outputs.snapshot(dataset, id), MANIFEST_FILE)).catch(() => undefined)) !== undefined;
