/** The staged tables: written from the units of the earlier stages, then opened under their names for the checks. */
import { join } from 'node:path';
import { type Database, identifier, parquet, quote } from '../../src/database.js';
import { hashText, naming, syncPath } from '../../src/files.js';
import { countTableColumn, metricTableColumn } from '../../src/formula.js';
import { type Manifest, readManifest } from '../../src/snapshot/manifest.js';
import { verifySnapshot } from '../../src/snapshot/snapshots.js';
import { countsTable, documentsTable, rejectsTable, sentencesTable, type Table } from '../../src/tables.js';
import type { World } from '../stage.js';

/** Files of the earlier stages, one list a table. */
export interface Sources {
  readonly texts: readonly string[];
  readonly spans: readonly string[];
  readonly labels: readonly string[];
  readonly counts: readonly string[];
  readonly metrics: readonly string[];
  readonly rejects: readonly string[];
}

export const sourcesOf = ({ partitions, output }: World): Sources => {
  const all = (stage: 'ingest' | 'segment' | 'classify' | 'aggregate', name: string): readonly string[] =>
    partitions.map((partition) => join(output(stage, partition).folder, name));
  return {
    texts: all('ingest', 'texts.parquet'),
    spans: all('segment', 'spans.parquet'),
    labels: all('classify', 'labels.parquet'),
    counts: all('aggregate', 'counts.parquet'),
    metrics: all('aggregate', 'metrics.parquet'),
    rejects: [...all('ingest', 'rejects.parquet'), ...all('segment', 'rejects.parquet')],
  };
};

/** The published tables of a dataset, in the order in which they are written. */
export const publishedTables = ({ dataset, metrics, counts }: World): readonly Table[] => [
  documentsTable(dataset, metrics.map(metricTableColumn)),
  countsTable(counts.map(countTableColumn)),
  sentencesTable(dataset),
  rejectsTable,
];

/**
 * Writes the four Parquet files and the DuckDB file. A text that occurs twice is kept for the earliest document (by date,
 * then by id); the others become rejects that name it.
 */
export const writeTables = async (world: World, sources: Sources, staging: string): Promise<void> => {
  const { dataset, database } = world;
  if (sources.texts.length === 0) throw new Error('There is no partition to publish.');
  const [documents, counts, sentences] = publishedTables(world);
  if (documents === undefined || counts === undefined || sentences === undefined) throw new Error('No tables.');
  const columns = (table: Table, but: readonly string[] = []): string =>
    table.columns
      .map(({ name }) => name)
      .filter((name) => !but.includes(name))
      .map(identifier)
      .join(', ');

  await database.run(`CREATE OR REPLACE TABLE dated AS
    SELECT *, CAST(count(*) OVER same_text AS INTEGER) AS copies, first_value(document_id) OVER same_text AS first_of_text
    FROM (SELECT t.* EXCLUDE (text, turns), n.sentence_count, n.marked_count FROM ${parquet(sources.texts)} t
          JOIN (SELECT document_id, CAST(count(*) AS INTEGER) AS sentence_count, CAST(count(mark) AS INTEGER) AS marked_count FROM ${parquet(sources.spans)} GROUP BY document_id) n USING (document_id))
    WINDOW same_text AS (PARTITION BY text_sha256 ORDER BY date NULLS LAST, document_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`);
  await database.run('CREATE OR REPLACE TABLE kept AS SELECT * FROM dated WHERE document_id = first_of_text');

  await database.writeQuery(
    `SELECT ${columns(documents)} FROM kept JOIN ${parquet(sources.metrics)} USING (document_id) ORDER BY date NULLS LAST, document_id`,
    join(staging, 'documents.parquet'),
  );
  await database.writeQuery(
    `SELECT ${columns(counts)} FROM ${parquet(sources.counts)} SEMI JOIN kept USING (document_id) ORDER BY document_id`,
    join(staging, 'counts.parquet'),
  );
  await database.writeQuery(
    `SELECT ${columns(sentences)} FROM ${parquet(sources.spans)} AS spans JOIN ${parquet(sources.labels)} AS labels USING (document_id, sentence_index)
     SEMI JOIN kept USING (document_id) ORDER BY document_id, sentence_index`,
    join(staging, 'sentences.parquet'),
  );
  await writeRejects(world, sources, staging);
  await database.run('DROP TABLE dated; DROP TABLE kept');
  await writeDatabase(world, staging, join(staging, `${dataset.id}.duckdb`));
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

/** The same rows as one DuckDB file, in the order of the Parquet files. Outside the snapshot's id. */
const writeDatabase = async (world: World, staging: string, file: string): Promise<void> => {
  const { database } = world;
  await naming(file, async () => {
    await database.run(`ATTACH ${quote(file)} AS published`);
    try {
      for (const table of publishedTables(world)) {
        const definition = table.columns.map(
          ({ name, type, nullable }) => `${identifier(name)} ${type}${nullable ? '' : ' NOT NULL'}`,
        );
        await database.run(`CREATE TABLE published.${table.name} (${definition.join(', ')})`);
        await database.run(
          `INSERT INTO published.${table.name} SELECT * FROM ${parquet(join(staging, `${table.name}.parquet`))}`,
        );
      }
      await database.run('CHECKPOINT published');
    } catch (error) {
      // What detaching says after a failure is its consequence.
      await database.run('DETACH published').catch(() => undefined);
      throw error;
    }
    await database.run('DETACH published');
  });
  await syncPath(file);
};

/** Opens the staged tables, and the last snapshot's beside them, as views for the checks and the report. */
export const openStaged = async (
  world: World,
  staging: string,
  last: string | undefined,
): Promise<{
  /** The manifest of the last snapshot, where that is whole and was made from the same input folders. */
  readonly comparable: Manifest | undefined;
  readonly close: () => Promise<void>;
}> => {
  const { database, outputs, dataset } = world;
  for (const { name } of publishedTables(world)) await view(database, name, join(staging, `${name}.parquet`));
  // A snapshot that was damaged since cannot be compared with; this run takes its place.
  const whole = last !== undefined && (await verifySnapshot(outputs, dataset.id, last)).length === 0;
  const lastFolder = whole ? outputs.snapshot(dataset.id, last) : undefined;
  const manifest = lastFolder === undefined ? undefined : await readManifest(lastFolder);
  const comparable = manifest?.inputs.folders === inputsKey(world) ? manifest : undefined;
  for (const name of ['documents', 'sentences']) {
    const file = join(lastFolder ?? staging, `${name}.parquet`);
    await database.run(
      `CREATE OR REPLACE VIEW last_${name} AS SELECT * FROM ${parquet(file)}${comparable === undefined ? ' WHERE false' : ''}`,
    );
  }
  return {
    comparable,
    close: async () => {
      for (const name of [...publishedTables(world).map((table) => table.name), 'last_documents', 'last_sentences']) {
        await database.run(`DROP VIEW IF EXISTS ${name}`);
      }
    },
  };
};

/** Stands for the input folders: two snapshots are compared only where it is the same. */
export const inputsKey = ({ inputs }: Pick<World, 'inputs'>): string =>
  hashText([...inputs].sort().join('\n')).slice(0, 16);

const view = (database: Database, name: string, file: string): Promise<void> =>
  database.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${parquet(file)}`);
