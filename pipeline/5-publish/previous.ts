/**
 * What a publishing leaves for the next one, in the folder of its unit, so that the next one need only do what is new: which
 * partitions it was made of, and what it had read of them (`gathered.ts`, `texts.ts`, `sketches.ts`). Without it, or where
 * anything about it is odd, the next one does everything, and publishes the same.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson, hashText, readTextIfThere, writeFileWhole } from '../../src/files.js';
import { libraryOf } from '../../src/libraries.js';
import type { Outputs } from '../../src/outputs.js';
import type { Manifest } from '../../src/snapshot/manifest.js';
import { WHOLE, type World } from '../stage.js';
import { partitionChecksSql } from './checks/run.js';
import { publishedTables } from './published-tables.js';
import { SKETCHED } from './sketches.js';

const NAME = 'snapshot.json';

const recordSchema = z.object({
  snapshot: z.string().regex(/^[0-9a-f]{16}$/),
  /** What tables, checks and sketches were like. Null where a check of the partitions failed and was allowed to: nothing is relied on. */
  key: z.string().nullable(),
  /** Each with what stands for all that the stages left of it, and for all that was published of it. */
  partitions: z.record(z.string(), z.object({ made: z.string(), published: z.string() })),
  /** The other files of this folder, with their sha256. */
  files: z.record(z.string(), z.string()),
  /** How many different texts the published sentences are. */
  texts: z.number().int(),
  /** How often in a row the DuckDB file was made from the one before. */
  increments: z.number().int(),
  /** Stands for the input folders (`last.ts`): the manifest of a snapshot that was published again names those of the first time. */
  folders: z.string(),
});

export type PublishRecord = z.infer<typeof recordSchema>;

export interface Previous extends PublishRecord {
  /** Of its unit. */
  readonly folder: string;
}

/** The last publishing, where tables, checks and sketches are still what they were, and the folder is whole. */
export const findPrevious = async (world: World): Promise<Previous | undefined> => {
  const folder = world.outputs.unit(world.dataset.id, 'publish', WHOLE);
  const record = parse(await readTextIfThere(join(folder, NAME)));
  if (record?.key !== keyOf(world)) return undefined;
  for (const [name, expected] of Object.entries(record.files)) {
    if ((await world.hash(join(folder, name)).catch(() => undefined)) !== expected) return undefined;
  }
  return { ...record, folder };
};

/**
 * Stands for the input folders from which a snapshot was last made: its manifest names those of the first time, and where the
 * same was made again since, of other folders, only the record knows.
 */
export const foldersOf = async (
  outputs: Outputs,
  { dataset, snapshot, inputs }: Pick<Manifest, 'dataset' | 'snapshot' | 'inputs'>,
): Promise<string> => {
  const record = parse(await readTextIfThere(join(outputs.unit(dataset, 'publish', WHOLE), NAME)));
  return record?.snapshot === snapshot ? record.folders : inputs.folders;
};

/** @returns the file's name */
export const writeRecord = async (
  world: World,
  folder: string,
  { checked, ...record }: Omit<PublishRecord, 'key'> & { readonly checked: boolean },
): Promise<string> => {
  const key = checked ? keyOf(world) : null;
  await writeFileWhole(join(folder, NAME), `${canonicalJson({ ...record, key } satisfies PublishRecord)}\n`);
  return NAME;
};

const keyOf = (world: World): string =>
  hashText(canonicalJson([publishedTables(world), partitionChecksSql(world), SKETCHED, libraryOf('duckdb')]));

const parse = (text: string | undefined): PublishRecord | undefined => {
  try {
    return recordSchema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
};
