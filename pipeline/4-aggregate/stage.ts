import { join } from 'node:path';
import { identifier, parquet } from '../../src/database.js';
import { canonicalJson, hashText } from '../../src/files.js';
import { countColumn, countSql, formulaText, metricSql } from '../../src/formula.js';
import type { Stage } from '../stage.js';

/** Labels to counts, and counts to metrics, with how many sentences there are. Nothing is asked of a model here: a new formula costs seconds. */
export const aggregate: Stage = {
  name: 'aggregate',
  version: '2',
  scope: 'partition',
  about: 'labels to counts and metrics',
  ingredients: async (partition, { counts, metrics, output }) => ({
    sentences: output('classify', partition).files['sentences.parquet'] ?? 'missing',
    counts: hashText(canonicalJson(counts)),
    ...Object.fromEntries(metrics.map((metric) => [`formula ${metric.name}`, formulaKey(metric.formula)])),
  }),
  open: async (_partitions, { counts, metrics, database, output }) => ({
    concurrency: 4,
    run: async (partition, folder) => {
      const sentences = parquet(join(output('classify', partition).folder, 'sentences.parquet'));
      const countsFile = join(folder, 'counts.parquet');
      const documents = await database.writeQuery(
        `SELECT document_id, ${counts.map(countSql).join(', ')} FROM ${sentences} GROUP BY document_id ORDER BY document_id`,
        countsFile,
      );
      const lengths = `SELECT document_id, CAST(count(*) AS INTEGER) AS sentence_count, CAST(count(mark) AS INTEGER) AS marked_count
        FROM ${sentences} GROUP BY document_id`;
      await database.writeQuery(
        `SELECT document_id, sentence_count, marked_count, ${metrics.map(metricSql).join(', ')}
         FROM (${lengths}) JOIN ${parquet(countsFile)} USING (document_id) ORDER BY document_id`,
        join(folder, 'metrics.parquet'),
      );
      return { files: ['counts.parquet', 'metrics.parquet'], amounts: { documents } };
    },
    close: async () => ({}),
  }),
};

/** What a formula computes: its counts by column, so that a change of a joint count is a change of the formula. */
const formulaKey = (formula: Parameters<typeof formulaText>[0]): string =>
  `${formulaText(formula)} of ${hashText(
    [formula.plus, formula.minus, formula.over, formula.overMinus]
      .map((side) => side.map(countColumn).map(identifier).join('+'))
      .join('|'),
  ).slice(0, 12)}`;
