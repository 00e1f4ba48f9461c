/** Documents as they came, to lines of a chart: what is null stays null and parts the line. */
import type { Document } from '../../client/types.js';
import { middleOfQuarter, toDay } from './days.js';

export interface Point {
  readonly document: Document;
  /** Place in time, days since 1970. */
  readonly day: number;
  /** Null where the metric has no value: its denominator is zero. */
  readonly value: number | null;
  /** The mean that the line goes through; the value itself where nothing is smoothed. Null where it has none. */
  readonly line: number | null;
}

export interface Series {
  readonly subject: string;
  readonly metric: string;
  /** By day, then by document. */
  readonly points: readonly Point[];
}

/** The day on which a document stands; undefined where it has none. A call stands in the middle of its fiscal quarter. */
export const placeOf = (document: Document): number | undefined => {
  const { year, quarter, date } = document;
  if (typeof quarter === 'number') return middleOfQuarter(year, quarter);
  return date === null ? undefined : toDay(date);
};

/**
 * The newest day of documents, for "the last five years". One that lies ahead of today is left out, where there is another:
 * a slip of the source, 2062 for 2026, would leave nothing else within them.
 *
 * @param today days since 1970
 */
export const newestDay = (documents: readonly Document[], today: number): number | undefined => {
  const days = documents.flatMap((document) => placeOf(document) ?? []);
  const past = days.filter((day) => day <= today + 1);
  const known = past.length === 0 ? days : past;
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
};

export interface Window {
  /** Days since 1970, inclusive; undefined where it is open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Is the document among those shown? One without a day is, unless days were asked for. */
export const isWithin = (document: Document, { from, to }: Window): boolean => {
  const day = placeOf(document);
  if (day === undefined) return from === undefined && to === undefined;
  return day >= (from ?? Number.NEGATIVE_INFINITY) && day <= (to ?? Number.POSITIVE_INFINITY);
};

/**
 * One line.
 *
 * @param documents every document of the subject: those before the window count in the first means
 * @param smooth how many documents a mean is over, the document itself and those before it; nulls are left out of it
 */
export const toSeries = (
  documents: readonly Document[],
  subject: string,
  metric: string,
  smooth: number,
  window: Window,
): Series => {
  const placed = documents
    .flatMap((document) => {
      const day = placeOf(document);
      return day === undefined ? [] : [{ document, day, value: numberOf(document, metric) }];
    })
    .sort((a, b) => a.day - b.day || (a.document.document_id < b.document.document_id ? -1 : 1));
  const values = placed.map(({ value }) => value);
  const points = placed.map((point, at) => ({ ...point, line: meanUpTo(values, at, smooth) }));
  return { subject, metric, points: points.filter(({ document }) => isWithin(document, window)) };
};

/** The metric of a document; null where it has none. */
export const numberOf = (document: Document, metric: string): number | null => {
  const value = document[metric];
  return typeof value === 'number' ? value : null;
};

const meanUpTo = (values: readonly (number | null)[], at: number, size: number): number | null => {
  if (values[at] === null) return null;
  const known = values.slice(Math.max(0, at + 1 - size), at + 1).filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** The points that a line joins: a document without a value begins a new one. */
export const stretches = (points: readonly Point[]): readonly (readonly Point[])[] => {
  const found: Point[][] = [[]];
  for (const point of points) {
    if (point.line === null) found.push([]);
    else found.at(-1)?.push(point);
  }
  return found.filter(({ length }) => length > 0);
};

export interface Glance {
  readonly documents: number;
  readonly missing: number;
  readonly latest: Point | undefined;
  /** The latest value less the one before it; undefined where there are not two. */
  readonly change: number | undefined;
  readonly mean: number | undefined;
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** A line in figures; documents without a value are counted apart. */
export const glanceAt = ({ points }: Series): Glance => {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [last, before] = [known.at(-1), known.at(-2)];
  return {
    documents: points.length,
    missing: points.length - known.length,
    latest: points.findLast(({ value }) => value !== null),
    change: last === undefined || before === undefined ? undefined : last - before,
    mean: known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length,
    least: known.length === 0 ? undefined : Math.min(...known),
    most: known.length === 0 ? undefined : Math.max(...known),
  };
};
