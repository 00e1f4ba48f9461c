import type { Dataset } from '../../data/catalog.js';
import { whenSql } from '../../src/snapshot/when.js';

/**
 * Documents, each with the one that is kept of all that have its text, `first_of_text`, and with why it is left out itself,
 * `left_out`: null where it is kept. Kept is the earliest by what is known of its time, then by id; that it is earlier is said
 * only where both are known.
 *
 * @param from a table with the columns of `documents`
 */
export const sameTextSql = (dataset: Dataset, from: string): string => {
  const { day, period } = whenSql(dataset);
  return `SELECT * EXCLUDE (known_day, known_place, first_day, first_place),
      CASE WHEN document_id <> first_of_text THEN 'Its text is the same as that of ' || first_of_text || ', which is ' || CASE
        WHEN first_day < known_day THEN 'earlier and is kept.'
        WHEN first_day = known_day THEN 'of the same day and is kept as the first by name.'
        WHEN first_place < known_place THEN 'of an earlier ${period.name} and is kept.'
        WHEN first_place = known_place AND first_day IS NULL AND known_day IS NULL THEN 'of the same ${period.name} and is kept as the first by name.'
        ELSE 'kept; which of the two is earlier is not known.' END END AS left_out
    FROM (SELECT *, first_value(document_id) OVER same AS first_of_text,
        first_value(known_day) OVER same AS first_day, first_value(known_place) OVER same AS first_place
      FROM (SELECT *, ${day} AS known_day, ${period.place} AS known_place FROM ${from})
      WINDOW same AS (PARTITION BY text_sha256 ORDER BY coalesce(known_day, ${period.end}) NULLS LAST, document_id))`;
};
