import { describe, expect, it } from 'vitest';
import { DATASET_IDS } from '../../../../data/catalog.js';
import { metricsOf } from '../../../../pipeline/4-aggregate/metrics.js';
import { countColumn, countsOf, evaluate, formulaText } from '../../../../src/formula.js';
import { pullsOf, readCount, withCounts } from '../../../../src/serve/explorer/formula.js';

const METRICS = DATASET_IDS.flatMap((id) => metricsOf(id, { uncertainty: 'ratio' }));

describe('a formula with its counts', () => {
  it('has each count where its term stood', () => {
    expect(
      withCounts('(hawkish - dovish) / (total - irrelevant)', {
        cb_stance_label__hawkish: 12,
        cb_stance_label__dovish: 4,
        cb_stance_label__total: 1056,
        cb_stance_label__irrelevant: 8,
      }),
    ).toBe('(12 − 4) ÷ (1,056 − 8)');
  });

  it.each(METRICS)('of $name comes to its value', ({ formula }) => {
    const counts = Object.fromEntries(countsOf(formula).map((count, at) => [countColumn(count), (at + 2) * 3]));
    const text = withCounts(formulaText(formula), counts);
    expect(text).toMatch(/^[\d\s()+−÷,]+$/);
    expect(calculate(text)).toBeCloseTo(evaluate(formula, counts) ?? Number.NaN, 12);
  });

  it.each(METRICS)('of $name knows what raises and what lowers it', ({ formula }) => {
    const columns = countsOf(formula).map(countColumn);
    const pulls = pullsOf(formulaText(formula), Object.fromEntries(columns.map((column) => [column, 1])));
    for (const count of formula.plus) expect(pulls.get(countColumn(count))).toBe('up');
    for (const count of formula.minus) expect(pulls.get(countColumn(count))).toBe('down');
    for (const count of formula.overMinus) expect(pulls.get(countColumn(count))).toBe('out');
  });

  it('reads the models and labels of a count from its column', () => {
    expect(readCount('ec_growth__positive_growth__and__ec_price_relevancy__relevant')).toEqual({
      model: 'ec_growth',
      word: 'positive_growth',
      given: { model: 'ec_price_relevancy', word: 'relevant' },
    });
    expect(readCount('ec_growth__total')).toEqual({ model: 'ec_growth', word: null, given: undefined });
  });
});

/** The value of sums in brackets, one divided by the other. */
const calculate = (text: string): number => {
  const [above = '', below = ''] = text.split(' ÷ ');
  const sum = (side: string): number =>
    side
      .replaceAll(/[(),]/g, '')
      .replaceAll(' − ', ' + -')
      .split(' + ')
      .reduce((total, term) => total + Number(term), 0);
  return sum(above) / sum(below);
};
