/**
 * THE FORMULAS. Every metric of both datasets, as the interface specification states it, in its order. A new metric is
 * one entry here. Source: "Resources and their fields", tables "wcb metrics" and "earnings metrics".
 */
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import { getModel, type ModelId } from '../../models/catalog.js';
import { type Count, countColumn, countsOf, type Formula, type Metric } from '../../src/formula.js';
import type { Settings } from '../../src/settings.js';

const count = (model: ModelId, label: string): Count => ({ model, label });
const total = (model: ModelId): Count => ({ model, label: null });
const formula = (parts: Partial<Formula>): Formula => ({ plus: [], minus: [], over: [], overMinus: [], ...parts });

/** count / total; 0 to 1. */
const portion = (model: ModelId, label: string): Pick<Metric, 'formula' | 'range'> => ({
  formula: formula({ plus: [count(model, label)], over: [total(model)] }),
  range: [0, 1],
});

/** (more - less) / total; -1 to 1. */
const balance = (model: ModelId, more: string, less: string): Pick<Metric, 'formula' | 'range'> => ({
  formula: formula({ plus: [count(model, more)], minus: [count(model, less)], over: [total(model)] }),
  range: [-1, 1],
});

/** (more - less) / (more + less); -1 to 1, null where neither occurs. */
const contrast = (model: ModelId, more: string, less: string): Pick<Metric, 'formula' | 'range'> => ({
  formula: formula({
    plus: [count(model, more)],
    minus: [count(model, less)],
    over: [count(model, more), count(model, less)],
  }),
  range: [-1, 1],
});

const stance: Metric = {
  name: 'stance',
  description: 'Stance of monetary policy; positive is hawkish, negative is dovish',
  formula: formula({
    plus: [count('cb_stance_label', 'Hawkish')],
    minus: [count('cb_stance_label', 'Dovish')],
    over: [total('cb_stance_label')],
    overMinus: [count('cb_stance_label', 'Irrelevant')],
  }),
  range: [-1, 1],
};

/** The interface states two forms; decision: the ratio, unless the setting asks for the net form. */
const uncertainty = (form: Settings['uncertainty']): Metric => ({
  name: 'uncertainty',
  description: 'Sentences that voice doubt',
  ...(form === 'ratio'
    ? portion('cb_certain_label', 'Uncertain')
    : balance('cb_certain_label', 'Uncertain', 'Certain')),
});

const wcbMetrics = (form: Settings['uncertainty']): readonly Metric[] => [
  stance,
  uncertainty(form),
  {
    name: 'enhanced_uncertainty',
    description: 'Sentences that say uncertainty is high less those that say it is low',
    ...balance('cb_enhanced_uncertain_label', 'High Uncertainty', 'Low Uncertainty'),
  },
  {
    name: 'forward_looking',
    description: 'Sentences about the future',
    ...portion('cb_forward_looking_classification', 'Forward Looking'),
  },
  {
    name: 'claim_projection',
    description: 'Sentences that make a projection',
    ...portion('cb_claim_projection_label', 'IN_CLAIM'),
  },
  {
    name: 'inflation_relevancy',
    description: 'Sentences on inflation',
    ...portion('cb_inflation_relevancy_label', 'Relevant'),
  },
  {
    name: 'labor_market_relevancy',
    description: 'Sentences on the labor market',
    ...portion('cb_labor_market_relevancy', 'Relevant'),
  },
];

/** The seven topics: the suffix of the conditional metrics, the name in the base metric, and the model. */
const TOPICS = [
  { suffix: 'competition', base: 'competition', words: 'competition', model: 'ec_competition_relevancy' },
  { suffix: 'price', base: 'price', words: 'prices', model: 'ec_price_relevancy' },
  { suffix: 'cyber', base: 'cyber_risk', words: 'cyber risk', model: 'ec_cyber_risk_relevancy' },
  {
    suffix: 'regulatory',
    base: 'regulatory_risk',
    words: 'regulatory risk',
    model: 'ec_regulatory_risk_relevancy',
  },
  {
    suffix: 'cost_of_capital',
    base: 'cost_of_capital',
    words: 'the cost of capital',
    model: 'ec_cost_of_capital_relevancy',
  },
  {
    suffix: 'geopolitical',
    base: 'geopolitical_risk',
    words: 'geopolitical risk',
    model: 'ec_geopolitical_risk_relevancy',
  },
  { suffix: 'labor', base: 'labor_market', words: 'the labor market', model: 'ec_labor_market_relevancy' },
] as const satisfies readonly { suffix: string; base: string; words: string; model: ModelId }[];

/** The six families that are also measured among the sentences relevant to a topic. `base` is null where only the conditional form exists. */
const FAMILIES: readonly {
  readonly prefix: string;
  readonly description: string;
  readonly of: Pick<Metric, 'formula' | 'range'>;
}[] = [
  {
    prefix: 'ec_in_claim',
    description: 'Sentences with a projection',
    of: portion('ec_claim_projection', 'IN_CLAIM'),
  },
  {
    prefix: 'ec_out_claim',
    description: 'Sentences without a projection',
    of: portion('ec_claim_projection', 'OUT_OF_CLAIM'),
  },
  {
    prefix: 'ec_forward_looking_metric',
    description: 'Forward-looking sentences less the others',
    of: balance('ec_forward_looking', 'Forward Looking', 'Not Forward Looking'),
  },
  {
    prefix: 'ec_financial_sentiment_metric',
    description: 'Positive sentences less negative ones',
    of: balance('ec_financial_sentiment', 'Positive', 'Negative'),
  },
  {
    prefix: 'ec_growth_metric',
    description: 'Growth against shrinkage',
    of: contrast('ec_growth', 'Positive Growth', 'Negative Growth'),
  },
  {
    prefix: 'ec_material_impact_metric',
    description: 'Conditions that help against those that hurt',
    of: contrast('ec_material_impact', 'Positive Impact', 'Negative Impact'),
  },
];

const family = (prefix: string): Pick<Metric, 'description' | 'formula' | 'range'> => {
  const found = FAMILIES.find((entry) => entry.prefix === prefix);
  if (found === undefined) throw new Error(`No family ${prefix} in metrics.ts.`);
  return { description: found.description, ...found.of };
};

/** The same formula among the sentences relevant to a topic: every count is joined to it, and a total becomes count(REL). */
const given = (inner: Formula, topic: ModelId): Formula => {
  const relevant = { model: topic, label: 'Relevant' };
  const among = (terms: readonly Count[]): readonly Count[] =>
    terms.map((term) => (term.label === null ? relevant : { ...term, given: relevant }));
  return formula({
    plus: among(inner.plus),
    minus: among(inner.minus),
    over: among(inner.over),
    overMinus: among(inner.overMinus),
  });
};

const earningsMetrics: readonly Metric[] = [
  { name: 'ec_forward_looking_metric', ...family('ec_forward_looking_metric') },
  { name: 'ec_growth_metric', ...family('ec_growth_metric') },
  { name: 'ec_material_impact_metric', ...family('ec_material_impact_metric') },
  { name: 'ec_financial_sentiment_metric', ...family('ec_financial_sentiment_metric') },
  { name: 'ec_inclaim_projection_metric', ...family('ec_in_claim') },
  { name: 'ec_outclaim_projection_metric', ...family('ec_out_claim') },
  ...TOPICS.map(({ base, words, model }) => ({
    name: `ec_${base}_relevancy_metric`,
    description: `Sentences on ${words}`,
    ...portion(model, 'Relevant'),
  })),
  ...FAMILIES.flatMap(({ prefix, description, of }) =>
    TOPICS.map(({ suffix, words, model }) => ({
      name: `${prefix}_given_${suffix}`,
      description: `${description}, among those on ${words}`,
      formula: given(of.formula, model),
      range: of.range,
    })),
  ),
];

/** The metrics of a dataset, in the order of the interface. */
export const metricsOf = (dataset: DatasetId, settings: Pick<Settings, 'uncertainty'>): readonly Metric[] =>
  dataset === 'wcb' ? wcbMetrics(settings.uncertainty) : earningsMetrics;

/**
 * The counts that are stored for a dataset: for each of its models the total and one for each label, and every joint
 * count that a formula uses.
 */
export const countsFor = (dataset: DatasetId, settings: Pick<Settings, 'uncertainty'>): readonly Count[] => {
  const ofModels = DATASETS[dataset].models.flatMap((model) => [
    total(model),
    ...getModel(model).labels.map((label) => count(model, label)),
  ]);
  const ofFormulas = metricsOf(dataset, settings).flatMap((metric) => countsOf(metric.formula));
  return [...new Map([...ofModels, ...ofFormulas].map((entry) => [countColumn(entry), entry])).values()];
};
