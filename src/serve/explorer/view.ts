/** What the desk shows of the documents it has: charts, the figures of each line, and the sentences about what is missing. */
import type { Dataset, Document } from '../../client/types.js';
import { type Chart, drawChart } from './chart.js';
import type { Line } from './chart-options.js';
import { dayText, fromDay, toDay } from './days.js';
import { button, element, quiet } from './dom.js';
import { swatch } from './looks.js';
import { MOST, type Selection } from './selection.js';
import { type Glance, glanceAt, isWithin, type Point, placeOf, type Series, toSeries, type Window } from './series.js';
import { count, decimal, joined, metricName, signed, subjectName, unitOf, whole } from './words.js';

export interface Shown {
  readonly series: readonly Series[];
  /** The documents of all subjects within the period. */
  readonly documents: readonly Document[];
  /** Of them, those that no chart can place. */
  readonly undated: number;
}

export const windowOf = ({ from, to }: Pick<Selection, 'from' | 'to'>): Window => ({
  from: toDay(from),
  to: toDay(to),
});

/** @param rows every document, by bank or ticker */
export const toShown = (selection: Selection, rows: ReadonlyMap<string, readonly Document[]>): Shown => {
  const window = windowOf(selection);
  const documents = selection.subjects.flatMap((subject) =>
    (rows.get(subject) ?? []).filter((row) => isWithin(row, window)),
  );
  return {
    series: selection.metrics.flatMap((metric) =>
      selection.subjects.map((subject) => toSeries(rows.get(subject) ?? [], subject, metric, selection.smooth, window)),
    ),
    documents,
    undated: documents.filter((row) => placeOf(row) === undefined).length,
  };
};

/** Banks by their names; tickers are names. */
export const nameOf = (by: string, subject: string): string => (by === 'ticker' ? subject : subjectName(subject));

/** When a document is from: its day, or a call's fiscal quarter and its day where that is known. */
export const whenOf = ({ year, quarter, date }: Document): string => {
  if (typeof quarter === 'number') return `Q${quarter} ${year}${date === null ? '' : `, call of ${dayText(date)}`}`;
  return date === null ? `${year}, day not known` : dayText(date);
};

export interface ChartsOptions {
  readonly host: HTMLElement;
  readonly selection: Selection;
  readonly dataset: Dataset;
  readonly by: string;
  readonly shown: Shown;
  readonly onOpen: (document: Document, metric: string) => void;
  readonly onZoom: (from: string, to: string) => void;
}

export const drawCharts = ({ host, selection, dataset, by, shown, onOpen, onZoom }: ChartsOptions): void => {
  const places = shown.series.flatMap(({ points }) => points.map(({ day }) => day));
  if (places.length === 0) {
    host.replaceChildren();
    return;
  }
  const window = windowOf(selection);
  const ends = [Math.min(...places), Math.max(...places)] as const;
  const margin = Math.max(10, (ends[1] - ends[0]) * 0.015);
  const days = [
    Math.min(window.from ?? Number.POSITIVE_INFINITY, ends[0] - margin),
    Math.max(window.to ?? Number.NEGATIVE_INFINITY, ends[1] + margin),
  ] as const;
  const isOne = isOnOneChart(selection);
  const panels = isOne
    ? [shown.series]
    : selection.metrics.map((metric) => shown.series.filter((one) => one.metric === metric));
  const width = Math.max(280, Math.floor(host.clientWidth));
  const charts: Chart[] = panels.map((panel) => {
    const [first] = panel;
    const about = dataset.metrics.find(({ name }) => name === first?.metric);
    const lines = panel.map((series, at): Line => {
      const subject = nameOf(by, series.subject);
      const isNamedByMetric = isOne && selection.metrics.length > 1;
      return {
        series,
        look: at,
        name: isNamedByMetric ? `${subject}, ${metricName(series.metric).toLowerCase()}` : subject,
      };
    });
    const names = new Set(panel.map(({ metric }) => metric));
    const several = names.size > 1;
    const ranges = dataset.metrics.filter(({ name }) => names.has(name)).flatMap(({ range }) => range);
    return drawChart({
      title: several ? joined(selection.metrics.map(metricName)) : metricName(first?.metric ?? ''),
      about: several ? 'Shares and balances on one axis' : (about?.description ?? ''),
      unit: several || about === undefined ? 'shares 0 to 1, balances −1 to 1' : unitOf(about.range),
      range: [Math.min(...ranges), Math.max(...ranges)],
      lines,
      days,
      smooth: selection.smooth,
      width,
      height:
        panels.length === 1 ? Math.min(400, Math.max(260, width * 0.42)) : Math.min(250, Math.max(200, width * 0.3)),
      nameOf: ({ document }) => whenOf(document),
      onOpen: ({ document }: Point, { series }) => onOpen(document, series.metric),
      onRead: (day) => {
        for (const { showDay } of charts) showDay(day);
      },
      onZoom: (first, last) => {
        if (last > first) onZoom(fromDay(first), fromDay(last));
      },
    });
  });
  const legend = drawLegend(panels[0] ?? [], selection, by, isOne, shown.series);
  host.replaceChildren(legend, ...charts.map(({ node }) => node));
};

/** All lines on one chart, where they are few enough to be told apart. */
export const isOnOneChart = ({ charts, subjects, metrics }: Selection): boolean =>
  charts === 'one' && subjects.length * metrics.length <= MOST;

const drawLegend = (
  panel: readonly Series[],
  { metrics, smooth }: Selection,
  by: string,
  isOne: boolean,
  all: readonly Series[],
): HTMLElement =>
  element(
    'ul',
    { class: 'legend', 'aria-label': 'Lines' },
    ...panel.map(({ subject, metric }, at) =>
      element(
        'li',
        {},
        swatch(at),
        isOne && metrics.length > 1
          ? `${nameOf(by, subject)}, ${metricName(metric).toLowerCase()}`
          : nameOf(by, subject),
      ),
    ),
    ...(smooth > 1
      ? [element('li', { class: 'note' }, `Line: mean of ${smooth} documents. Points: each document`)]
      : []),
    ...(all.some(({ points }) => points.some(({ value }) => value === null))
      ? [element('li', { class: 'note' }, '× no value, because there is nothing to divide by; the line is interrupted')]
      : []),
  );

/** Each line in figures. */
export const drawGlance = (shown: Shown, by: string, selection: Selection): HTMLElement => {
  const isOne = isOnOneChart(selection);
  const heads = ['Line', 'Latest', 'Change', 'Mean', 'Lowest', 'Highest', 'Documents', 'No value'];
  const rows = shown.series.map((series, at) => {
    const glance = glanceAt(series);
    const look = isOne ? at : selection.subjects.indexOf(series.subject);
    return element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        element(
          'div',
          { class: 'named' },
          swatch(look),
          element('span', {}, nameOf(by, series.subject), element('small', {}, metricName(series.metric))),
        ),
      ),
      latestCell(glance),
      cell(glance.change, signed),
      cell(glance.mean, decimal),
      cell(glance.least, decimal),
      cell(glance.most, decimal),
      element('td', { class: 'n' }, whole(glance.documents)),
      element('td', { class: 'n' }, whole(glance.missing)),
    );
  });
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'At a glance' },
    element(
      'table',
      { class: 'figures' },
      element('caption', { class: 'quiet' }, 'Each line in figures; change is against the document before'),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...heads.map((text, at) => element('th', { scope: 'col', class: at === 0 ? undefined : 'n' }, text)),
        ),
      ),
      element('tbody', {}, ...rows),
    ),
  );
};

const latestCell = ({ latest }: Glance): HTMLElement =>
  latest === undefined || latest.value === null
    ? cell(undefined, decimal)
    : element('td', { class: 'n' }, decimal(latest.value), element('small', {}, whenOf(latest.document)));

const cell = (value: number | undefined, text: (value: number) => string): HTMLElement =>
  value === undefined
    ? element('td', { class: 'n none' }, element('span', { 'aria-hidden': 'true' }, '—'), quiet('no value'))
    : element('td', { class: 'n' }, text(value));

/** Why nothing is there, and the way out. */
export const drawEmpty = (
  host: HTMLElement,
  selection: Selection,
  by: string,
  rows: ReadonlyMap<string, readonly Document[]>,
  onAll: () => void,
): void => {
  const places = selection.subjects.flatMap((subject) =>
    (rows.get(subject) ?? []).flatMap((row) => placeOf(row) ?? []),
  );
  const names = joined(selection.subjects.map((subject) => nameOf(by, subject)));
  const period = [
    selection.from === '' ? '' : `from ${dayText(selection.from)}`,
    selection.to === '' ? '' : `up to ${dayText(selection.to)}`,
  ]
    .filter(Boolean)
    .join(' ');
  const extent =
    places.length === 0
      ? ''
      : ` There are ${count(places.length, 'document')}, from ${dayText(fromDay(Math.min(...places)))} to ${dayText(fromDay(Math.max(...places)))}.`;
  host.replaceChildren(
    element(
      'div',
      { class: 'empty' },
      element('p', {}, `No document of ${names} ${period}.${extent}`),
      button('Show every day', { class: 'main' }, onAll),
    ),
  );
};
