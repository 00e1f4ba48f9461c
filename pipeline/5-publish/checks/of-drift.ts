/**
 * Queries of the checks that compare the staged tables with those of the last snapshot (`last_documents`, `last_counts`).
 * Each returns the offending rows. How many sentences have a label is known by the counts.
 */
import { getModel, type ModelId } from '../../../models/catalog.js';
import { identifier, quote } from '../../../src/database.js';
import { countColumn } from '../../../src/formula.js';
import { NEWEST_TEXT, newestSql } from '../../../src/snapshot/newest.js';
import type { CheckInput } from './input.js';

type Query = (input: CheckInput) => string;

/** Whose numbers are compared: those of what is the same as in the last snapshot, or of what is not. */
export type Made = 'the same way' | 'another way';

const NOTHING = 'SELECT NULL AS subject LIMIT 0';

const together = (queries: readonly string[]): string => (queries.length === 0 ? NOTHING : queries.join(' UNION ALL '));

const IN_BOTH = 'SELECT d.document_id FROM documents d SEMI JOIN last_documents USING (document_id)';

export const documentsLost: Query = ({ settings }) =>
  `SELECT * FROM (
     SELECT count(*) AS before, count(*) FILTER (WHERE d.document_id IS NULL) AS missing, min(l.document_id) FILTER (WHERE d.document_id IS NULL) AS first_missing
     FROM last_documents l LEFT JOIN documents d USING (document_id))
   WHERE missing > ${settings.maxDropped} * before`;

export const sentencesLost: Query = ({ settings }) =>
  `SELECT * FROM (
     SELECT count(*) AS documents, sum(l.sentence_count) AS before, sum(d.sentence_count) AS now, arg_max(document_id, l.sentence_count - d.sentence_count) AS lost_most
     FROM last_documents l JOIN documents d USING (document_id))
   WHERE before - now > ${settings.maxDropped} * before`;

export const newestLost: Query = ({ dataset, now }) =>
  `SELECT subject, l.text AS before, d.text AS now
   FROM (SELECT *, ${NEWEST_TEXT} AS text FROM (${newestSql(dataset, 'last_documents', now)})) l
   LEFT JOIN (SELECT *, ${NEWEST_TEXT} AS text FROM (${newestSql(dataset, 'documents', now)})) d USING (subject)
   WHERE l.newest IS NOT NULL AND (d.newest IS NULL OR d.newest < l.newest)`;

const modelsMade = (made: Made, { dataset, kept }: CheckInput): readonly ModelId[] =>
  dataset.models.filter((model) => kept.models.has(model) === (made === 'the same way'));

/** A model that the last snapshot did not have is null there, and not compared. */
const lastCounts = (where: string): string =>
  `(SELECT * FROM (SELECT * FROM counts WHERE false UNION ALL BY NAME SELECT * FROM last_counts) ${where})`;

/** Rows of `model`, `label` and the label's share before and now; each table is read once for all of them. */
const sharesSql = (
  models: readonly ModelId[],
  before: string,
  now: string,
  isCompared: (label: string, model: ModelId) => boolean,
): string => {
  const pairs = models.flatMap((model) =>
    getModel(model)
      .labels.filter((label) => isCompared(label, model))
      .map((label, at) => ({ model, label, name: identifier(`${model} ${at}`) })),
  );
  if (pairs.length === 0) return `SELECT NULL AS model, NULL AS label, 0.0 AS before, 0.0 AS now LIMIT 0`;
  const sum = (model: ModelId, label: string | null): string => `sum(${identifier(countColumn({ model, label }))})`;
  const shares = pairs.map(
    ({ model, label, name }) => `${sum(model, label)} / nullif(${sum(model, null)}, 0) AS ${name}`,
  );
  const rows = pairs.map(
    ({ model, label, name }) =>
      `{'model': ${quote(model)}, 'label': ${quote(label)}, 'before': b.${name}, 'now': n.${name}}`,
  );
  return `SELECT unnest([${rows.join(', ')}], recursive := true)
    FROM (SELECT ${shares.join(', ')} FROM ${before}) b, (SELECT ${shares.join(', ')} FROM ${now}) n`;
};

/** Over the documents that both have, so that a growing corpus is no drift. */
export const labelSharesMoved =
  (made: Made, bounds: { readonly share: number; readonly documents: number }): Query =>
  (input) => {
    const both = `SEMI JOIN (${IN_BOTH}) USING (document_id)`;
    const shares = sharesSql(modelsMade(made, input), lastCounts(both), `counts ${both}`, () => true);
    return `SELECT * FROM (${shares})
      WHERE abs(now - before) > ${bounds.share} AND (SELECT count(*) FROM (${IN_BOTH})) >= ${bounds.documents}`;
  };

/**
 * A night on which a model finds the same in everything: the documents that are new or reworded are too few to move a share
 * of the whole. The last label of a model, that there is nothing to find, may be all that a night brings.
 */
export const newLabelsUnlike =
  (made: Made, bounds: { readonly sentences: number; readonly share: number; readonly before: number }): Query =>
  (input) => {
    const fresh = `SELECT d.document_id, d.sentence_count FROM documents d LEFT JOIN last_documents l USING (document_id)
      WHERE l.document_id IS NULL OR l.text_sha256 <> d.text_sha256`;
    const counted = `(SELECT * FROM counts SEMI JOIN (${fresh}) USING (document_id))`;
    const finds = (label: string, model: ModelId): boolean => label !== getModel(model).labels.at(-1);
    return `SELECT * FROM (${sharesSql(modelsMade(made, input), lastCounts(''), counted, finds)})
      WHERE now >= ${bounds.share} AND before <= ${bounds.before} AND (SELECT sum(sentence_count) FROM (${fresh})) >= ${bounds.sentences}`;
  };

/** `share` is of the width of the metric's range. A metric that the last snapshot did not have is not compared. */
export const metricMeansMoved =
  (made: Made, bounds: { readonly share: number; readonly documents: number }): Query =>
  ({ metrics, kept }) =>
    together(
      metrics
        .filter(({ name }) => kept.metrics.has(name) === (made === 'the same way'))
        .map(({ name, range: [least, most] }) => {
          const column = identifier(name);
          const last = '(SELECT * FROM documents WHERE false UNION ALL BY NAME SELECT * FROM last_documents)';
          return `SELECT ${quote(name)} AS metric, avg(l.${column}) AS before, avg(d.${column}) AS now, count(*) AS documents
                  FROM documents d JOIN ${last} l USING (document_id) WHERE d.${column} IS NOT NULL AND l.${column} IS NOT NULL
                  HAVING count(*) >= ${bounds.documents} AND abs(now - before) > ${bounds.share * (most - least)}`;
        }),
    );
