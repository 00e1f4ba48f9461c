/** Values to places, and round numbers for axes. */
export type Scale = (value: number) => number;

export const linear =
  (from: readonly [number, number], to: readonly [number, number]): Scale =>
  (value) =>
    to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0]);

/**
 * Round numbers for an axis that covers the values and zero: `least` and `most` lie between the first and the last.
 *
 * @param count about how many
 */
export const valueTicks = (least: number, most: number, count: number): readonly number[] => {
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  const rough = Math.max(high - low, 1e-3) / Math.max(1, count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Dividing by a whole number keeps 0.1 + 0.2 from showing.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toFixed(10)));
};

/** Decimals that tell ticks apart: 0.25 and 0.5 need two. */
export const decimalsOf = (ticks: readonly number[]): number =>
  [0, 1, 2, 3, 4].find((digits) => ticks.every((tick) => Math.abs(tick - Number(tick.toFixed(digits))) < 1e-9)) ?? 5;

export interface TimeTick {
  /** Days since 1970. */
  readonly at: number;
  readonly text: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const DAY = 86_400_000;

/** Months between two ticks, the finest first. */
const STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600] as const;

/**
 * First days of months or years between two days, at round steps.
 *
 * @param first days since 1970
 * @param count at most so many
 */
export const timeTicks = (first: number, last: number, count: number): readonly TimeTick[] => {
  const monthOf = (day: number): number => {
    const date = new Date(day * DAY);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const startOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY;
  const [from, to] = [monthOf(first), monthOf(last)];
  const step = STEPS.find((size) => (to - from) / size <= count - 1) ?? 1200;
  const ticks: TimeTick[] = [];
  for (let month = Math.ceil(from / step) * step; month <= to; month += step) {
    const at = startOf(month);
    if (at < first || at > last) continue;
    const year = Math.floor(month / 12);
    ticks.push({ at, text: step >= 12 || month % 12 === 0 ? String(year) : `${MONTHS[month % 12]} ${year}` });
  }
  return ticks;
};
