import { describe, expect, it } from 'vitest';
import { countsFor, metricsOf } from '../../../pipeline/4-aggregate/metrics.js';
import { countColumn, countsOf, formulaText, metricTableColumn } from '../../../src/formula.js';

// Written down from the interface specification, tables "wcb metrics" and "earnings metrics", by hand.
const WCB: readonly (readonly [name: string, formula: string])[] = [
  ['stance', '(hawkish - dovish) / (total - irrelevant)'],
  ['uncertainty', 'uncertain / total'],
  ['enhanced_uncertainty', '(high_uncertainty - low_uncertainty) / total'],
  ['forward_looking', 'forward_looking / total'],
  ['claim_projection', 'in_claim / total'],
  ['inflation_relevancy', 'relevant / total'],
  ['labor_market_relevancy', 'relevant / total'],
];

const EARNINGS_BASE: readonly (readonly [name: string, formula: string])[] = [
  ['ec_forward_looking_metric', '(forward_looking - not_forward_looking) / total'],
  ['ec_growth_metric', '(positive_growth - negative_growth) / (positive_growth + negative_growth)'],
  ['ec_material_impact_metric', '(positive_impact - negative_impact) / (positive_impact + negative_impact)'],
  ['ec_financial_sentiment_metric', '(positive - negative) / total'],
  ['ec_inclaim_projection_metric', 'in_claim / total'],
  ['ec_outclaim_projection_metric', 'out_of_claim / total'],
  ['ec_competition_relevancy_metric', 'relevant / total'],
  ['ec_price_relevancy_metric', 'relevant / total'],
  ['ec_cyber_risk_relevancy_metric', 'relevant / total'],
  ['ec_regulatory_risk_relevancy_metric', 'relevant / total'],
  ['ec_cost_of_capital_relevancy_metric', 'relevant / total'],
  ['ec_geopolitical_risk_relevancy_metric', 'relevant / total'],
  ['ec_labor_market_relevancy_metric', 'relevant / total'],
];

const EARNINGS_CONDITIONAL: readonly (readonly [name: string, formula: string])[] = [
  ['ec_in_claim_given_competition', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_price', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_cyber', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_regulatory', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_cost_of_capital', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_geopolitical', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_in_claim_given_labor', 'count(IN_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_competition', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_price', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_cyber', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_regulatory', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_cost_of_capital', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_geopolitical', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_out_claim_given_labor', 'count(OUT_CLAIM and REL) / count(REL)'],
  ['ec_forward_looking_metric_given_competition', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_price', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_cyber', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_regulatory', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_cost_of_capital', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_geopolitical', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_forward_looking_metric_given_labor', '(count(FL and REL) - count(NOT_FL and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_competition', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_price', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_cyber', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_regulatory', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_cost_of_capital', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_geopolitical', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  ['ec_financial_sentiment_metric_given_labor', '(count(POS and REL) - count(NEG and REL)) / count(REL)'],
  [
    'ec_growth_metric_given_competition',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_price',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_cyber',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_regulatory',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_cost_of_capital',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_geopolitical',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_growth_metric_given_labor',
    '(count(POS_GROWTH and REL) - count(NEG_GROWTH and REL)) / (count(POS_GROWTH and REL) + count(NEG_GROWTH and REL))',
  ],
  [
    'ec_material_impact_metric_given_competition',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_price',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_cyber',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_regulatory',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_cost_of_capital',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_geopolitical',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
  [
    'ec_material_impact_metric_given_labor',
    '(count(POS_IMPACT and REL) - count(NEG_IMPACT and REL)) / (count(POS_IMPACT and REL) + count(NEG_IMPACT and REL))',
  ],
];

/** The interface abbreviates labels in the conditional formulas; these are the labels that it means. */
const ABBREVIATIONS: readonly (readonly [abbreviation: RegExp, label: string])[] = [
  [/count\(REL\)/g, 'relevant'],
  [/\bREL\b/g, 'relevant'],
  [/\bIN_CLAIM\b/g, 'in_claim'],
  [/\bOUT_CLAIM\b/g, 'out_of_claim'],
  [/\bNOT_FL\b/g, 'not_forward_looking'],
  [/\bFL\b/g, 'forward_looking'],
  [/\bPOS\b/g, 'positive'],
  [/\bNEG\b/g, 'negative'],
  [/\bPOS_GROWTH\b/g, 'positive_growth'],
  [/\bNEG_GROWTH\b/g, 'negative_growth'],
  [/\bPOS_IMPACT\b/g, 'positive_impact'],
  [/\bNEG_IMPACT\b/g, 'negative_impact'],
];

const inFull = (formula: string): string =>
  ABBREVIATIONS.reduce((text, [abbreviation, label]) => text.replaceAll(abbreviation, label), formula);

const ratio = { uncertainty: 'ratio' } as const;
const net = { uncertainty: 'net' } as const;

describe('the metrics of the interface', () => {
  it('are 7 for wcb, named and computed as stated, in the order stated', () => {
    expect(WCB).toHaveLength(7);
    expect(metricsOf('wcb', ratio).map(({ name, formula }) => [name, formulaText(formula)])).toEqual(WCB);
  });

  it('are 55 for earnings, named in the order stated', () => {
    const named = [...EARNINGS_BASE, ...EARNINGS_CONDITIONAL].map(([name]) => name);
    expect(new Set(named).size).toBe(55);
    expect(metricsOf('earnings', ratio).map(({ name }) => name)).toEqual(named);
  });

  it('have the base formulas of earnings word by word', () => {
    const found = metricsOf('earnings', ratio).slice(0, 13);
    expect(found.map(({ name, formula }) => [name, formulaText(formula)])).toEqual(EARNINGS_BASE);
  });

  it('have the conditional formulas of earnings, with the abbreviated labels in full', () => {
    const found = metricsOf('earnings', ratio).slice(13);
    expect(found.map(({ name, formula }) => [name, formulaText(formula)])).toEqual(
      EARNINGS_CONDITIONAL.map(([name, formula]) => [name, inFull(formula)]),
    );
  });

  it('ask the topic that the name ends with, and no other', () => {
    const topics = {
      competition: 'ec_competition_relevancy',
      price: 'ec_price_relevancy',
      cyber: 'ec_cyber_risk_relevancy',
      regulatory: 'ec_regulatory_risk_relevancy',
      cost_of_capital: 'ec_cost_of_capital_relevancy',
      geopolitical: 'ec_geopolitical_risk_relevancy',
      labor: 'ec_labor_market_relevancy',
    };
    for (const { name, formula } of metricsOf('earnings', ratio).slice(13)) {
      const suffix = name.split('_given_')[1];
      const wanted = Object.entries(topics).find(([topic]) => topic === suffix)?.[1];
      const asked = countsOf(formula).map((count) => count.given?.model ?? count.model);
      expect(new Set(asked), name).toEqual(new Set([wanted]));
    }
  });

  it('give uncertainty in its net form where the setting asks for it, and change nothing else', () => {
    const [before, after] = [metricsOf('wcb', ratio), metricsOf('wcb', net)];
    const uncertainty = after.find(({ name }) => name === 'uncertainty');
    expect(uncertainty && formulaText(uncertainty.formula)).toBe('(uncertain - certain) / total');
    expect(uncertainty?.range).toEqual([-1, 1]);
    expect(after.filter(({ name }) => name !== 'uncertainty')).toEqual(
      before.filter(({ name }) => name !== 'uncertainty'),
    );
    expect(metricsOf('earnings', net)).toEqual(metricsOf('earnings', ratio));
  });

  it('are published as columns that say their formula and their range', () => {
    const [stance] = metricsOf('wcb', ratio);
    if (stance === undefined) throw new Error('There is no metric.');
    const column = metricTableColumn(stance);
    expect(column).toMatchObject({ name: 'stance', type: 'DOUBLE', nullable: true });
    expect(column.about).toContain('(hawkish - dovish) / (total - irrelevant), from -1 to 1');
  });
});

describe('the counts that are stored', () => {
  it.each(['wcb', 'earnings'] as const)('hold every count that a formula of %s uses, each once', (dataset) => {
    for (const form of [ratio, net]) {
      const columns = countsFor(dataset, form).map(countColumn);
      expect(new Set(columns).size).toBe(columns.length);
      const used = metricsOf(dataset, form).flatMap(({ formula }) => countsOf(formula).map(countColumn));
      expect(used.filter((column) => !columns.includes(column))).toEqual([]);
    }
  });

  it('are the same in both forms of uncertainty, so that either can be derived', () => {
    expect(countsFor('wcb', net)).toEqual(countsFor('wcb', ratio));
  });

  it('are named after the model and the label', () => {
    const columns = countsFor('wcb', ratio).map(countColumn);
    expect(columns.slice(0, 5)).toEqual([
      'cb_stance_label__total',
      'cb_stance_label__hawkish',
      'cb_stance_label__dovish',
      'cb_stance_label__neutral',
      'cb_stance_label__irrelevant',
    ]);
    expect(countsFor('earnings', ratio).map(countColumn)).toContain(
      'ec_growth__positive_growth__and__ec_price_relevancy__relevant',
    );
  });
});
