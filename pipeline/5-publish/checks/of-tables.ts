/**
 * Queries of the checks that look at the staged tables alone, or at what of them changed. Each returns the offending rows.
 */
import { getModel } from '../../../models/catalog.js';
import { identifier, quote } from '../../../src/database.js';
import { countColumn, countSql, metricSql } from '../../../src/formula.js';
import { NEWEST_TEXT, newestSql } from '../../../src/snapshot/newest.js';
import { whenSql } from '../../../src/snapshot/when.js';
import type { CheckInput } from './input.js';

type Query = (input: CheckInput) => string;

export const repeated =
  (table: string, key: string): Query =>
  () =>
    `SELECT ${key}, count(*) AS times FROM ${table} GROUP BY ${key} HAVING count(*) > 1`;

export const noDocuments: Query = () => 'SELECT 0 AS documents WHERE NOT EXISTS (SELECT 1 FROM documents)';

export const foreignKeysLost =
  (documents: string, table: string): Query =>
  () =>
    `SELECT DISTINCT document_id, 'in ${tableOf(table)}, not in documents' AS where_from FROM ${table} ANTI JOIN ${documents} USING (document_id)
     UNION ALL SELECT DISTINCT document_id, 'in documents, not in ${tableOf(table)}' FROM ${documents} ANTI JOIN ${table} USING (document_id)`;

const tableOf = (view: string): string => view.replace('changed_', '');

export const sentencesMiscounted: Query = () =>
  `SELECT * FROM (SELECT (SELECT coalesce(sum(sentence_count), 0) FROM documents) AS of_documents, (SELECT count(*) FROM sentences) AS sentences)
   WHERE of_documents <> sentences`;

export const sentencesIncomplete: Query = () =>
  `SELECT document_id, any_value(sentence_count) AS sentence_count, count(*) AS sentences, max(sentence_index) AS last_index,
     any_value(marked_count) AS marked_count, count(mark) AS marked
   FROM changed_documents JOIN changed_sentences USING (document_id) GROUP BY document_id
   HAVING any_value(sentence_count) <> count(*) OR max(sentence_index) <> count(*) - 1 OR any_value(marked_count) <> count(mark) OR min(sentence_index) <> 0`;

export const spansOutOfOrder: Query = () =>
  `SELECT document_id, sentence_index, char_start, char_end FROM (
     SELECT *, lag(char_end, 1, 0) OVER (PARTITION BY document_id ORDER BY sentence_index) AS before
     FROM (SELECT document_id, sentence_index, char_start, char_end FROM changed_sentences))
   WHERE char_end <= char_start OR char_start < before`;

export const predictionsMissing: Query = ({ dataset }) =>
  dataset.models
    .map((model) => {
      const labels = getModel(model).labels.map(quote).join(', ');
      const column = identifier(model);
      return `SELECT document_id, sentence_index, ${quote(model)} AS model, ${column} AS label FROM changed_sentences
              WHERE CASE WHEN mark IS NULL THEN ${column} IS NULL OR ${column} NOT IN (${labels}) ELSE ${column} IS NOT NULL END`;
    })
    .join(' UNION ALL ');

/** The last label of a model is that there is nothing to find; of the others no corpus is full. */
export const oneLabelOnly =
  (leastSentences: number): Query =>
  ({ dataset }) =>
    dataset.models
      .flatMap((model) =>
        getModel(model)
          .labels.slice(0, -1)
          .map((label) => {
            const [all, same] = [null, label].map((one) => `sum(${identifier(countColumn({ model, label: one }))})`);
            return `SELECT ${quote(model)} AS model, ${quote(label)} AS label, ${all} AS sentences FROM counts
                    HAVING ${all} >= ${leastSentences} AND ${same} = ${all}`;
          }),
      )
      .join(' UNION ALL ');

/** A column of two joined tables, `a` and `b`, as a struct of its name and its two values. */
const pairOf =
  (inA: string, inB: string) =>
  (name: string): string =>
    `{'name': ${quote(name)}, '${inA}': a.${identifier(name)}, '${inB}': b.${identifier(name)}}`;

export const countsWrong: Query = ({ counts }) => {
  const recounted = `(SELECT document_id, ${counts.map(countSql).join(', ')} FROM changed_sentences GROUP BY document_id)`;
  const pairs = counts.map(countColumn).map(pairOf('stored', 'counted'));
  return `SELECT document_id, name, stored, counted
          FROM (SELECT document_id, unnest([${pairs.join(', ')}], recursive := true) FROM changed_counts a JOIN ${recounted} b USING (document_id))
          WHERE stored IS DISTINCT FROM counted`;
};

export const metricsWrong: Query = ({ metrics }) => {
  const derived = `(SELECT document_id, ${metrics.map(metricSql).join(', ')} FROM counts)`;
  const pairs = metrics.map(({ name }) => name).map(pairOf('published', 'derived'));
  return `SELECT document_id, name, published, derived
          FROM (SELECT document_id, unnest([${pairs.join(', ')}], recursive := true) FROM documents a JOIN ${derived} b USING (document_id))
          WHERE published IS DISTINCT FROM derived`;
};

export const metricsOutOfRange: Query = ({ metrics }) =>
  metrics
    .map(({ name, range: [least, most] }) => {
      const column = identifier(name);
      return `SELECT document_id, ${quote(name)} AS metric, ${column} AS value FROM documents
              WHERE ${column} IS NOT NULL AND (NOT isfinite(${column}) OR ${column} < ${least} OR ${column} > ${most})`;
    })
    .join(' UNION ALL ');

export const dimensionsUnknown: Query = ({ dataset }) =>
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
    .join(' UNION ALL ');

export const tooManyRejects =
  (alwaysAllowed: number): Query =>
  ({ settings }) =>
    `SELECT * FROM (SELECT (SELECT count(DISTINCT subject) FROM rejects) AS rejected, (SELECT count(*) FROM documents) AS published)
     WHERE rejected > ${alwaysAllowed} AND rejected > ${settings.maxRejects} * (rejected + published)`;

export const datedAhead: Query = ({ dataset, now }) => {
  const { day, period, isAhead } = whenSql(dataset);
  return `SELECT document_id, coalesce(CAST(${day} AS VARCHAR), ${period.text(period.end)}) AS dated FROM documents WHERE ${isAhead(now)}`;
};

/** Whoever traded on it at its release would have known what was not yet said. Only central banks' texts have both days. */
export const releasedTooEarly: Query = ({ dataset: { dimensions } }) =>
  ['start_date', 'release_date'].every((day) => dimensions.some(({ name }) => name === day))
    ? `SELECT document_id, CAST(start_date AS VARCHAR) AS start_date, CAST(release_date AS VARCHAR) AS release_date
       FROM documents WHERE release_date < start_date`
    : 'SELECT NULL AS document_id LIMIT 0';

/** Each pair once. A sentence that many documents have is a formula of theirs, and tells nothing. */
export const filedTwice =
  (bounds: { readonly shared: number; readonly documents: number }): Query =>
  () =>
    `WITH few AS (
       SELECT document_id, text_hash FROM (SELECT document_id, unnest(smallest) AS text_hash FROM sketches)
       QUALIFY count(*) OVER (PARTITION BY text_hash) BETWEEN 2 AND ${bounds.documents})
     SELECT a.document_id, b.document_id AS nearly_the_same_as, count(*) AS shared
     FROM few a JOIN few b ON a.text_hash = b.text_hash AND a.document_id < b.document_id
     GROUP BY a.document_id, b.document_id HAVING count(*) >= ${bounds.shared}`;

export const newestTooOld: Query = ({ dataset, settings, now }) =>
  `SELECT subject, ${NEWEST_TEXT} AS newest, CAST(${quote(now.toISOString().slice(0, 10))} AS DATE) - t.newest AS days
   FROM (${newestSql(dataset, 'documents', now)}) t WHERE ${settings.maxAgeDays} > 0 AND days > ${settings.maxAgeDays}`;
