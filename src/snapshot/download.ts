/** Brings a snapshot from an object store to a folder here, where it looks as if it had been published here. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { codeOf } from '../errors.js';
import { makeFolder, naming, syncPath, temporaryBeside, writeFileWhole } from '../files.js';
import { type ObjectStore, persist } from '../store/object-store.js';
import { MANIFEST_FILE, type Manifest } from './manifest.js';
import { fileKey, findStoredManifest, readStoredFile } from './stored.js';

export interface DownloadOptions {
  readonly store: ObjectStore;
  readonly dataset: DatasetId;
  readonly id: string;
  /** The folder that it becomes; not there yet. */
  readonly folder: string;
  /** The files that are wanted; all of them where nothing is said. */
  readonly files?: readonly string[];
  readonly signal: AbortSignal;
}

export type Downloaded =
  | { readonly state: 'whole'; readonly bytes: number }
  /** One line a fault; nothing stays of it here. */
  | { readonly state: 'damaged'; readonly faults: readonly string[] };

/**
 * Downloads a snapshot beside its folder, compares every file with its hash, and only then gives the folder its name.
 *
 * @throws StoreError where the store does not give it; RunError where its manifest is damaged
 */
export const downloadSnapshot = async (options: DownloadOptions): Promise<Downloaded> => {
  const { store, dataset, id, folder, signal } = options;
  const found = await findStoredManifest(store, dataset, id, signal);
  if (found === undefined) return { state: 'damaged', faults: [`${MANIFEST_FILE} is missing`] };
  await makeFolder(dirname(folder));
  const temporary = temporaryBeside(folder);
  await mkdir(temporary);
  try {
    const { manifest, text } = found;
    const { files = Object.keys(manifest.files) } = options;
    const faults: string[] = [];
    let bytes = 0;
    for (const name of files) {
      const fault = await persist(() => downloadFile(options, manifest, { name, folder: temporary }), signal);
      if (fault !== undefined) faults.push(fault);
      bytes += manifest.files[name]?.bytes ?? 0;
    }
    if (faults.length > 0) return { state: 'damaged', faults };
    await writeFileWhole(join(temporary, MANIFEST_FILE), text);
    await rename(temporary, folder).catch((error) => {
      // Another process brought the same, and was quicker.
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
    await syncPath(dirname(folder));
    return { state: 'whole', bytes };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

const downloadFile = async (
  { store, dataset, id }: DownloadOptions,
  { files }: Manifest,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<string | undefined> => {
  const expected = files[name];
  if (expected === undefined) return `${name} is not in the manifest`;
  const path = join(folder, name);
  const handle = await open(path, 'w');
  try {
    return await naming(path, async () => {
      const take = (piece: Uint8Array) => handle.writeFile(piece);
      const fault = await readStoredFile(store, fileKey(dataset, id, name, expected), { name, expected, take });
      await handle.sync();
      return fault;
    });
  } finally {
    await handle.close();
  }
};
