/** The staged tables: written from the units of the earlier stages, then opened under their names for the checks. */
import { join } from 'node:path';
import { identifier, parquet, quote } from '../../src/database.js';
import { joinParquet } from '../../src/parquet/join.js';
import type { Manifest } from '../../src/snapshot/manifest.js';
import type { Table } from '../../src/tables.js';
import { together } from '../../src/together.js';
import type { World } from '../stage.js';
import { copyPrevious, writeDatabase } from './database-file.js';
import { dropGathered, gather, gatheredFile } from './gathered.js';
import { inputsKey, openLast } from './last.js';
import { findPieces, type Pieces } from './pieces.js';
import type { Previous, PublishRecord } from './previous.js';
import { publishedTables } from './published-tables.js';
import { sameTextSql } from './same-text.js';
import { sketchesFile, writeSketches } from './sketches.js';
import { countTexts } from './texts.js';

export interface WritingOptions {
  /** The folder of the staged snapshot. */
  readonly staging: string;
  /** The folder of this publishing's unit: for what the next one can use again. */
  readonly unit: string;
  readonly previous: Previous | undefined;
}

export interface Written {
  /** Of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** sha256 of files, where it is known already. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly pieces: Pieces;
  /** How many different texts the sentences are. */
  readonly texts: number;
  /** For the next publishing. */
  readonly left: Omit<PublishRecord, 'key' | 'snapshot'>;
}

/**
 * Writes the four Parquet files and the DuckDB file. A text that occurs twice is kept for the earliest document
 * (`same-text.ts`); the others become rejects that name it.
 *
 * Sentences are most of it. They are not encoded again: each partition's lie behind those of the one before, as classifying
 * left them, and the DuckDB file is the last one with those partitions replaced that changed.
 */
export const writeTables = async (world: World, { staging, unit, previous }: WritingOptions): Promise<Written> => {
  const { database } = world;
  if (world.partitions.length === 0) throw new Error('There is no partition to publish.');
  const [documents, counts] = publishedTables(world);
  if (documents === undefined || counts === undefined) throw new Error('No tables.');
  const columns = (table: Table): string => table.columns.map(({ name }) => identifier(name)).join(', ');
  const fileOf = (name: string): string => join(staging, `${name}.parquet`);

  const { made, files } = await gather(world, { unit, previous });
  await database.run(`CREATE OR REPLACE TABLE dated AS ${sameTextSql(world.dataset, 'gathered_documents')}`);
  await database.run('CREATE OR REPLACE TABLE kept AS SELECT * FROM dated WHERE document_id = first_of_text');
  const pieces = await findPieces(world, { unit, previous, made });
  // The two large files, side by side: a disk and a processor each wait less.
  const [joined, copied] = await together([
    joinParquet(
      pieces.all.map(({ file }) => file),
      fileOf('sentences'),
    ),
    copyPrevious(world, { staging, unit, pieces, previous }),
  ]);
  const rows = {
    documents: await database.writeQuery(
      `SELECT ${columns(documents)} FROM kept ORDER BY date NULLS LAST, document_id`,
      fileOf('documents'),
    ),
    counts: await database.writeQuery(
      `SELECT ${columns(counts)} FROM gathered_counts SEMI JOIN kept USING (document_id) ORDER BY document_id`,
      fileOf('counts'),
    ),
    sentences: joined.rows,
    rejects: await writeRejects(world, fileOf('rejects')),
  };
  await database.run('DROP TABLE dated; DROP TABLE kept');
  await dropGathered(world);
  const increments = await writeDatabase(world, { staging, unit, pieces, previous, sentences: joined.rows, copied });
  // Counted from the beginning as well where the DuckDB file was made so.
  const texts = await countTexts(world, { unit, pieces, previous: increments === 0 ? undefined : previous });
  const sketches = await writeSketches(world, { unit, pieces, previous });
  return {
    rows,
    hashes: { 'sentences.parquet': joined.sha256 },
    pieces,
    texts: texts.count,
    left: {
      partitions: Object.fromEntries(
        pieces.all.map(({ partition, hash }) => [partition, { made: made.get(partition) ?? '', published: hash }]),
      ),
      files: { ...files, ...pieces.files, ...texts.files, ...sketches },
      texts: texts.count,
      increments,
      folders: inputsKey(world),
    },
  };
};

const writeRejects = async ({ database, listingRejects }: World, file: string): Promise<number> => {
  const listed = listingRejects.map(
    ({ subject, stage, reason }) => `(${[subject, stage, reason].map(quote).join(', ')})`,
  );
  return database.writeQuery(
    `SELECT DISTINCT subject, stage, reason FROM (
       SELECT subject, stage, reason FROM gathered_rejects
       UNION ALL SELECT document_id, 'publish', left_out FROM dated WHERE left_out IS NOT NULL
       ${listed.length === 0 ? '' : `UNION ALL VALUES ${listed.join(', ')}`})
     ORDER BY subject, stage, reason`,
    file,
  );
};

export interface StagedOptions extends Pick<WritingOptions, 'staging' | 'unit' | 'previous'> {
  readonly pieces: Pieces;
}

/**
 * Opens as views, for the checks and the report: the staged tables; as `changed_…`, what of them is of partitions that the
 * previous publishing did not have so; as `last_…`, those of the last snapshot (`last.ts`); as `sketches`, what documents can
 * be told to be alike by (`sketches.ts`).
 */
export const openStaged = async (
  world: World,
  { staging, unit, previous, pieces }: StagedOptions,
): Promise<{
  /** The manifest of the snapshot that is compared with, where there is one. */
  readonly comparable: Manifest | undefined;
  readonly close: () => Promise<void>;
}> => {
  const { database } = world;
  const views: string[] = [];
  const view = async (name: string, select: string): Promise<void> => {
    views.push(name);
    await database.run(`CREATE OR REPLACE VIEW ${name} AS ${select}`);
  };
  for (const { name } of publishedTables(world))
    await view(name, `SELECT * FROM ${parquet(join(staging, `${name}.parquet`))}`);
  await view('sketches', `SELECT * EXCLUDE (piece) FROM ${parquet(sketchesFile(unit))}`);
  const changed = pieces.changed.map(({ partition }) => quote(partition)).join(', ') || 'NULL';
  const ofChanged = `SELECT document_id FROM ${parquet(gatheredFile(unit, 'documents'))} WHERE partition IN (${changed})`;
  for (const name of ['documents', 'counts']) {
    await view(
      `changed_${name}`,
      `SELECT * FROM ${name}${previous === undefined ? '' : ` SEMI JOIN (${ofChanged}) USING (document_id)`}`,
    );
  }
  // Of what did not change nothing is read; and all of it is read as it is staged.
  await view(
    'changed_sentences',
    previous === undefined || pieces.changed.length === 0
      ? `SELECT * FROM sentences${previous === undefined ? '' : ' WHERE false'}`
      : `SELECT * FROM ${parquet(pieces.changed.map(({ file }) => file))}`,
  );
  const last = await openLast(world, staging);
  views.push(...last.views);
  return {
    comparable: last.comparable,
    close: async () => {
      for (const name of views.reverse()) await database.run(`DROP VIEW IF EXISTS ${name}`);
    },
  };
};
