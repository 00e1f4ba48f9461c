/** What a chart is made of, for what draws it and for what reads it out. */
import type { Point, Series } from './series.js';

export interface Line {
  readonly series: Series;
  readonly name: string;
  /** Which of the looks it has. */
  readonly look: number;
}

export interface ChartOptions {
  readonly title: string;
  /** What the metric is, under the title. */
  readonly about: string;
  /** What the numbers are, at the axis. */
  readonly unit: string;
  /** What the metrics can be: the axis where no value says how far it must go. */
  readonly range: readonly [number, number];
  readonly lines: readonly Line[];
  /** First and last day of the axis, days since 1970; the charts of a page share it. */
  readonly days: readonly [number, number];
  readonly smooth: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** When and where a document stands, in words. */
  readonly nameOf: (point: Point) => string;
  readonly onOpen: (point: Point, line: Line) => void;
  readonly onRead: (day: number | undefined) => void;
  /** A stretch of time was dragged over. */
  readonly onZoom: (first: number, last: number) => void;
}

/** A document's place on the chart, pixels. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly point: Point;
  readonly line: Line;
}
