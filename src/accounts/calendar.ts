/** Days and months of the quota: always UTC. */

const DAY_MS = 86_400_000;

/** YYYY-MM-DD */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** YYYY-MM, of an instant or of a day. */
export const monthOf = (instant: Date | string): string =>
  (typeof instant === 'string' ? instant : dayOf(instant)).slice(0, 7);

/** First instant of the month after. */
export const nextMonth = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1));

/** Days in the month. */
export const monthLength = (instant: Date): number =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 0)).getUTCDate();

/** So many days that end with the day of `last`, oldest first. */
export const daysUntil = (last: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => dayOf(new Date(last.getTime() - (count - 1 - place) * DAY_MS)));

/** ISO 8601, UTC, whole seconds. */
export const toSeconds = (instant: Date | string): string =>
  `${(typeof instant === 'string' ? instant : instant.toISOString()).slice(0, 19)}Z`;

/** Whole seconds from one instant to another, rounded up; 1 or more. */
export const secondsUntil = (later: Date, now: Date): number =>
  Math.max(1, Math.ceil((later.getTime() - now.getTime()) / 1000));
