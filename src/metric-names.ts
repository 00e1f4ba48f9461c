/** Metrics by the names that people use for them. */
import { findNearest } from './nearest.js';

/** As a table is headed, where the name is longer than its column: `growth` for `ec_growth_metric`. */
export const shortMetricName = (name: string): string =>
  name
    .replace(/^ec_/, '')
    .replace(/_(metric|relevancy|projection)$/g, '')
    .replaceAll('_', ' ');

/** With fewer letters, most metrics would hold it. */
const FEWEST_LETTERS = 3;
const MOST_NAMED = 5;

/**
 * The metrics that somebody may have meant by a name that none has: those whose name or heading holds it, the one that is
 * headed so first; else the one that is nearest.
 */
export const findMeantMetrics = (typed: string, names: readonly string[]): readonly string[] => {
  const wanted = spaced(typed);
  const headed = names.filter((name) => shortMetricName(name) === wanted);
  const holding = names.filter((name) => formsOf(name).some((form) => form.includes(wanted)) && !headed.includes(name));
  if (headed.length > 0 || (wanted.length >= FEWEST_LETTERS && holding.length > 0)) return [...headed, ...holding];
  const nearest = findNearest(wanted, names.flatMap(formsOf));
  return names.filter((name) => nearest !== undefined && formsOf(name).includes(nearest)).slice(0, 1);
};

/** To be said of a name that no metric has; empty where none is meant. Not all are named where many are. */
export const meantMetricsText = (typed: string, names: readonly string[]): string => {
  const meant = findMeantMetrics(typed, names);
  if (meant.length === 0) return '';
  const more = meant.length > MOST_NAMED ? ` or ${meant.length - MOST_NAMED} more that hold the word` : '';
  return `Did you mean ${meant.slice(0, MOST_NAMED).join(', ')}${more}?`;
};

const spaced = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

const formsOf = (name: string): readonly string[] => [
  shortMetricName(name),
  spaced(name),
  spaced(name.replace(/^ec_/, '')),
];
