/** What the reader has chosen. It stands in the address behind `#`, so that a link shows the same; the key never does. */
import { toDay } from './days.js';
import { joined } from './words.js';

export interface Selection {
  readonly dataset: string;
  /** Banks or tickers, in the order in which they were chosen. */
  readonly subjects: readonly string[];
  readonly metrics: readonly string[];
  /** First and last day, inclusive, `YYYY-MM-DD`; empty where it is open. */
  readonly from: string;
  readonly to: string;
  /** The line goes through the mean of so many documents; 1 is each document by itself. */
  readonly smooth: number;
  /** A chart for each metric, or all lines on one. */
  readonly charts: 'each' | 'one';
  /** The day whose snapshot is shown; empty for the current one. */
  readonly asOf: string;
  /** The document whose sentences are open; empty for none. */
  readonly document: string;
}

export const SMOOTHINGS = [1, 4, 8] as const;

export const NOTHING: Selection = {
  dataset: '',
  subjects: [],
  metrics: [],
  from: '',
  to: '',
  smooth: 1,
  charts: 'each',
  asOf: '',
  document: '',
};

/** Lines that a chart can tell apart, and so the most that can be chosen of either kind. */
export const MOST = 8;

/** `#dataset=wcb&of=bank_of_england&metrics=stance`; empty parts are left out. */
export const toHash = (selection: Selection): string => {
  const parts = new URLSearchParams();
  const add = (name: string, value: string, silent = ''): void => {
    if (value !== silent) parts.set(name, value);
  };
  add('dataset', selection.dataset);
  add('of', selection.subjects.join(','));
  add('metrics', selection.metrics.join(','));
  add('from', selection.from);
  add('to', selection.to);
  add('smooth', String(selection.smooth), '1');
  add('charts', selection.charts, 'each');
  add('as_of', selection.asOf);
  add('document', selection.document);
  // Commas stay readable; they mean nothing in a fragment.
  return `#${parts.toString().replaceAll('%2C', ',')}`;
};

export interface Link {
  readonly selection: Selection;
  /** What the link says and is not shown as it says, with the reason: a sentence each. */
  readonly notes: readonly string[];
}

/** What a link says, as far as it can be understood; whether its names exist is known only later. */
export const fromHash = (hash: string): Link => {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const notes: string[] = [];
  const leaveOut = (why: string, what: readonly string[]): void => {
    if (what.length > 0) notes.push(`${why}, and left out: ${joined(atMost(what))}.`);
  };
  const text = (name: string): string => (parts.get(name) ?? '').slice(0, 500);
  const list = (name: string, kind: string): readonly string[] => {
    const named = [...new Set((parts.get(name) ?? '').split(',').map((part) => part.trim()))].filter(Boolean);
    leaveOut(`More ${kind} than the ${MOST} that a chart tells apart`, named.slice(MOST));
    return named.slice(0, MOST);
  };
  const among = <T>(name: string, among: readonly T[], silent: T): T => {
    const found = among.find((value) => String(value) === text(name));
    if (found === undefined && text(name) !== '') leaveOut('No choice of this page', [`${name}=${text(name)}`]);
    return found ?? silent;
  };
  const day = (name: string): string => {
    if (toDay(text(name)) !== undefined) return text(name);
    if (text(name) !== '') leaveOut('No day of the calendar', [`${name}=${text(name)}`]);
    return '';
  };
  const [from, to] = [day('from'), day('to')];
  const reversed = from !== '' && to !== '' && from > to;
  if (reversed) notes.push(`The period ended before it began, and was turned round: from=${from}, to=${to}.`);
  const selection: Selection = {
    dataset: text('dataset'),
    subjects: list('of', 'banks or tickers'),
    metrics: list('metrics', 'metrics'),
    from: reversed ? to : from,
    to: reversed ? from : to,
    smooth: among('smooth', SMOOTHINGS, 1),
    charts: among('charts', ['each', 'one'] as const, 'each'),
    asOf: day('as_of'),
    document: text('document'),
  };
  return { selection, notes };
};

/** The first names; how many more there are where a link has been written by no person. */
const atMost = (names: readonly string[]): readonly string[] =>
  names.length <= 2 * MOST ? names : [...names.slice(0, MOST), `${names.length - MOST} more`];

export interface Known {
  readonly subjects: readonly string[];
  readonly metrics: readonly string[];
}

/**
 * The selection with what the dataset does not have left out, and something chosen where nothing is left.
 *
 * @returns the selection, and the names that were left out
 */
export const settle = (
  selection: Selection,
  known: Known,
  fallback: Known,
): { readonly selection: Selection; readonly unknown: readonly string[] } => {
  const keep = (names: readonly string[], among: readonly string[], instead: readonly string[]): readonly string[] => {
    const kept = names.filter((name) => among.includes(name));
    return kept.length > 0 ? kept : instead;
  };
  return {
    selection: {
      ...selection,
      subjects: keep(selection.subjects, known.subjects, fallback.subjects),
      metrics: keep(selection.metrics, known.metrics, fallback.metrics),
    },
    unknown: [
      ...selection.subjects.filter((name) => !known.subjects.includes(name)),
      ...selection.metrics.filter((name) => !known.metrics.includes(name)),
    ],
  };
};

/** Do two selections show the same, but for the open document? */
export const isSameView = (a: Selection, b: Selection): boolean =>
  toHash({ ...a, document: '' }) === toHash({ ...b, document: '' });
