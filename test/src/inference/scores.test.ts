import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probabilitiesOf, scoreRow } from '../../../src/inference/scores.js';

test('the label is the highest logit and the score its softmax probability', () => {
  const { label, probability } = scoreRow([0, 0, Math.log(1), Math.log(2), Math.log(5)], 2, 3);
  expect(label).toBe(2);
  expect(probability).toBeCloseTo(5 / 8, 15);
});

test('of equal logits the lowest column is the label', () => {
  expect(scoreRow([1, 3, 3], 0, 3).label).toBe(1);
  expect(scoreRow([-0, 0], 0, 2)).toEqual({ label: 0, probability: 0.5 });
});

test('large logits do not overflow', () => {
  expect(scoreRow([1000, -1000], 0, 2)).toEqual({ label: 0, probability: 1 });
  expect(scoreRow([-2000, -2000], 0, 2).probability).toBe(0.5);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]])(
  'a row with %s has no probability',
  (wrong) => {
    expect(scoreRow([1, wrong, 2], 0, 3).probability).toBeNaN();
  },
);

test('the score is the greatest of the probabilities, which add up to one', () => {
  const logits = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -50, max: 50 }), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(logits, (row) => {
      const all = probabilitiesOf(row, 0, row.length);
      const { label, probability } = scoreRow(row, 0, row.length);
      expect(all.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      expect(probability).toBeCloseTo(Math.max(...all), 12);
      expect(all[label]).toBeCloseTo(probability, 12);
    }),
  );
});
