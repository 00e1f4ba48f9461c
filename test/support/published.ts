/** Published snapshots without a pipeline run: seeded documents, their sentences, counts and metrics, made in SQL. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from 'duckdb';
import { CENTRAL_BANKS, DATASETS, type Dataset, type DatasetId } from '../../data/catalog.js';
import { getModel } from '../../models/catalog.js';
import { countsFor, metricsOf } from '../../pipeline/4-aggregate/metrics.js';
import { describeMaking } from '../../pipeline/5-publish/describe.js';
import { identifier, quote } from '../../src/database.js';
import { hashFile, hashText } from '../../src/files.js';
import {
  type Count,
  countColumn,
  countSql,
  countTableColumn,
  metricSql,
  metricTableColumn,
} from '../../src/formula.js';
import type { Outputs } from '../../src/outputs.js';
import type { Manifest } from '../../src/snapshot/manifest.js';
import { setCurrent } from '../../src/snapshot/snapshots.js';
import { countsTable, documentsTable, rejectsTable, sentencesTable, type Table } from '../../src/tables.js';

export interface PublishOptions {
  readonly outputs: Outputs;
  readonly dataset: DatasetId;
  readonly documents: number;
  /** Another seed is another snapshot. */
  readonly seed: number;
  readonly publishedAt?: string;
  /** `drawn`: counts are random and only the first documents have sentences, for many documents. */
  readonly counts?: 'from sentences' | 'drawn';
  /** Stands before every sentence, every title and every company: what a source may say. */
  readonly text?: string;
  /** Move the pointer to it? */
  readonly point?: boolean;
}

/** Sentences of each document. */
const SENTENCES = 9;

/** Writes a snapshot and returns its manifest. The same options give the same rows. */
export const publish = async (options: PublishOptions): Promise<Manifest> => {
  const { outputs, dataset: datasetId, seed, counts: origin = 'from sentences' } = options;
  const dataset = DATASETS[datasetId];
  const settings = { uncertainty: 'ratio' } as const;
  const [metrics, counts] = [metricsOf(datasetId, settings), countsFor(datasetId, settings)];
  const tables = [
    documentsTable(dataset, metrics.map(metricTableColumn)),
    countsTable(counts.map(countTableColumn)),
    sentencesTable(dataset),
    rejectsTable,
  ];
  const id = hashText(
    JSON.stringify([datasetId, options.documents, seed, origin, ...(options.text === undefined ? [] : [options.text])]),
  ).slice(0, 16);
  const folder = outputs.snapshot(datasetId, id);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${datasetId}.duckdb`);
  const finish = async (manifest: Manifest): Promise<Manifest> => {
    const dated = { ...manifest, published_at: options.publishedAt ?? manifest.published_at };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(dated));
    if (options.point !== false) await setCurrent(outputs, datasetId, id);
    return dated;
  };
  const known = made.get(id);
  if (known !== undefined) {
    writeFileSync(file, known.bytes);
    return finish(known.manifest);
  }

  const instance = await DuckDBInstance.create(file, { threads: '2' });
  const connection = await instance.connect();
  const run = async (sql: string): Promise<void> => {
    await connection.run(sql);
  };
  await run(`CREATE TEMP MACRO draw(i, what, n) AS CAST(hash(${seed}, i, what) % n AS INTEGER)`);
  await run(`CREATE TEMP TABLE drafts AS SELECT * FROM (${draftsSql(dataset, options.documents)})`);
  if (options.text !== undefined) {
    const said = quote(options.text);
    await run(`UPDATE drafts SET title = ${said} || coalesce(title, '')`);
    if (datasetId === 'earnings') await run(`UPDATE drafts SET company = ${said} || coalesce(company, '')`);
  }
  const labelled = origin === 'drawn' ? 'WHERE i < 20' : '';
  await run(`CREATE TEMP TABLE labels AS SELECT d.document_id, d.i, CAST(s.k AS INTEGER) AS sentence_index,
    ${dataset.models.map((model) => labelSql(model)).join(', ')}
    FROM (SELECT * FROM drafts ${labelled}) d, range(${SENTENCES}) s(k)`);
  await run(
    origin === 'drawn'
      ? `CREATE TEMP TABLE counted AS SELECT document_id, ${counts.map(drawnSql).join(', ')} FROM drafts`
      : `CREATE TEMP TABLE counted AS SELECT document_id, ${counts.map(countSql).join(', ')} FROM labels GROUP BY document_id`,
  );
  await run(`CREATE TEMP TABLE measured AS SELECT document_id, ${metrics.map(metricSql).join(', ')} FROM counted`);

  const [documents, countsOf, sentences, rejects] = tables;
  const names = (table: Table | undefined): string =>
    (table?.columns ?? []).map(({ name }) => identifier(name)).join(', ');
  for (const table of tables) await run(`CREATE TABLE ${table.name} (${table.columns.map(definition).join(', ')})`);
  await run(
    `INSERT INTO documents SELECT ${names(documents)} FROM drafts JOIN measured USING (document_id) ORDER BY date NULLS LAST, document_id`,
  );
  await run(`INSERT INTO counts SELECT ${names(countsOf)} FROM counted ORDER BY document_id`);
  await run(`INSERT INTO sentences SELECT ${names(sentences)} FROM (
    SELECT *, sentence_index * 40 AS char_start, sentence_index * 40 + 39 AS char_end,
      ${quote(options.text ?? '')} || 'Sentence ' || sentence_index || ' of ' || document_id || ', “quoted”.' AS text,
      'en' AS language, NULL AS mark, 'Speaker ' || sentence_index % 3 AS speaker, NULL AS role, 'prepared_remarks' AS section FROM labels)
    ORDER BY document_id, sentence_index`);
  await run(`INSERT INTO rejects (${names(rejects)}) VALUES ('a.txt', 'ingest', 'It is empty.')`);
  await run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();

  const { models, formulas } = describeMaking({
    fingerprints: dataset.models.map((model) => ({
      model,
      fingerprint: hashText(model),
      packageFingerprint: '',
      own: false,
    })),
    metrics,
  });
  const manifest: Manifest = {
    format: 1,
    dataset: datasetId,
    snapshot: id,
    published_at: '2026-01-01T00:00:00.000Z',
    code_version: '0.1.0',
    stage_versions: {},
    counts: { documents: options.documents, sentences: options.documents * SENTENCES, marked: 0, rejects: 1 },
    files: {
      [`${datasetId}.duckdb`]: {
        sha256: await hashFile(file),
        bytes: statSync(file).size,
        rows: null,
        in_id: false,
      },
    },
    tables: Object.fromEntries(
      tables.map(({ name, row, key, columns }) => [
        name,
        { row, key: [...key], columns: columns.map((c) => ({ ...c })) },
      ]),
    ),
    models,
    metrics: formulas,
    inputs: { files: options.documents, sha256: hashText(''), folders: '' },
    checks: [],
    run: {},
  };
  if (statSync(file).size < SMALL) made.set(id, { manifest, bytes: readFileSync(file) });
  return finish(manifest);
};

/** Small snapshots made before by this process, by id: a test that needs one again gets its bytes. */
const made = new Map<string, { readonly manifest: Manifest; readonly bytes: Buffer }>();
const SMALL = 8_000_000;

/** Documents with every hardship: unknown dates, quotes, commas, formulas of spreadsheets, other scripts, line breaks. */
const draftsSql = (dataset: Dataset, documents: number): string => {
  const provenance = `
    CASE draw(i, 'title', 8) WHEN 0 THEN NULL WHEN 1 THEN '=HYPERLINK("x")' WHEN 2 THEN 'Größe, “quoted” 政策' WHEN 3 THEN 'two' || chr(10) || 'lines "and" more'
      WHEN 4 THEN '-1+2' WHEN 5 THEN '😀 @all' ELSE 'Call ' || i END AS title,
    CASE WHEN draw(i, 'url', 3) = 0 THEN NULL ELSE 'https://example.org/' || i END AS source_url,
    'en' AS language, 'raw/' || i || '.txt' AS path, sha256('f' || i) AS file_sha256, sha256('t' || i) AS text_sha256,
    ${SENTENCES}::INTEGER AS sentence_count, 0::INTEGER AS marked_count`;
  if (dataset.id === 'wcb') {
    return `SELECT *, bank_name || '_' || date || '_' || i AS document_id FROM (
      SELECT i, ([${CENTRAL_BANKS.map(quote).join(', ')}])[1 + draw(i, 'bank', ${CENTRAL_BANKS.length - 1})] AS bank_name,
        CAST(1996 + draw(i, 'year', 29) AS INTEGER) AS year,
        make_date(1996 + draw(i, 'year', 29), 1 + draw(i, 'month', 12), 1 + draw(i, 'day', 28)) AS start_date,
        start_date + 1 AS end_date, start_date + 20 AS release_date, release_date AS date,
        CASE WHEN draw(i, 'type', 3) = 0 THEN NULL ELSE 'minutes' END AS document_type, ${provenance}
      FROM range(${documents}) r(i))`;
  }
  const tickers = Math.max(3, Math.round(documents / 60));
  return `SELECT *, ticker || '_' || year || '_Q' || quarter AS document_id FROM (
      SELECT i, 'T' || lpad(CAST(i % ${tickers} AS VARCHAR), 4, '0') AS ticker,
        CASE WHEN draw(i, 'company', 4) = 0 THEN NULL ELSE 'Company ' || i % ${tickers} || ', Inc.' END AS company,
        CAST(2008 + (i // ${tickers}) // 4 AS INTEGER) AS year, CAST((i // ${tickers}) % 4 + 1 AS INTEGER) AS quarter,
        CASE WHEN draw(i, 'date', 10) = 0 THEN NULL ELSE make_date(2008, 1, 1) + CAST((i // ${tickers}) * 91 + draw(i, 'day', 120) AS INTEGER) END AS date,
        ${provenance}
      FROM range(${documents}) r(i))`;
};

const labelSql = (model: Parameters<typeof getModel>[0]): string => {
  const { labels } = getModel(model);
  return `([${labels.map(quote).join(', ')}])[1 + draw(i * 1000 + k, ${quote(model)}, ${labels.length})] AS ${identifier(model)}`;
};

/** Joint counts and labels of a few hundred sentences; a total is always the most. */
const drawnSql = (count: Count): string => {
  const column = countColumn(count);
  const value =
    count.label === null ? "300 + draw(i, 'total', 100)" : `draw(i, ${quote(column)}, ${count.given ? 40 : 150})`;
  return `CAST(${value} AS INTEGER) AS ${identifier(column)}`;
};

const definition = ({ name, type, nullable }: Table['columns'][number]): string =>
  `${identifier(name)} ${type}${nullable ? '' : ' NOT NULL'}`;
