/** Figures as inline SVG: data in, markup out. Colours are classes, so that a page can be light, dark or printed. */
import { type Html, html } from './html.js';
import { at, linear, niceTicks, type Scale, yearTicks } from './scale.js';
import type { Dot, ModelShares, Panel, Trend, TrendPoint } from './types.js';
import { decimal, percent, signed, whole } from './words.js';

const WIDTH = 300;
const HEIGHT = 168;
const LEFT = 38;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 22;

export interface Frame {
  /** Whole years: the axis runs from the start of the first to the end of the last. */
  readonly years: readonly [number, number];
  readonly values: readonly number[];
}

/** The years that all panels of a set share, so that they can be compared. */
export const yearsOf = (times: readonly number[]): readonly [number, number] =>
  times.length === 0
    ? [0, 0]
    : times.reduce<[number, number]>(
        ([first, last], time) => [Math.min(first, Math.floor(time)), Math.max(last, Math.floor(time))],
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      );

/** Documents of one group as dots, coloured by their sign, and their mean by year as a line. */
export const panelPlot = (panel: Panel, { years, label }: { years: Frame['years']; label: string }): Html => {
  const frame: Frame = { years, values: [-1, -0.5, 0, 0.5, 1] };
  const { x, y } = scalesOf(frame);
  const line = panel.yearly.map(({ year, t, mean, n }) => ({
    px: x(t),
    py: y(mean),
    joined: panel.yearly.some((other) => other.year === year - 1),
    n,
    about: `${year}: mean ${signed(mean)} of ${whole(n)}`,
  }));
  const binned = panel.dots.some(({ n }) => n > 1);
  // The mean of one document is that document, whose dot says more.
  const means = line.filter(({ n }) => n > 1 || binned);
  return figure(
    label,
    frame,
    html`${lines(line)}${binned ? binMarks(panel.dots, x, y) : dotMarks(panel.dots, x, y)}${means.map(({ px, py, about }) => html`<circle class="mean" cx="${at(px)}" cy="${at(py)}" r="1.7"><title>${about}</title></circle>`)}`,
  );
};

/** The middle of all groups as a line, over the band of their middle half. */
export const trendPlot = (
  trend: Trend,
  { years, label, many }: { years: Frame['years']; label: string; many: string },
): Html => {
  const lows = trend.points.map(({ low, centre }) => Math.min(low, centre));
  const highs = trend.points.map(({ high, centre }) => Math.max(high, centre));
  const frame: Frame = { years, values: ticksAround(Math.min(...lows), Math.max(...highs)) };
  const { x, y } = scalesOf(frame);
  const step = stepOf(trend);
  const line = trend.points.map(({ t, centre, low, high, groups }, place) => ({
    px: x(t),
    py: y(centre),
    joined: place > 0 && t - (trend.points[place - 1]?.t ?? 0) < step * 1.5,
    low: y(low),
    high: y(high),
    about: `${timeName(t, step)}: ${decimal(centre, 3)}, middle half ${decimal(low, 3)} to ${decimal(high, 3)}, ${whole(groups)} ${many}`,
  }));
  const alone = line.length <= 60;
  return figure(
    label,
    frame,
    html`${bands(line)}${lines(line)}${line.map(
      ({ px, py, about }) =>
        html`<circle class="mean" cx="${at(px)}" cy="${at(py)}" r="${alone ? 1.8 : 1.2}"><title>${about}</title></circle>`,
    )}`,
  );
};

/** One bar, a stretch a label; a line across it where a label ended in the last snapshot. No text: it may be stretched. */
export const shareBar = ({ name, labels }: ModelShares): Html => {
  let done = 0;
  let before = 0;
  const stretches = labels.map(({ label, share }, index) => {
    const start = done;
    done += share;
    return html`<rect class="${toneOf(index, labels.length)}" x="${at(start * 1000)}" y="4" width="${at(share * 1000)}" height="16"><title>${label}: ${percent(share)}</title></rect>`;
  });
  const marks = labels.slice(0, -1).map(({ label, before: share }) => {
    if (share === null) return null;
    before += share;
    const d = `M${at(before * 1000)} 0V24`;
    return html`<path class="halo" d="${d}"/><path class="was" d="${d}"><title>Last snapshot, end of ${label}: ${percent(before)}</title></path>`;
  });
  const text = `${name}: ${labels.map(({ label, share }) => `${label} ${percent(share)}`).join(', ')}`;
  return html`<svg class="bar" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label="${text}">${stretches}${marks}</svg>`;
};

/** The last label is the rest, and pale. Of three or more labels the first two are poles, in the hues of above and below zero. */
export const toneOf = (index: number, labels: number): 'up' | 'down' | 's' | 'mid' | 'rest' => {
  if (index === labels - 1) return 'rest';
  if (labels === 2) return 's';
  return index === 0 ? 'up' : index === 1 ? 'down' : 'mid';
};

/** A bar from zero to a value of -1 to 1, on a scale that reaches `most` to both sides. */
export const balanceBar = (value: number, most: number): Html => {
  const end = 500 + (value / (most || 1)) * 490;
  return html`<svg class="balance" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true"><rect class="${
    value < 0 ? 'down' : 'up'
  }" x="${at(Math.min(500, end))}" y="1" width="${at(Math.max(1, Math.abs(end - 500)))}" height="12"/><rect class="zero" x="498.5" y="0" width="3" height="14"/></svg>`;
};

const scalesOf = ({ years: [first, last], values }: Frame): { readonly x: Scale; readonly y: Scale } => ({
  x: linear([first, last + 1], [LEFT, WIDTH - RIGHT]),
  y: linear([values[0] ?? 0, values.at(-1) ?? 1], [HEIGHT - BOTTOM, TOP]),
});

const figure = (label: string, frame: Frame, marks: Html): Html => {
  const { x, y } = scalesOf(frame);
  const isWhole = (value: number, power: number): boolean => Math.abs(value * power - Math.round(value * power)) < 1e-6;
  const digits = [1, 2, 3].find((n) => frame.values.every((value) => isWhole(value, 10 ** n))) ?? 4;
  const rules = frame.values.map(
    (value) => html`<path class="${value === 0 ? 'axis' : 'rule'}" d="M${LEFT} ${at(y(value))}H${WIDTH - RIGHT}"/>
<text class="y" x="${LEFT - 6}" y="${at(y(value) + 3.5)}">${decimal(value, digits)}</text>`,
  );
  const ticks = yearTicks(frame.years[0], frame.years[1], 5).map(
    (year) => html`<path class="axis" d="M${at(x(year + 0.5))} ${HEIGHT - BOTTOM}v3"/>
<text class="x" x="${at(x(year + 0.5))}" y="${HEIGHT - 6}">${year}</text>`,
  );
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${rules}${ticks}${marks}</svg>`;
};

const dotMarks = (dots: readonly Dot[], x: Scale, y: Scale): readonly Html[] =>
  dots.map(
    ({ t, value, name }) =>
      html`<circle class="${signClass(value)}" cx="${at(x(t))}" cy="${at(y(value))}" r="${dots.length <= 15 ? 3 : 2}"><title>${name ?? ''}: ${signed(value)}</title></circle>`,
  );

/** Many documents are a few paths: a bin is a point of a path, the stronger the more documents it stands for. */
const binMarks = (dots: readonly Dot[], x: Scale, y: Scale): readonly Html[] => {
  const most = Math.max(...dots.map(({ n }) => n));
  const strength = (n: number): number => (n <= most * 0.1 ? 1 : n <= most * 0.4 ? 2 : 3);
  return ['up', 'down', 'even'].flatMap((sign) =>
    [1, 2, 3].map((level) => {
      const points = dots.filter(({ n, value }) => strength(n) === level && signClass(value) === sign);
      if (points.length === 0) return html``;
      const path = points.map(({ t, value }) => `M${at(x(t))} ${at(y(value))}h0`).join('');
      return html`<path class="bin ${sign} b${level}" d="${path}"/>`;
    }),
  );
};

const signClass = (value: number): 'up' | 'down' | 'even' => (value > 0 ? 'up' : value < 0 ? 'down' : 'even');

interface Point {
  readonly px: number;
  readonly py: number;
  /** Does the point before lie one step before it? */
  readonly joined: boolean;
}

/** A full line between neighbours in time, a faint one over what is missing. */
const lines = (points: readonly Point[]): Html => {
  const full = points.map(({ px, py, joined }) => `${joined ? 'L' : 'M'}${at(px)} ${at(py)}`).join('');
  const gaps = points
    .map(({ px, py, joined }, place) => {
      const before = points[place - 1];
      return joined || before === undefined ? '' : `M${at(before.px)} ${at(before.py)}L${at(px)} ${at(py)}`;
    })
    .join('');
  return html`${gaps === '' ? null : html`<path class="gap" d="${gaps}"/>`}<path class="line" d="${full}"/>`;
};

const bands = (points: readonly (Point & { readonly low: number; readonly high: number })[]): Html => {
  const runs: (typeof points)[number][][] = [];
  for (const point of points) {
    if (point.joined) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  const path = runs
    .map((run) =>
      run.length === 1 && run[0] !== undefined
        ? `M${at(run[0].px - 2)} ${at(run[0].high)}h4V${at(run[0].low)}h-4Z`
        : `M${run.map(({ px, high }) => `${at(px)} ${at(high)}`).join('L')}L${run
            .toReversed()
            .map(({ px, low }) => `${at(px)} ${at(low)}`)
            .join('L')}Z`,
    )
    .join('');
  return html`<path class="band" d="${path}"/>`;
};

/** Zero is on the axis where it is near the values; else it would press them flat. */
const ticksAround = (least: number, most: number): readonly number[] => {
  const flat = most - least < 0.02;
  const [low, high] = flat ? [least - 0.04, most + 0.04] : [least, most];
  const near = (edge: number): boolean => Math.abs(edge) < (high - low) * 1.5;
  return niceTicks(least >= 0 && near(least) ? 0 : low, most <= 0 && least < 0 && near(most) ? 0 : high, 5);
};

/** Whole years stand in their middle; else the points are quarters. */
const stepOf = ({ points }: Trend): number => (points.some(({ t }) => t % 1 !== 0.5) ? 0.25 : 1);

/** The year or quarter of the last point, and how many groups it is of: the newest are often few. */
export const lastOf = (trend: Trend): { readonly when: string; readonly point: TrendPoint } | undefined => {
  const point = trend.points.at(-1);
  return point === undefined ? undefined : { when: timeName(point.t, stepOf(trend)), point };
};

const timeName = (t: number, step: number): string =>
  step === 1 ? String(Math.floor(t)) : `Q${Math.floor((t % 1) * 4) + 1} ${Math.floor(t)}`;
