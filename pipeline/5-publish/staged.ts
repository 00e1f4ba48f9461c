/** The staged tables: written from the units of the earlier stages, then opened under their names for the checks. */
import { join } from 'node:path';
import { identifier, parquet, quote } from '../../src/database.js';
import { hashText } from '../../src/files.js';
import { joinParquet } from '../../src/parquet/join.js';
import { type Manifest, readManifest } from '../../src/snapshot/manifest.js';
import { verifySnapshot } from '../../src/snapshot/snapshots.js';
import type { Table } from '../../src/tables.js';
import type { World } from '../stage.js';
import { writeDatabase } from './database-file.js';
import { findPieces, type Pieces } from './pieces.js';
import { DOCUMENTS_OF, type Previous } from './previous.js';
import { publishedTables } from './published-tables.js';

/** Files of the earlier stages, one list a table, in the order of the partitions. */
export interface Sources {
  readonly texts: readonly string[];
  readonly sentences: readonly string[];
  readonly counts: readonly string[];
  readonly metrics: readonly string[];
  readonly rejects: readonly string[];
}

export const sourcesOf = ({ partitions, output }: World): Sources => {
  const all = (stage: 'ingest' | 'segment' | 'classify' | 'aggregate', name: string): readonly string[] =>
    partitions.map((partition) => join(output(stage, partition).folder, name));
  return {
    texts: all('ingest', 'texts.parquet'),
    sentences: all('classify', 'sentences.parquet'),
    counts: all('aggregate', 'counts.parquet'),
    metrics: all('aggregate', 'metrics.parquet'),
    rejects: [...all('ingest', 'rejects.parquet'), ...all('segment', 'rejects.parquet')],
  };
};

export interface WritingOptions {
  /** The folder of the staged snapshot. */
  readonly staging: string;
  /** The folder of this publishing's unit: for what the next one can use again. */
  readonly unit: string;
  readonly previous: Previous | undefined;
}

export interface Written {
  readonly pieces: Pieces;
  /** How often in a row the DuckDB file was made from the one before. */
  readonly increments: number;
}

/**
 * Writes the four Parquet files and the DuckDB file. A text that occurs twice is kept for the earliest document (by date,
 * then by id); the others become rejects that name it.
 *
 * Sentences are most of it. They are not encoded again: each partition's lie behind those of the one before, as classifying
 * left them, and the DuckDB file is the last one with those partitions replaced that changed.
 */
export const writeTables = async (world: World, { staging, unit, previous }: WritingOptions): Promise<Written> => {
  const { database } = world;
  const sources = sourcesOf(world);
  if (sources.texts.length === 0) throw new Error('There is no partition to publish.');
  const [documents, counts] = publishedTables(world);
  if (documents === undefined || counts === undefined) throw new Error('No tables.');
  const columns = (table: Table): string => table.columns.map(({ name }) => identifier(name)).join(', ');
  const partitions = world.partitions.map(
    (partition, at) => `(${quote(sources.texts[at] ?? '')}, ${quote(partition)})`,
  );

  await database.run(`CREATE OR REPLACE TABLE dated AS
    SELECT *, first_value(document_id) OVER (PARTITION BY text_sha256 ORDER BY date NULLS LAST, document_id) AS first_of_text
    FROM (SELECT t.* EXCLUDE (text, turns, filename), of.partition, m.* EXCLUDE (document_id)
          FROM read_parquet([${sources.texts.map(quote).join(', ')}], filename = true) t
          JOIN (VALUES ${partitions.join(', ')}) of (filename, partition) USING (filename)
          JOIN ${parquet(sources.metrics)} m USING (document_id))`);
  await database.run('CREATE OR REPLACE TABLE kept AS SELECT * FROM dated WHERE document_id = first_of_text');

  await database.writeQuery(
    `SELECT ${columns(documents)} FROM kept ORDER BY date NULLS LAST, document_id`,
    join(staging, 'documents.parquet'),
  );
  await database.writeQuery(
    `SELECT ${columns(counts)} FROM ${parquet(sources.counts)} SEMI JOIN kept USING (document_id) ORDER BY document_id`,
    join(staging, 'counts.parquet'),
  );
  const pieces = await findPieces(world, { unit, previous });
  await joinParquet(
    pieces.all.map(({ file }) => file),
    join(staging, 'sentences.parquet'),
  );
  await writeRejects(world, sources, staging);
  await database.run('DROP TABLE dated; DROP TABLE kept');
  const increments = await writeDatabase(world, { staging, unit, pieces, previous });
  return { pieces, increments };
};

const writeRejects = async ({ database, listingRejects }: World, sources: Sources, staging: string): Promise<void> => {
  const listed = listingRejects.map(
    ({ subject, stage, reason }) => `(${[subject, stage, reason].map(quote).join(', ')})`,
  );
  await database.writeQuery(
    `SELECT DISTINCT subject, stage, reason FROM (
       SELECT subject, stage, reason FROM ${parquet(sources.rejects)}
       UNION ALL SELECT document_id, 'publish', 'Its text is the same as that of ' || first_of_text || ', which is earlier and is kept.'
                 FROM dated WHERE document_id <> first_of_text
       ${listed.length === 0 ? '' : `UNION ALL VALUES ${listed.join(', ')}`})
     ORDER BY subject, stage, reason`,
    join(staging, 'rejects.parquet'),
  );
};

export interface StagedOptions extends Pick<WritingOptions, 'staging' | 'unit' | 'previous'> {
  readonly pieces: Pieces;
  readonly last: string | undefined;
}

/**
 * Opens as views, for the checks and the report: the staged tables; as `changed_…`, what of them is of partitions that the
 * previous publishing did not have so; as `last_…`, those of the last snapshot.
 */
export const openStaged = async (
  world: World,
  { staging, unit, previous, pieces, last }: StagedOptions,
): Promise<{
  /** The manifest of the last snapshot, where that is whole and was made from the same input folders. */
  readonly comparable: Manifest | undefined;
  readonly close: () => Promise<void>;
}> => {
  const { database, outputs, dataset, hash } = world;
  const views: string[] = [];
  const view = async (name: string, select: string): Promise<void> => {
    views.push(name);
    await database.run(`CREATE OR REPLACE VIEW ${name} AS ${select}`);
  };
  for (const { name } of publishedTables(world))
    await view(name, `SELECT * FROM ${parquet(join(staging, `${name}.parquet`))}`);
  const changed = pieces.changed.map(({ partition }) => quote(partition)).join(', ') || 'NULL';
  const ofChanged = `SELECT document_id FROM ${parquet(join(unit, DOCUMENTS_OF))} WHERE partition IN (${changed})`;
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
  // A snapshot that was damaged since cannot be compared with; this run takes its place.
  const whole = last !== undefined && (await verifySnapshot(outputs, dataset.id, last, hash)).length === 0;
  const lastFolder = whole ? outputs.snapshot(dataset.id, last) : undefined;
  const manifest = lastFolder === undefined ? undefined : await readManifest(lastFolder);
  const comparable = manifest?.inputs.folders === inputsKey(world) ? manifest : undefined;
  for (const name of ['documents', 'counts']) {
    const file = join(lastFolder ?? staging, `${name}.parquet`);
    await view(`last_${name}`, `SELECT * FROM ${parquet(file)}${comparable === undefined ? ' WHERE false' : ''}`);
  }
  return {
    comparable,
    close: async () => {
      for (const name of views.reverse()) await database.run(`DROP VIEW IF EXISTS ${name}`);
    },
  };
};

/** Stands for the input folders: two snapshots are compared only where it is the same. */
export const inputsKey = ({ inputs }: Pick<World, 'inputs'>): string =>
  hashText([...inputs].sort().join('\n')).slice(0, 16);
