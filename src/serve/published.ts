/** When the kept snapshots of a dataset were published. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import type { Outputs } from '../outputs.js';
import { MANIFEST_FILE, readManifest } from '../snapshot/manifest.js';

export const isSnapshotId = (id: string): boolean => /^[0-9a-f]{16}$/.test(id);

/** The newest snapshot published on that day (UTC) or before, or undefined. */
export const findPublishedBy = async (
  outputs: Outputs,
  dataset: DatasetId,
  day: string,
): Promise<string | undefined> => {
  let best: { readonly id: string; readonly at: string } | undefined;
  for (const id of (await readdir(outputs.snapshots(dataset)).catch(() => [])).filter(isSnapshotId).sort()) {
    const at = await publishedAt(outputs.snapshot(dataset, id));
    if (at === undefined || at.slice(0, 10) > day) continue;
    if (best === undefined || at > best.at) best = { id, at };
  }
  return best?.id;
};

/** By the manifest's path: read once for each version of the file. */
const known = new Map<string, { readonly mark: string; readonly at: string }>();
const MOST_KNOWN = 1000;

const publishedAt = async (folder: string): Promise<string | undefined> => {
  const file = join(folder, MANIFEST_FILE);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const mark = `${found.ino} ${found.size} ${found.mtimeMs}`;
  const last = known.get(file);
  if (last?.mark === mark) return last.at;
  const manifest = await readManifest(folder).catch(() => undefined);
  if (manifest === undefined) return undefined;
  const at = new Date(manifest.published_at).toISOString();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(file, { mark, at });
  return at;
};
