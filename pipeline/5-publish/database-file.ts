/** The published tables as one DuckDB file. It is outside the snapshot's id: the same rows may lie in it in another order. */
import { constants, copyFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Database, identifier, parquet, quote } from '../../src/database.js';
import { naming, syncPath } from '../../src/files.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import type { Table } from '../../src/tables.js';
import type { World } from '../stage.js';
import { gatheredFile } from './gathered.js';
import type { Pieces } from './pieces.js';
import type { Previous } from './previous.js';
import { publishedTables } from './published-tables.js';

/** After as many nights, or where more of the sentences are new, it is made from nothing, with its rows in their order. */
const MOST_INCREMENTS = 30;
const MOST_NEW = 0.25;

export interface DatabaseFileOptions {
  /** The folder of the staged snapshot, with its Parquet files. */
  readonly staging: string;
  /** The folder of this publishing's unit. */
  readonly unit: string;
  readonly pieces: Pieces;
  readonly previous: Previous | undefined;
}

export interface WriteDatabaseOptions extends DatabaseFileOptions {
  /** How many there are. */
  readonly sentences: number;
  /** Whether the last file lies there (`copyPrevious`). */
  readonly copied: boolean;
}

export const databaseFile = ({ dataset }: World, folder: string): string => join(folder, `${dataset.id}.duckdb`);

/**
 * Makes the file: out of a copy of the last one, in which the partitions that changed are replaced, or from nothing.
 *
 * @returns how often in a row it was made from the one before
 */
export const writeDatabase = async (world: World, options: WriteDatabaseOptions): Promise<number> => {
  const { database, dataset, log } = world;
  const file = databaseFile(world, options.staging);
  if (options.copied) {
    const faults = await naming(file, () => within(database, file, () => replacePartitions(world, options)));
    if (faults === 0) {
      await syncPath(file);
      return incrementsOf(options) + 1;
    }
    // Nobody knows how: so nothing is made of it.
    log({
      type: 'note',
      dataset: dataset.id,
      message: `${dataset.id}.duckdb is made from nothing: the last one has other rows.`,
    });
    await rm(file);
  }
  await naming(file, () => within(database, file, () => writeAll(world, options)));
  await syncPath(file);
  return 0;
};

/** With the file attached as `published`. */
const within = async <T>(database: Database, file: string, work: () => Promise<T>): Promise<T> => {
  await database.run(`ATTACH ${quote(file)} AS published`);
  let result: T;
  try {
    result = await work();
    await database.run('CHECKPOINT published');
  } catch (error) {
    // What detaching says after a failure is its consequence.
    await database.run('DETACH published').catch(() => undefined);
    throw error;
  }
  await database.run('DETACH published');
  return result;
};

const writeAll = async (world: World, { staging }: DatabaseFileOptions): Promise<void> => {
  for (const table of publishedTables(world)) await writeTable(world, table, staging);
};

const writeTable = async ({ database }: World, { name, columns }: Table, staging: string): Promise<void> => {
  const definition = columns.map(
    (column) => `${identifier(column.name)} ${column.type}${column.nullable ? '' : ' NOT NULL'}`,
  );
  await database.run(`CREATE OR REPLACE TABLE published.${name} (${definition.join(', ')})`);
  await database.run(`INSERT INTO published.${name} SELECT * FROM ${parquet(join(staging, `${name}.parquet`))}`);
};

const incrementsOf = ({ previous }: DatabaseFileOptions): number => previous?.increments ?? 0;

/**
 * Puts a copy of the last file in its place, where that may be gone on from: it is what was published, and little enough is
 * new.
 *
 * @returns whether it did
 */
export const copyPrevious = async (world: World, options: DatabaseFileOptions): Promise<boolean> => {
  const { outputs, dataset, database, hash } = world;
  const { staging, pieces, previous } = options;
  if (previous === undefined || incrementsOf(options) >= MOST_INCREMENTS) return false;
  const folder = outputs.snapshot(dataset.id, previous.snapshot);
  const published = await readManifest(folder).catch(() => undefined);
  if (published === undefined) return false;
  const [changed] =
    pieces.changed.length === 0 ? [] : await database.rows(`SELECT count(*) AS n FROM ${filesOf(pieces)}`);
  if (Number(changed?.n ?? 0) > MOST_NEW * published.counts.sentences) return false;
  const last = databaseFile(world, folder);
  if ((await hash(last).catch(() => undefined)) !== published.files[basename(last)]?.sha256) return false;
  // The snapshot stays as it is: what is changed is a copy, which costs nothing where the disk shares blocks (btrfs, xfs).
  await copyFile(last, databaseFile(world, staging), constants.COPYFILE_FICLONE);
  return true;
};

const filesOf = ({ changed }: Pieces): string => parquet(changed.map(({ file }) => file));

/**
 * Puts the changed partitions in the place of what they were; the other tables are small and written anew.
 *
 * @returns how many rows are then not what they should be
 */
const replacePartitions = async (
  world: World,
  { staging, unit, pieces, previous, sentences }: WriteDatabaseOptions,
): Promise<number> => {
  const { database } = world;
  if (previous !== undefined && pieces.replaced.length > 0) {
    const replaced = pieces.replaced.map(quote).join(', ');
    await database.run(`DELETE FROM published.sentences WHERE document_id IN (
      SELECT document_id FROM ${parquet(gatheredFile(previous.folder, 'documents'))} WHERE partition IN (${replaced}))`);
  }
  if (pieces.changed.length > 0) await database.run(`INSERT INTO published.sentences SELECT * FROM ${filesOf(pieces)}`);
  for (const table of publishedTables(world)) {
    if (table.name !== 'sentences') await writeTable(world, table, staging);
  }
  const changed = pieces.changed.map(({ partition }) => quote(partition)).join(', ');
  const [row] = await database.rows(`SELECT
    abs((SELECT count(*) FROM published.sentences) - ${sentences}) AS more_or_less,
    ${
      pieces.changed.length === 0
        ? '0'
        : `(SELECT count(*) FROM (SELECT * FROM ${filesOf(pieces)} EXCEPT ALL
            SELECT * FROM published.sentences WHERE document_id IN (
              SELECT document_id FROM ${parquet(gatheredFile(unit, 'documents'))} WHERE partition IN (${changed}))))`
    } AS others`);
  return Number(row?.more_or_less ?? 1) + Number(row?.others ?? 1);
};
