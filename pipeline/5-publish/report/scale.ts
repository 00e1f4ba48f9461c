/** Values to places, and round numbers for axes. */
export type Scale = (value: number) => number;

export const linear =
  (from: readonly [number, number], to: readonly [number, number]): Scale =>
  (value) =>
    to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0]);

/** Round numbers that cover the values: about `count` of them, the first and last being the ends of the axis. */
export const niceTicks = (least: number, most: number, count: number): readonly number[] => {
  const span = Math.max(most - least, 1e-3);
  const rough = span / Math.max(1, count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toFixed(10)));
};

/** Years to write on an axis of whole years: at most `count`, at round steps. */
export const yearTicks = (first: number, last: number, count: number): readonly number[] => {
  const years = last - first + 1;
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => Math.ceil(years / size) <= count) ?? 200;
  const start = Math.ceil(first / step) * step;
  const found = Array.from(
    { length: Math.max(0, Math.floor((last - start) / step) + 1) },
    (_, at) => start + at * step,
  );
  return found.length > 0 ? found : [first];
};

/** A place as SVG writes it: one decimal is a tenth of a pixel. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);
