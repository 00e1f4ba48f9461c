import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/inference/evaluate.js';

const ORDER = ['Hawkish', 'Dovish', 'Neutral'];

describe('an evaluation', () => {
  it('agrees with figures counted by hand', () => {
    // People: H H H D D N; model: H H D D N N.
    const { accuracy, macroF1, weightedF1, confusion, labels } = evaluate(
      ORDER,
      [0, 0, 0, 1, 1, 2],
      [0, 0, 1, 1, 2, 2],
    );
    expect(confusion).toEqual([
      [2, 1, 0],
      [0, 1, 1],
      [0, 0, 1],
    ]);
    expect(accuracy).toBeCloseTo(4 / 6, 12);
    // Hawkish: precision 2/2, recall 2/3; Dovish: 1/2, 1/2; Neutral: 1/2, 1/1.
    expect(labels.map(({ f1 }) => f1)).toEqual([0.8, 0.5, 2 / 3].map((value) => expect.closeTo(value, 12)));
    expect(macroF1).toBeCloseTo((0.8 + 0.5 + 2 / 3) / 3, 12);
    expect(weightedF1).toBeCloseTo((3 * 0.8 + 2 * 0.5 + 2 / 3) / 6, 12);
  });

  it('leaves a label that people never gave out of the means', () => {
    const { macroF1, labels } = evaluate(ORDER, [0, 0, 1], [0, 2, 1]);
    expect(labels[2]).toMatchObject({ support: 0, f1: 0 });
    expect(macroF1).toBeCloseTo((2 / 3 + 1) / 2, 12);
  });

  it('gives intervals that hold the figure, and the same ones each time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: 5, maxLength: 60 }), (pairs) => {
        const gold = pairs.map(([people]) => people);
        const given = pairs.map(([, model]) => model);
        const first = evaluate(ORDER, gold, given, { resamples: 50 });
        expect(evaluate(ORDER, gold, given, { resamples: 50 })).toEqual(first);
        expect(first.intervals.accuracy[0]).toBeLessThanOrEqual(first.accuracy + 0.35);
        expect(first.intervals.accuracy[1]).toBeGreaterThanOrEqual(first.accuracy - 0.35);
        for (const [low, high] of Object.values(first.intervals)) expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: 30 },
    );
  });
});
