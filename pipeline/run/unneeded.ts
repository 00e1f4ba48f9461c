/** Raw files that nobody needs any more: contents that were replaced, and that no kept snapshot was made of. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { type Database, parquet } from '../../src/database.js';
import { messageOf, RunError } from '../../src/errors.js';
import { syncPath } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import { hasManifest, listSnapshots } from '../../src/snapshot/snapshots.js';
import { findUrlContents } from '../1-ingest/fetch/records.js';
import { readKnown } from '../1-ingest/raw/known.js';

export interface RawFile {
  readonly sha256: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * A raw file is needed by a document that is known (be it in its folder or gone from it), by an address whose last content
 * it is, and by a snapshot that is kept. The store is that of all datasets: the caller holds the lock of each.
 *
 * @param going snapshots that are about to be deleted, by dataset
 * @throws RunError where a snapshot that is kept cannot be read, so that it is not known what it needs
 */
export const findUnneededRaw = async (
  outputs: Outputs,
  database: Database,
  going: Partial<Readonly<Record<DatasetId, readonly string[]>>>,
): Promise<readonly RawFile[]> => {
  const needed = new Set(await findUrlContents(outputs));
  for (const dataset of DATASET_IDS) {
    for (const { sha256 } of await readKnown(outputs, dataset)) needed.add(sha256);
    for (const { id } of await listSnapshots(outputs, dataset)) {
      if (going[dataset]?.includes(id) === true || !(await hasManifest(outputs, dataset, id))) continue;
      for (const sha256 of await contentsOf(outputs, database, dataset, id)) needed.add(sha256);
    }
  }
  const unneeded: RawFile[] = [];
  for (const folder of (await namesIn(outputs.raw)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort()) {
    for (const sha256 of (await namesIn(join(outputs.raw, folder))).sort()) {
      if (!/^[0-9a-f]{64}$/.test(sha256) || needed.has(sha256)) continue;
      const path = outputs.rawFile(sha256);
      unneeded.push({ sha256, path, bytes: (await stat(path)).size });
    }
  }
  return unneeded;
};

/** Each file is a step of its own: a kill in between leaves some of them, for the next time. */
export const removeRaw = async (files: readonly RawFile[]): Promise<void> => {
  for (const { path } of files) await rm(path, { force: true });
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await syncPath(folder);
};

const contentsOf = async (
  outputs: Outputs,
  database: Database,
  dataset: DatasetId,
  id: string,
): Promise<readonly string[]> => {
  try {
    const file = parquet(join(outputs.snapshot(dataset, id), 'documents.parquet'));
    return (await database.rows(`SELECT DISTINCT file_sha256 FROM ${file} ORDER BY 1`)).map((row) =>
      String(row.file_sha256),
    );
  } catch (cause) {
    const why = `Snapshot ${id} of ${dataset} cannot be read (${messageOf(cause)}), so it is not known which raw files it needs`;
    const next = `fintext snapshots verify --dataset ${dataset} says what is wrong with it; where it is beyond repair, delete its folder.`;
    throw new RunError(`${why}; none was deleted. ${next}`, { cause });
  }
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
