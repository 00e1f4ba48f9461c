/** A chart of lines over time, drawn as SVG: axes, a zero line, gaps where there is no value, and a reading by pointer or keys. */
import type { ChartOptions, Line, Spot } from './chart-options.js';
import { element, mark } from './dom.js';
import { crossAt, shapeAt } from './looks.js';
import { drawReadout } from './readout.js';
import { decimalsOf, linear, type Scale, timeTicks, valueTicks } from './scale.js';
import { stretches } from './series.js';
import { decimal } from './words.js';

export interface Chart {
  readonly node: HTMLElement;
  /** Draws a line at a day, or none. */
  readonly showDay: (day: number | undefined) => void;
}

const LEFT = 46;
const RIGHT = 14;
const TOP = 10;
/** Room for the days, and above it for documents without a value. */
const BOTTOM = 24;
const RAIL = 20;

export const drawChart = (options: ChartOptions): Chart => {
  const { lines, width, height, days, unit, range, title } = options;
  const known = lines.flatMap(({ series }) =>
    series.points.flatMap(({ value, line }) => [value, line].filter((number) => number !== null)),
  );
  const lacks = lines.some(({ series }) => series.points.some(({ value }) => value === null));
  const floor = height - BOTTOM - (lacks ? RAIL : 0);
  // Of nulls and zeros alone no axis can be made.
  const shown = known.some((number) => number !== 0) ? known : range;
  const ticks = valueTicks(Math.min(0, ...shown), Math.max(0, ...shown), height > 240 ? 6 : 5);
  const x = linear(days, [LEFT + 6, width - RIGHT]);
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [floor, TOP]);
  const rail = height - BOTTOM - 7;

  const cursor = mark('path', { class: 'cursor' });
  const stretch = mark('rect', { class: 'stretch', y: TOP, height: floor - TOP, width: 0 });
  const chosen = mark('path', { class: 'chosen' });
  const svg = mark(
    'svg',
    { class: 'plot', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    ...valueAxis(ticks, y, width),
    ...timeAxis(days, x, height, width),
    ...(lacks ? [missingRail(rail, width)] : []),
    ...(known.length === 0 ? [noValue((LEFT + width) / 2, (TOP + floor) / 2)] : []),
    stretch,
    cursor,
    ...lines.map((line) => drawLine(line, options, x, y, rail)),
    chosen,
  );
  const spots = lines.flatMap((line) =>
    line.series.points.map(
      (point): Spot => ({ point, line, x: x(point.day), y: point.value === null ? rail : y(point.value) }),
    ),
  );

  const showDay = (day: number | undefined): void =>
    cursor.setAttribute('d', day === undefined ? '' : `M${Math.round(x(day)) + 0.5} ${TOP}V${height - BOTTOM}`);
  const area = element('div', {
    class: 'area',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'line chart',
    'aria-label': `${title}. ${spots.length} points of ${lines.map(({ name }) => name).join(', ')}. Left and right go from document to document, up and down from line to line, Enter opens the sentences. The table below says the same.`,
  });
  area.append(svg);
  drawReadout({ area, spots, chosen, stretch, options, dayAt: inverse(x), showDay });
  return {
    node: element(
      'figure',
      { class: 'chart' },
      element('figcaption', {}, element('h3', {}, title), element('p', {}, `${options.about} · ${unit}`)),
      area,
    ),
    showDay,
  };
};

const inverse =
  (scale: Scale): Scale =>
  (place) =>
    (place - scale(0)) / (scale(1) - scale(0));

const valueAxis = (ticks: readonly number[], y: Scale, width: number): readonly SVGElement[] => {
  const digits = decimalsOf(ticks);
  return ticks.flatMap((tick) => {
    const place = Math.round(y(tick)) + 0.5;
    return [
      mark('path', { class: tick === 0 ? 'zero' : 'rule', d: `M${LEFT} ${place}H${width - RIGHT + 8}` }),
      mark('text', { class: 'y', x: LEFT - 7, y: place + 3.5 }, decimal(tick, digits)),
    ];
  });
};

const timeAxis = (days: readonly [number, number], x: Scale, height: number, width: number): readonly SVGElement[] =>
  timeTicks(days[0], days[1], Math.max(2, Math.floor(width / 70))).flatMap(({ at, text }) => [
    mark('path', { class: 'tick', d: `M${Math.round(x(at)) + 0.5} ${height - BOTTOM}v4` }),
    mark('text', { class: 'x', x: Math.min(width - 18, x(at)), y: height - 6 }, text),
  ]);

const missingRail = (rail: number, width: number): SVGElement =>
  mark(
    'g',
    { class: 'rail' },
    mark('rect', { x: LEFT, y: rail - 8, width: width - RIGHT + 8 - LEFT, height: 16 }),
    mark('text', { class: 'y', x: LEFT - 7, y: rail + 3.5 }, 'none'),
  );

const noValue = (x: number, y: number): SVGElement =>
  mark('text', { class: 'x', x, y }, 'No document here has a value: there is nothing to divide by');

const drawLine = ({ series, look }: Line, { smooth, width }: ChartOptions, x: Scale, y: Scale, rail: number) => {
  const place = (number: number): number => Math.round(number * 10) / 10;
  const path = stretches(series.points)
    .map((stretch) => stretch.map(({ day, line }) => `${place(x(day))} ${place(y(line ?? 0))}`).join('L'))
    .map((stretch) => `M${stretch}`)
    .join('');
  const known = series.points.filter(({ value }) => value !== null);
  const radius = Math.max(1.5, Math.min(3.4, (width / Math.max(1, known.length)) * 0.55));
  return mark(
    'g',
    { class: `look${look}${smooth > 1 ? ' smoothed' : ''}` },
    mark('path', { class: 'line', d: path }),
    mark('path', {
      class: 'points',
      d: known.map(({ day, value }) => shapeAt(look, x(day), y(value ?? 0), radius)).join(''),
    }),
    mark('path', {
      class: 'missing',
      d: series.points
        .filter(({ value }) => value === null)
        .map(({ day }) => crossAt(x(day), rail))
        .join(''),
    }),
  );
};
