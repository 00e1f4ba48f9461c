import type { Dataset } from '../../data/catalog.js';
import { identifier } from '../database.js';
import { whenSql } from './when.js';

/**
 * The newest document of each bank or ticker: `subject`, `newest`, `period`. Where a document has no day, the end of the year
 * or quarter that it is about stands for it, and `period` is that year or quarter, `2023 Q4`; it is null where `newest` is a
 * document's own day. A document that is dated after the day of `now` is left out, so that it cannot hide that a source has
 * gone stale; `newest` is null where there is no other.
 *
 * @param from a table or view with the columns of `documents`
 */
export const newestSql = (dataset: Dataset, from: string, now: Date): string => {
  const { day, period, isAhead } = whenSql(dataset);
  const past = `FILTER (WHERE NOT ${isAhead(now)})`;
  return `SELECT subject, newest, CASE WHEN newest_day IS DISTINCT FROM newest THEN ${period.text('newest')} END AS period FROM (
    SELECT ${identifier(dataset.partitionBy[0])} AS subject, max(coalesce(${day}, ${period.end})) ${past} AS newest, max(${day}) ${past} AS newest_day
    FROM ${from} GROUP BY ALL)`;
};

/** What the newest document of a row of `newestSql` is told by: its day, or its year or quarter. */
export const NEWEST_TEXT = 'coalesce(period, CAST(newest AS VARCHAR))';
