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

const names = (count: number): string => Array.from({ length: count }, (_, at) => `b${at}`).join(',');

describe('what is chosen', () => {
  it('comes back from the address as it was', () => {
    fc.assert(
      fc.property(selection, (chosen) => {
        expect(fromHash(toHash(chosen))).toEqual({ selection: chosen, notes: [] });
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
        const { selection: read } = fromHash(`#${text}`);
        expect(fromHash(toHash(read))).toEqual({ selection: read, notes: [] });
      }),
    );
    expect(fromHash('#from=2024-02-30&to=x&smooth=3&charts=two&as_of=now').selection).toEqual(NOTHING);
    expect(fromHash(`#of=${names(50)}`).selection.subjects).toHaveLength(MOST);
  });

  it('says what of the address it leaves out, and why', () => {
    const notesOf = (hash: string): readonly string[] => fromHash(hash).notes;
    expect(notesOf(`#of=${names(10)}&metrics=stance`)).toEqual([
      'More banks or tickers than the 8 that a chart tells apart, and left out: b8 and b9.',
    ]);
    expect(notesOf(`#metrics=${names(50)}`)[0]).toMatch(/left out: b8, .*, b15 and 34 more\.$/);
    expect(notesOf('#from=2024-02-30&smooth=3')).toEqual([
      'No day of the calendar, and left out: from=2024-02-30.',
      'No choice of this page, and left out: smooth=3.',
    ]);
    expect(notesOf(`#of=${names(8)}&from=2024-02-29&smooth=4&charts=each`)).toEqual([]);
  });

  it('has its first day before its last, and says where the address did not', () => {
    expect(fromHash('#from=2024-01-02&to=2024-01-01')).toEqual({
      selection: { ...NOTHING, from: '2024-01-01', to: '2024-01-02' },
      notes: ['The period ended before it began, and was turned round: from=2024-01-02, to=2024-01-01.'],
    });
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
