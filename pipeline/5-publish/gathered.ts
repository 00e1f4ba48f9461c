/**
 * What the stages left of the documents of all partitions, one file a table: `documents` (texts without the text itself, with
 * their metrics), `counts` and `rejects`. Rows of partitions that are as the last publishing had them are taken from its
 * files, so that a night opens the files of what is new, and not thousands.
 */
import { join } from 'node:path';
import { identifier, parquet, parquetWithNames, quote } from '../../src/database.js';
import { canonicalJson, hashFile, hashText } from '../../src/files.js';
import type { World } from '../stage.js';
import type { Previous } from './previous.js';

const NAMES = ['documents', 'counts', 'rejects'] as const;
type Name = (typeof NAMES)[number];

export const gatheredFile = (folder: string, name: Name): string => join(folder, `${name}.parquet`);

export interface Gathered {
  /** By partition, what stands for all that the stages left of it. */
  readonly made: ReadonlyMap<string, string>;
  /** What was put into the unit's folder, by name, with its sha256. */
  readonly files: Readonly<Record<string, string>>;
}

/** Fills the tables `gathered_documents`, `gathered_counts` and `gathered_rejects`, which have a column `partition`. */
export const gather = async (
  world: World,
  { unit, previous }: { readonly unit: string; readonly previous: Previous | undefined },
): Promise<Gathered> => {
  const { database, partitions } = world;
  const made = new Map(partitions.map((partition) => [partition, standsFor(partition, world)]));
  const isSame = (partition: string): boolean =>
    previous !== undefined &&
    Object.hasOwn(previous.partitions, partition) &&
    previous.partitions[partition]?.made === made.get(partition);
  const changed = partitions.filter((partition) => !isSame(partition));
  const outdated = Object.keys(previous?.partitions ?? {}).filter((partition) => !isSame(partition));
  const files: Record<string, string> = {};
  for (const name of NAMES) {
    const table = `gathered_${name}`;
    const sources = [
      ...(changed.length === 0 ? [] : [SELECT[name](changed, world)]),
      ...(previous === undefined
        ? []
        : [`SELECT * FROM ${parquet(gatheredFile(previous.folder, name))} WHERE ${notIn(outdated)}`]),
    ];
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${sources.join(' UNION ALL BY NAME ')}`);
    const file = gatheredFile(unit, name);
    await database.writeQuery(`SELECT * FROM ${table} ORDER BY ${ORDER[name].map(identifier).join(', ')}`, file);
    files[`${name}.parquet`] = await hashFile(file);
  }
  return { made, files };
};

export const dropGathered = async ({ database }: World): Promise<void> => {
  for (const name of NAMES) await database.run(`DROP TABLE gathered_${name}`);
};

const standsFor = (partition: string, { output }: World): string =>
  hashText(
    canonicalJson(
      (['ingest', 'segment', 'classify', 'aggregate'] as const).map((stage) => output(stage, partition).files),
    ),
  );

const notIn = (partitions: readonly string[]): string =>
  partitions.length === 0 ? 'true' : `partition NOT IN (${partitions.map(quote).join(', ')})`;

type StageName = Parameters<World['output']>[0];

/** The rows of one file of these units, with the partition that each is of. */
const rowsOf = (partitions: readonly string[], { output }: World, stage: StageName, name: string): string => {
  const files = partitions.map((partition) => [join(output(stage, partition).folder, name), partition] as const);
  const of = files.map(([file, partition]) => `(${quote(file)}, ${quote(partition)})`);
  return `(SELECT * EXCLUDE (filename) FROM ${parquetWithNames(files.map(([file]) => file))}
    JOIN (VALUES ${of.join(', ')}) of (filename, partition) USING (filename))`;
};

const SELECT: Readonly<Record<Name, (partitions: readonly string[], world: World) => string>> = {
  documents: (partitions, world) =>
    `SELECT t.* EXCLUDE (text, turns), m.* EXCLUDE (document_id, partition)
     FROM ${rowsOf(partitions, world, 'ingest', 'texts.parquet')} t
     JOIN ${rowsOf(partitions, world, 'aggregate', 'metrics.parquet')} m USING (partition, document_id)`,
  counts: (partitions, world) => `SELECT * FROM ${rowsOf(partitions, world, 'aggregate', 'counts.parquet')}`,
  rejects: (partitions, world) =>
    (['ingest', 'segment'] as const)
      .map((stage) => `SELECT * FROM ${rowsOf(partitions, world, stage, 'rejects.parquet')}`)
      .join(' UNION ALL BY NAME '),
};

const ORDER: Readonly<Record<Name, readonly string[]>> = {
  documents: ['partition', 'document_id'],
  counts: ['partition', 'document_id'],
  rejects: ['partition', 'subject', 'stage', 'reason'],
};
