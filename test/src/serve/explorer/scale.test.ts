import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDay, toDay } from '../../../../src/serve/explorer/days.js';
import { decimalsOf, linear, timeTicks, valueTicks } from '../../../../src/serve/explorer/scale.js';

const day = (text: string): number => toDay(text) ?? Number.NaN;

describe('the values of an axis', () => {
  it('are round, cover what is drawn, and always have zero', () => {
    expect(valueTicks(-0.36, 0.27, 6)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
    expect(valueTicks(0.61, 0.72, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
    expect(valueTicks(-0.9, -0.8, 5)).toEqual([-1, -0.75, -0.5, -0.25, 0]);
    expect(valueTicks(0, 0, 5)).toContain(0);
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.integer({ min: 3, max: 8 }), (a, b, count) => {
        const ticks = valueTicks(Math.min(a, b), Math.max(a, b), count);
        expect(ticks).toContain(0);
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(a, b, 0) + 1e-9);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(a, b, 0) - 1e-9);
        expect(ticks.length).toBeLessThanOrEqual(count + 3);
        expect(new Set(ticks.map((tick) => tick.toFixed(decimalsOf(ticks)))).size).toBe(ticks.length);
      }),
    );
  });
});

describe('the days of an axis', () => {
  it('are first days of years or months, at round steps, and say which', () => {
    const texts = (first: string, last: string, count: number): readonly string[] =>
      timeTicks(day(first), day(last), count).map(({ at, text }) => `${fromDay(at)} ${text}`);
    expect(texts('1996-04-01', '2024-10-09', 7)).toEqual([
      '2000-01-01 2000',
      '2005-01-01 2005',
      '2010-01-01 2010',
      '2015-01-01 2015',
      '2020-01-01 2020',
    ]);
    expect(texts('2021-11-20', '2022-07-10', 6)).toEqual([
      '2022-01-01 2022',
      '2022-03-01 Mar 2022',
      '2022-05-01 May 2022',
      '2022-07-01 Jul 2022',
    ]);
    expect(texts('2022-03-02', '2022-03-20', 6)).toEqual([]);
  });

  it('are never more than asked for, and lie on the axis', () => {
    const days = fc.integer({ min: day('1900-01-01'), max: day('2100-01-01') });
    fc.assert(
      fc.property(days, days, fc.integer({ min: 2, max: 20 }), (a, b, count) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const ticks = timeTicks(first, last, count);
        expect(ticks.length).toBeLessThanOrEqual(count);
        for (const { at } of ticks) expect(at >= first && at <= last).toBe(true);
      }),
    );
  });
});

describe('a day', () => {
  it('is a day of the calendar or nothing', () => {
    expect(fromDay(day('2024-02-29'))).toBe('2024-02-29');
    for (const text of ['2023-02-29', '2024-02-30', '2024-13-01', '2024-1-1', '', 'today', '2024-01-01T00:00'])
      expect(toDay(text), text).toBeUndefined();
  });
});

describe('a scale', () => {
  it('goes through its ends, and turned round where they are', () => {
    const y = linear([0, 1], [200, 10]);
    expect([y(0), y(1), y(0.5)]).toEqual([200, 10, 105]);
  });
});
