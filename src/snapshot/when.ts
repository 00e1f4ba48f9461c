import type { Dataset } from '../../data/catalog.js';
import { quote } from '../database.js';

/** What is known of the time of a document, as SQL over a row of `documents`. */
export interface When {
  /** The day that it has: its date, else the first day of the meeting; null where it has none. */
  readonly day: string;
  /** What a document without a day is told by. */
  readonly period: {
    readonly name: 'year' | 'fiscal quarter';
    /** A number that grows with time. */
    readonly place: string;
    /** The end of the calendar's year or quarter of that name; null where there is none. A fiscal quarter may end on another day. */
    readonly end: string;
    /** What the period is called whose end this is: `2023`, `2023 Q4`. */
    readonly text: (end: string) => string;
  };
  /** Whether it is after the day of `now`: a slip of the source, such as 2062 for 2026. False where nothing is known. */
  readonly isAhead: (now: Date) => string;
}

/** Where it is tomorrow first, it is 14 hours later than in Greenwich: a bank there may have published already. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/** The latest day that it is anywhere at that time. */
const lastDayAt = (now: Date): string =>
  `CAST(${quote(new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10))} AS DATE)`;

export const whenSql = ({ dimensions }: Dataset): When => {
  const has = (column: string): boolean => dimensions.some(({ name }) => name === column);
  const quarterly = has('quarter');
  // A year or quarter that cannot be is another check's finding.
  const isSound = `year BETWEEN 1 AND 9999${quarterly ? ' AND quarter BETWEEN 1 AND 4' : ''}`;
  const month = quarterly ? 'CAST(quarter AS BIGINT) * 3' : '12';
  const day = has('start_date') ? 'coalesce(date, start_date)' : 'date';
  const end = `CASE WHEN ${isSound} THEN last_day(make_date(CAST(year AS BIGINT), ${month}, 1)) END`;
  return {
    day,
    period: {
      name: quarterly ? 'fiscal quarter' : 'year',
      place: quarterly ? 'CAST(year AS BIGINT) * 4 + quarter' : 'year',
      end,
      text: (end) => `CAST(year(${end}) AS VARCHAR)${quarterly ? ` || ' Q' || quarter(${end})` : ''}`,
    },
    // A fiscal quarter may be over nearly a year before the calendar's quarter of that name.
    isAhead: (now) => `coalesce(${day} > ${lastDayAt(now)}, ${end} > ${lastDayAt(now)} + INTERVAL 1 YEAR, false)`,
  };
};
