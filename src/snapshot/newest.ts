import type { Dataset } from '../../data/catalog.js';
import { identifier } from '../database.js';
import { whenSql } from './when.js';

/**
 * The newest document of each bank or ticker: `subject`, `newest`, `period`. Where a document has no day, the end of the year
 * or quarter that it is about stands for it, and `period` is that year or quarter, `2023 Q4`; it is null where `newest` is a
 * document's own day.
 *
 * @param from a table or view with the columns of `documents`
 */
export const newestSql = (dataset: Dataset, from: string): string => {
  const { day, period } = whenSql(dataset);
  return `SELECT subject, newest, CASE WHEN newest_day IS DISTINCT FROM newest THEN ${period.text('newest')} END AS period FROM (
    SELECT ${identifier(dataset.partitionBy[0])} AS subject, max(coalesce(${day}, ${period.end})) AS newest, max(${day}) AS newest_day
    FROM ${from} GROUP BY ALL)`;
};

/** What the newest document of a row of `newestSql` is told by: its day, or its year or quarter. */
export const NEWEST_TEXT = 'coalesce(period, CAST(newest AS VARCHAR))';
