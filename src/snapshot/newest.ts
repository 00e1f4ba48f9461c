import type { Dataset } from '../../data/catalog.js';
import { identifier } from '../database.js';

/**
 * The newest document of each bank or ticker: `subject`, `newest`. Where a document has no date, the end of the quarter or
 * of the year that it is about stands for it.
 *
 * @param from a table or view with the columns of `documents`
 */
export const newestSql = (dataset: Dataset, from: string): string => {
  const hasQuarter = dataset.dimensions.some(({ name }) => name === 'quarter');
  const month = hasQuarter ? 'CAST(quarter AS BIGINT) * 3' : '12';
  // A year or quarter that cannot be is another check's finding.
  const isSound = `year BETWEEN 1 AND 9999${hasQuarter ? ' AND quarter BETWEEN 1 AND 4' : ''}`;
  const period = `CASE WHEN ${isSound} THEN last_day(make_date(CAST(year AS BIGINT), ${month}, 1)) END`;
  return `SELECT ${identifier(dataset.partitionBy[0])} AS subject, max(coalesce(date, ${period})) AS newest FROM ${from} GROUP BY ALL`;
};
