import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromHash,
  isSameView,
  MOST,
  NOTHING,
  type Selection,
  settle,
  toHash,
} from '../../../../src/serve/explorer/selection.js';

const name = fc.stringMatching(/^[a-z_]{1,30}$/);
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const selection: fc.Arbitrary<Selection> = fc
  .record({
    dataset: name,
    subjects: fc.uniqueArray(name, { minLength: 1, maxLength: MOST }),
    metrics: fc.uniqueArray(name, { minLength: 1, maxLength: MOST }),
    days: fc.tuple(day, day),
    smooth: fc.constantFrom(1, 4, 8),
    charts: fc.constantFrom('each' as const, 'one' as const),
    asOf: fc.oneof(fc.constant(''), day),
    document: fc.oneof(fc.constant(''), fc.string({ minLength: 1, maxLength: 40 })),
  })
  .map(({ days, ...rest }) => {
    const [from = '', to = ''] = [...days].sort();
    return { ...rest, from, to };
  });

describe('what is chosen', () => {
  it('comes back from the address as it was', () => {
    fc.assert(
      fc.property(selection, (chosen) => {
        expect(fromHash(toHash(chosen))).toEqual(chosen);
      }),
    );
  });

  it('stands in the address readably, without what goes without saying', () => {
    expect(
      toHash({ ...NOTHING, dataset: 'wcb', subjects: ['bank_of_japan', 'bank_of_england'], metrics: ['stance'] }),
    ).toBe('#dataset=wcb&of=bank_of_japan,bank_of_england&metrics=stance');
  });

  it('is something whatever the address says', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = fromHash(`#${text}`);
        expect(fromHash(toHash(read))).toEqual(read);
      }),
    );
    expect(fromHash('#from=2024-02-30&to=x&smooth=3&charts=two&as_of=now')).toEqual(NOTHING);
    expect(fromHash(`#of=${Array.from({ length: 50 }, (_, at) => `b${at}`).join(',')}`).subjects).toHaveLength(MOST);
  });

  it('has its first day before its last', () => {
    expect(fromHash('#from=2024-01-02&to=2024-01-01')).toMatchObject({ from: '2024-01-01', to: '2024-01-02' });
  });

  it('keeps what the data has, and begins with something where nothing is left', () => {
    const known = { subjects: ['a', 'b'], metrics: ['m', 'n'] };
    const fallback = { subjects: ['a'], metrics: ['m'] };
    const settled = settle({ ...NOTHING, subjects: ['b', 'x'], metrics: ['y'] }, known, fallback);
    expect(settled.selection).toMatchObject({ subjects: ['b'], metrics: ['m'] });
    expect(settled.unknown).toEqual(['x', 'y']);
    expect(settle(NOTHING, known, fallback)).toEqual({ selection: { ...NOTHING, ...fallback }, unknown: [] });
  });

  it('is the same view with another document open', () => {
    expect(isSameView({ ...NOTHING, document: 'a' }, NOTHING)).toBe(true);
    expect(isSameView({ ...NOTHING, smooth: 4 }, NOTHING)).toBe(false);
  });
});
