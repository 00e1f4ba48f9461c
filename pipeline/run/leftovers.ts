/** What nobody needs any more below the outputs folder: units of partitions that are gone, and what killed runs left. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { makerOf, measureBytes } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import { isAbandoned, isOld } from '../../src/temporaries.js';
import { PIPELINE } from '../pipeline.js';
import { WHOLE } from '../stage.js';
import { findUnits, readMarker, type UnitMarker } from './units.js';

export interface Leftover {
  readonly what: 'unit' | 'temporary';
  /** From the outputs folder. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Removes units of partitions that the last published run did not have, and old temporary files. The caller holds the
 * dataset's lock. Where nothing was published, or the last run failed, no unit is touched: what it made will be wanted.
 */
export const removeLeftovers = async (
  outputs: Outputs,
  dataset: DatasetId,
  now: Date,
): Promise<readonly Leftover[]> => {
  const found = await findLeftovers(outputs, dataset, now);
  for (const { what, path: below } of found) {
    const path = join(outputs.folder, below);
    // The marker goes first: what is half removed is no unit any more.
    if (what === 'unit') await rm(join(path, 'unit.json'), { force: true });
    await rm(path, { recursive: true, force: true });
  }
  return found;
};

export const findLeftovers = async (outputs: Outputs, dataset: DatasetId, now: Date): Promise<readonly Leftover[]> => {
  const found = [...(await orphans(outputs, dataset)), ...(await temporaries(outputs, dataset, now))];
  return Promise.all(
    found.map(async ({ what, path }) => ({
      what,
      // Paths are joined, which changes how the folder is written: `./outputs` and `outputs/` begin no path.
      path: relative(outputs.folder, path),
      bytes: await measureBytes(path),
    })),
  );
};

/**
 * Removes what processes of this machine that are gone left under temporary names, half-made units among them, and what others left
 * when it is old. For the beginning of a run, which has written nothing yet: a name with its own number is an earlier one's.
 */
export const removeTemporaries = async (outputs: Outputs, dataset: DatasetId, now: Date): Promise<void> => {
  const below = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const folders = [
    outputs.work(dataset),
    outputs.runs(dataset),
    outputs.published(dataset),
    outputs.snapshots(dataset),
    dirname(outputs.known(dataset)),
    ...(await below(outputs.predictions)),
    ...(await below(outputs.urls)),
  ];
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const maker = makerOf(name);
      if (maker === undefined) continue;
      const path = join(folder, name);
      if (await isAbandoned(path, maker, now)) await rm(path, { recursive: true, force: true });
    }
  }
};

type Found = Pick<Leftover, 'what' | 'path'>;

const PARTITION = /^partition (.+)$/;

/** The partitions that a publishing was made of, by the marker of its unit. */
export const publishedPartitions = ({ ingredients }: UnitMarker): ReadonlySet<string> =>
  new Set(Object.keys(ingredients).flatMap((name) => PARTITION.exec(name)?.slice(1) ?? []));

const orphans = async (outputs: Outputs, dataset: DatasetId): Promise<readonly Found[]> => {
  const published = outputs.unit(dataset, 'publish', WHOLE);
  const marker = await readMarker(published);
  if (marker === undefined) return [];
  const partitions = publishedPartitions(marker);
  const { mtimeMs } = await stat(join(published, 'unit.json'));
  const found: Found[] = [];
  for (const { name, scope } of PIPELINE) {
    if (scope !== 'partition') continue;
    for (const { partition, folder, madeAt } of await findUnits(join(outputs.work(dataset), name))) {
      if (!partitions.has(partition) && madeAt < mtimeMs) found.push({ what: 'unit', path: folder });
    }
  }
  return found;
};

const temporaries = async (outputs: Outputs, dataset: DatasetId, now: Date): Promise<readonly Found[]> => {
  const found: Found[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const isTemporary = makerOf(entry.name) !== undefined || path === outputs.scratch(dataset);
      if (!isTemporary) {
        if (entry.isDirectory()) await walk(path);
      } else if (await isOld(path, now)) found.push({ what: 'temporary', path });
    }
  };
  for (const folder of [outputs.work(dataset), outputs.published(dataset), outputs.predictions]) await walk(folder);
  return found;
};
