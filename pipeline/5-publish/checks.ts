/**
 * THE CHECKS that a staged snapshot must pass, as data. Each is a query over the staged tables (`documents`, `counts`,
 * `sentences`, `rejects`) and the current snapshot's (`last_documents`, `last_sentences`, empty where there is none) that
 * returns the offending rows; no row, no fault. Their first rows land in the report.
 */
import type { Dataset } from '../../data/catalog.js';
import { getModel } from '../../models/catalog.js';
import { type Database, identifier, quote, type Row } from '../../src/database.js';
import { type Count, countColumn, countSql, type Metric, metricSql } from '../../src/formula.js';
import type { Settings } from '../../src/settings.js';

export interface CheckInput {
  readonly dataset: Dataset;
  readonly metrics: readonly Metric[];
  /** Every count that is stored. */
  readonly counts: readonly Count[];
  readonly settings: Pick<Settings, 'maxRejects' | 'maxDropped'>;
}

export interface Check {
  readonly name: string;
  /** `block`: nothing is published. `warn`: it is said. */
  readonly severity: 'block' | 'warn';
  readonly about: string;
  readonly sql: (input: CheckInput) => string;
  /** Compares with the last snapshot: asked only where that was made from the same input folders. */
  readonly againstLast?: true;
}

export interface CheckResult {
  readonly name: string;
  readonly severity: 'block' | 'warn';
  readonly about: string;
  readonly passed: boolean;
  readonly offending: number;
  /** The first offending rows. */
  readonly rows: readonly Row[];
}

/** Shares mean little in a folder of a few files: so many rejects never block. */
const REJECTS_ALWAYS_ALLOWED = 20;

const unique = (table: string, key: string): string =>
  `SELECT ${key}, count(*) AS times FROM ${table} GROUP BY ${key} HAVING count(*) > 1`;

/** A column of two joined tables, `a` and `b`, as a struct of its name and its two values. */
const pairOf =
  (inA: string, inB: string) =>
  (name: string): string =>
    `{'name': ${quote(name)}, '${inA}': a.${identifier(name)}, '${inB}': b.${identifier(name)}}`;

export const CHECKS: readonly Check[] = [
  {
    name: 'document_ids_unique',
    severity: 'block',
    about: 'a document_id occurs once',
    sql: () => unique('documents', 'document_id'),
  },
  {
    name: 'counts_unique',
    severity: 'block',
    about: 'a document has one row of counts',
    sql: () => unique('counts', 'document_id'),
  },
  {
    name: 'sentences_unique',
    severity: 'block',
    about: 'a sentence occurs once in its document',
    sql: () => unique('sentences', 'document_id, sentence_index'),
  },
  {
    name: 'documents_present',
    severity: 'block',
    about: 'there is at least one document',
    sql: () => 'SELECT 0 AS documents WHERE NOT EXISTS (SELECT 1 FROM documents)',
  },
  {
    name: 'foreign_keys_found',
    severity: 'block',
    about: 'documents, counts and sentences name the same documents',
    sql: () =>
      ['counts', 'sentences']
        .flatMap((table) => [
          `SELECT DISTINCT document_id, 'in ${table}, not in documents' AS where_from FROM ${table} ANTI JOIN documents USING (document_id)`,
          `SELECT DISTINCT document_id, 'in documents, not in ${table}' FROM documents ANTI JOIN ${table} USING (document_id)`,
        ])
        .join(' UNION ALL '),
  },
  {
    name: 'sentences_complete',
    severity: 'block',
    about: 'sentence_index runs from 0 to sentence_count - 1',
    sql: () =>
      `SELECT document_id, any_value(sentence_count) AS sentence_count, count(*) AS sentences, max(sentence_index) AS last_index
       FROM documents JOIN sentences USING (document_id) GROUP BY document_id
       HAVING any_value(sentence_count) <> count(*) OR max(sentence_index) <> count(*) - 1 OR min(sentence_index) <> 0`,
  },
  {
    name: 'spans_in_order',
    severity: 'block',
    about: 'spans are not empty, do not overlap and follow one another',
    sql: () =>
      `SELECT document_id, sentence_index, char_start, char_end FROM (
         SELECT *, lag(char_end, 1, 0) OVER (PARTITION BY document_id ORDER BY sentence_index) AS before
         FROM (SELECT document_id, sentence_index, char_start, char_end FROM sentences))
       WHERE char_end <= char_start OR char_start < before`,
  },
  {
    name: 'predictions_present',
    severity: 'block',
    about: 'every sentence has a label of every model, and one that the model can give',
    sql: ({ dataset }) =>
      dataset.models
        .map((model) => {
          const labels = getModel(model).labels.map(quote).join(', ');
          const column = identifier(model);
          return `SELECT document_id, sentence_index, ${quote(model)} AS model, ${column} AS label FROM sentences
                  WHERE ${column} IS NULL OR ${column} NOT IN (${labels})`;
        })
        .join(' UNION ALL '),
  },
  {
    name: 'counts_agree',
    severity: 'block',
    about: 'every count is the number of such sentences of the document',
    sql: ({ counts }) => {
      const recounted = `(SELECT document_id, ${counts.map(countSql).join(', ')} FROM sentences GROUP BY document_id)`;
      const pairs = counts.map(countColumn).map(pairOf('stored', 'counted'));
      return `SELECT document_id, name, stored, counted
              FROM (SELECT document_id, unnest([${pairs.join(', ')}], recursive := true) FROM counts a JOIN ${recounted} b USING (document_id))
              WHERE stored IS DISTINCT FROM counted`;
    },
  },
  {
    name: 'metrics_agree',
    severity: 'block',
    about: 'every metric is what its formula makes of the counts',
    sql: ({ metrics }) => {
      const derived = `(SELECT document_id, ${metrics.map(metricSql).join(', ')} FROM counts)`;
      const pairs = metrics.map(({ name }) => name).map(pairOf('published', 'derived'));
      return `SELECT document_id, name, published, derived
              FROM (SELECT document_id, unnest([${pairs.join(', ')}], recursive := true) FROM documents a JOIN ${derived} b USING (document_id))
              WHERE published IS DISTINCT FROM derived`;
    },
  },
  {
    name: 'metrics_in_range',
    severity: 'block',
    about: 'every metric is null or a finite number in its range',
    sql: ({ metrics }) =>
      metrics
        .map(({ name, range: [least, most] }) => {
          const column = identifier(name);
          return `SELECT document_id, ${quote(name)} AS metric, ${column} AS value FROM documents
                  WHERE ${column} IS NOT NULL AND (NOT isfinite(${column}) OR ${column} < ${least} OR ${column} > ${most})`;
        })
        .join(' UNION ALL '),
  },
  {
    name: 'dimensions_known',
    severity: 'block',
    about: 'required dimensions are there, and closed lists (banks, quarters) hold',
    sql: ({ dataset }) =>
      dataset.dimensions
        .map(({ name, required, values }) => {
          const column = identifier(name);
          const list = values?.map((value) => (typeof value === 'number' ? String(value) : quote(value))).join(', ');
          const wrong = [
            ...(required ? [`${column} IS NULL`] : []),
            ...(list === undefined ? [] : [`${column} NOT IN (${list})`]),
          ];
          return `SELECT document_id, ${quote(name)} AS dimension, CAST(${column} AS VARCHAR) AS value FROM documents
                  WHERE ${wrong.length === 0 ? 'false' : wrong.join(' OR ')}`;
        })
        .join(' UNION ALL '),
  },
  {
    name: 'rejects_bounded',
    severity: 'block',
    about: 'no larger share of the documents is rejected than the setting max-rejects allows, a handful aside',
    sql: ({ settings }) =>
      `SELECT * FROM (SELECT (SELECT count(DISTINCT subject) FROM rejects) AS rejected, (SELECT count(*) FROM documents) AS published)
       WHERE rejected > ${REJECTS_ALWAYS_ALLOWED} AND rejected > ${settings.maxRejects} * (rejected + published)`,
  },
  {
    name: 'documents_kept',
    severity: 'block',
    about: 'no larger share of the last snapshot’s documents is missing than the setting max-dropped allows',
    againstLast: true,
    sql: ({ settings }) =>
      `SELECT * FROM (
         SELECT count(*) AS before, count(*) FILTER (WHERE d.document_id IS NULL) AS missing, min(l.document_id) FILTER (WHERE d.document_id IS NULL) AS first_missing
         FROM last_documents l LEFT JOIN documents d USING (document_id))
       WHERE missing > ${settings.maxDropped} * before`,
  },
  {
    name: 'newest_document_kept',
    severity: 'warn',
    about: 'the newest document of each first dimension (bank, ticker) is not older than in the last snapshot',
    againstLast: true,
    sql: ({ dataset }) => {
      const group = identifier(dataset.partitionBy[0]);
      return `SELECT l.${group} AS subject, l.newest AS before, d.newest AS now
        FROM (SELECT ${group}, max(date) AS newest FROM last_documents GROUP BY ALL) l
        LEFT JOIN (SELECT ${group}, max(date) AS newest FROM documents GROUP BY ALL) d USING (${group})
        WHERE l.newest IS NOT NULL AND (d.newest IS NULL OR d.newest < l.newest)`;
    },
  },
  {
    name: 'label_shares_steady',
    severity: 'warn',
    about: 'no label’s share of all sentences moved by more than 0.1 since the last snapshot',
    againstLast: true,
    sql: ({ dataset }) =>
      dataset.models
        .flatMap((model) =>
          getModel(model).labels.map((label) => {
            const share = (table: string): string =>
              `(SELECT avg(CASE WHEN ${identifier(model)} = ${quote(label)} THEN 1.0 WHEN ${identifier(model)} IS NOT NULL THEN 0.0 END) FROM ${table})`;
            // A model that the last snapshot did not have is null there, and not compared.
            const last = '(SELECT * FROM sentences WHERE false UNION ALL BY NAME SELECT * FROM last_sentences)';
            return `SELECT * FROM (SELECT ${quote(model)} AS model, ${quote(label)} AS label, ${share(last)} AS before, ${share('sentences')} AS now)
                    WHERE abs(now - before) > 0.1`;
          }),
        )
        .join(' UNION ALL '),
  },
];

/** Runs every check against the tables of that name in the database. */
export const runChecks = async (
  database: Database,
  input: CheckInput,
  options: { readonly comparable: boolean },
): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = [];
  for (const { name, severity, about, sql, againstLast } of CHECKS) {
    if (againstLast === true && !options.comparable) continue;
    const query = sql(input);
    const [found] = await database.rows(`SELECT count(*) AS n FROM (${query})`);
    const offending = Number(found?.n ?? 0);
    const rows = offending === 0 ? [] : await database.rows(`SELECT * FROM (${query}) ORDER BY ALL LIMIT 20`);
    results.push({ name, severity, about, passed: offending === 0, offending, rows });
  }
  return results;
};
