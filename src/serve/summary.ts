/** Average, least, greatest value and number of values of a metric over chosen documents. */
import type { MetricColumn } from './metric-column.js';
import type { Selection } from './selection.js';

export interface MetricSummary {
  readonly metric: string;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Documents with a value. */
  readonly count: number;
}

/** Adds in the order of the listing, so that the same question always gets the same bytes. */
export const summarize = ({ name, codes, numbers }: MetricColumn, selection: Selection): MetricSummary => {
  let [sum, count, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < selection.length; at += 1) {
    const code = codes[selection[at] ?? 0] ?? 0;
    if (code === 0) continue;
    const value = numbers[code] ?? 0;
    sum += value;
    count += 1;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (count === 0) return { metric: name, avg: null, min: null, max: null, count };
  // A rounding error must not put an average outside its values.
  return { metric: name, avg: Math.min(max, Math.max(min, sum / count)), min, max, count };
};
