import { describe, expect, it } from 'vitest';
import type { Document } from '../../../../src/client/types.js';
import { toDay } from '../../../../src/serve/explorer/days.js';
import { glanceAt, isWithin, newestDay, placeOf, stretches, toSeries } from '../../../../src/serve/explorer/series.js';

const open = { from: undefined, to: undefined };
const row = (date: string | null, m: number | null, more: Partial<Document> = {}): Document => ({
  document_id: `d_${date}`,
  year: 2020,
  date,
  m,
  ...more,
});

describe('a line', () => {
  it('goes by day, is parted by a document without a value, and leaves out one without a day', () => {
    const rows = [
      row('2020-05-01', 0),
      row('2020-01-01', 0.5),
      row('2020-03-01', null),
      row(null, 0.9),
      row('2020-06-01', -0.25),
    ];
    const series = toSeries(rows, 'a', 'm', 1, open);
    expect(series.points.map(({ document, value, line }) => [document.date, value, line])).toEqual([
      ['2020-01-01', 0.5, 0.5],
      ['2020-03-01', null, null],
      ['2020-05-01', 0, 0],
      ['2020-06-01', -0.25, -0.25],
    ]);
    expect(stretches(series.points).map((points) => points.map(({ value }) => value))).toEqual([[0.5], [0, -0.25]]);
  });

  it('goes through the mean of a document and those before it, also before the period, without nulls', () => {
    const rows = [1, 2, null, 3, 6].map((value, at) => row(`2020-0${at + 1}-01`, value));
    const lines = (smooth: number, from?: string): unknown =>
      toSeries(rows, 'a', 'm', smooth, {
        from: from === undefined ? undefined : toDay(from),
        to: undefined,
      }).points.map(({ line }) => line);
    expect(lines(1)).toEqual([1, 2, null, 3, 6]);
    // 3 has 2 and 1 before it, but the last four documents are 1, 2, null and 3.
    expect(lines(4)).toEqual([1, 1.5, null, 2, 11 / 3]);
    expect(lines(4, '2020-04-01')).toEqual([2, 11 / 3]);
  });

  it('of calls stands in the middle of the fiscal quarter, be the day of the call known or not', () => {
    const call = { year: 2021, quarter: 3 };
    const places = [row(null, 0, call), row('2021-11-02', 0, call)].map(placeOf);
    expect(places).toEqual([toDay('2021-08-15'), toDay('2021-08-15')]);
  });

  it('has the documents of a period with its ends; one without a day only where none is asked for', () => {
    const window = { from: toDay('2020-02-01'), to: toDay('2020-03-01') };
    const kept = ['2020-01-31', '2020-02-01', '2020-03-01', '2020-03-02', null].filter((date) =>
      isWithin(row(date, 0), window),
    );
    expect(kept).toEqual(['2020-02-01', '2020-03-01']);
    expect(isWithin(row(null, 0), open)).toBe(true);
  });
});

describe('a line in figures', () => {
  it('counts what is missing apart, and takes a zero for a value', () => {
    const rows = [row('2020-01-01', 0.5), row('2020-02-01', 0), row('2020-03-01', 0.25), row('2020-04-01', null)];
    const glance = glanceAt(toSeries(rows, 'a', 'm', 1, open));
    expect(glance).toMatchObject({ documents: 4, missing: 1, change: 0.25, mean: 0.25, least: 0, most: 0.5 });
    expect(glance.latest?.document.date).toBe('2020-03-01');
  });

  it('has none where nothing has a value', () => {
    expect(glanceAt(toSeries([row('2020-01-01', null)], 'a', 'm', 1, open))).toEqual({
      documents: 1,
      missing: 1,
      latest: undefined,
      change: undefined,
      mean: undefined,
      least: undefined,
      most: undefined,
    });
  });
});

describe('the newest day', () => {
  const today = toDay('2024-06-30') ?? 0;
  const newest = (...dates: readonly (string | null)[]): number | undefined =>
    newestDay(
      dates.map((date) => row(date, 0)),
      today,
    );

  it('is none that lies ahead of today, unless all do', () => {
    expect(newest('2024-01-01', '2062-03-10', '2023-01-01', null)).toBe(toDay('2024-01-01'));
    expect(newest('2062-03-10', '2061-01-01')).toBe(toDay('2062-03-10'));
    expect(newest('2024-07-01')).toBe(toDay('2024-07-01'));
    expect(newest(null)).toBeUndefined();
  });
});
