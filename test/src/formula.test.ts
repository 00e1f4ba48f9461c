import { describe, expect, it } from 'vitest';
import {
  type Count,
  countColumn,
  countSql,
  countTableColumn,
  evaluate,
  type Formula,
  formulaText,
  metricSql,
  metricTableColumn,
} from '../../src/formula.js';

const high: Count = { model: 'cb_enhanced_uncertain_label', label: 'High Uncertainty' };
const low: Count = { model: 'cb_enhanced_uncertain_label', label: 'Low Uncertainty' };
const all: Count = { model: 'cb_enhanced_uncertain_label', label: null };
const joint: Count = {
  model: 'ec_forward_looking',
  label: 'Not Forward Looking',
  given: { model: 'ec_price_relevancy', label: 'Relevant' },
};
const balance: Formula = { plus: [high], minus: [low], over: [all], overMinus: [] };
const counts = (highs: number, lows: number, total: number): Readonly<Record<string, number>> => ({
  cb_enhanced_uncertain_label__high_uncertainty: highs,
  cb_enhanced_uncertain_label__low_uncertainty: lows,
  cb_enhanced_uncertain_label__total: total,
});

describe('a count', () => {
  it('is a column named after its model, its label and what is given', () => {
    expect(countColumn(high)).toBe('cb_enhanced_uncertain_label__high_uncertainty');
    expect(countColumn(all)).toBe('cb_enhanced_uncertain_label__total');
    expect(countColumn(joint)).toBe('ec_forward_looking__not_forward_looking__and__ec_price_relevancy__relevant');
  });

  it('is an aggregate that counts labels as they are spelled', () => {
    expect(countSql(joint)).toBe(
      `CAST(count(*) FILTER (WHERE "ec_forward_looking" = 'Not Forward Looking' AND "ec_price_relevancy" = 'Relevant') AS INTEGER) AS "ec_forward_looking__not_forward_looking__and__ec_price_relevancy__relevant"`,
    );
    expect(countSql(all)).toContain('WHERE "cb_enhanced_uncertain_label" IS NOT NULL');
  });

  it('says in its column which models it counts', () => {
    expect(countTableColumn(joint)).toMatchObject({
      type: 'INTEGER',
      nullable: false,
      about: 'sentences: count(not_forward_looking and relevant) (ec_forward_looking and ec_price_relevancy)',
    });
  });
});

describe('a formula', () => {
  it('is a ratio of sums', () => {
    expect(evaluate(balance, counts(3, 1, 8))).toBe(0.25);
    expect(evaluate({ ...balance, overMinus: [low] }, counts(3, 2, 8))).toBe(1 / 6);
    expect(evaluate({ plus: [high, low], minus: [], over: [high, low], overMinus: [] }, counts(3, 2, 8))).toBe(1);
  });

  it('is null over zero, whatever the numerator, and zero where nothing is counted', () => {
    expect(evaluate(balance, counts(0, 0, 0))).toBeNull();
    expect(evaluate({ ...balance, overMinus: [all] }, counts(3, 1, 8))).toBeNull();
    expect(evaluate(balance, counts(2, 2, 8))).toBe(0);
  });

  it('is written with brackets where a side has two terms', () => {
    expect(formulaText(balance)).toBe('(high_uncertainty - low_uncertainty) / total');
    expect(formulaText({ plus: [high], minus: [], over: [all], overMinus: [low] })).toBe(
      'high_uncertainty / (total - low_uncertainty)',
    );
    expect(formulaText({ plus: [joint], minus: [], over: [all], overMinus: [] })).toBe(
      'count(not_forward_looking and relevant) / total',
    );
  });

  it('is SQL that never divides by zero', () => {
    const metric = { name: 'balance', description: 'A balance', formula: balance, range: [-1, 1] } as const;
    expect(metricSql(metric)).toBe(
      'CAST(("cb_enhanced_uncertain_label__high_uncertainty") - ("cb_enhanced_uncertain_label__low_uncertainty") AS DOUBLE) / NULLIF(CAST(("cb_enhanced_uncertain_label__total") - 0 AS DOUBLE), 0) AS "balance"',
    );
    expect(metricTableColumn(metric).about).toBe(
      'A balance: (high_uncertainty - low_uncertainty) / total, from -1 to 1, null where the denominator is zero',
    );
  });
});
