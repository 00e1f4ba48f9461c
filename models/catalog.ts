/**
 * EVERY MODEL, as data: the 14 that the inference area lists and the 12 behind the earnings metrics. Labels are in the
 * spelling the service returns; their meaning is described in each package's model card. `package` is a folder beside
 * this file; several models of one package share its encoder, which then runs once for all of them.
 */
export interface ModelEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly task: 'sequence_classification';
  readonly model_type: 'classifier';
  readonly access_tier: 'free' | 'pro' | 'enterprise';
  readonly compute_tier: 'cpu' | 'gpu_small';
  readonly labels: readonly [string, string, ...string[]];
  readonly training_datasets: readonly string[];
  /** Day of the last training, `YYYY-MM-DD`. */
  readonly updated_at: string;
  /** Folder of the model package, below `models/`. A folder named like the model, made by `models import`, wins over it. */
  readonly package: string;
  /** Does `GET /v1/models` list it? */
  readonly listed: boolean;
}

const RELEVANCY = ['Relevant', 'Irrelevant'] as const;

const model = {
  task: 'sequence_classification',
  model_type: 'classifier',
  access_tier: 'free',
  compute_tier: 'gpu_small',
} as const;

const centralBank = { ...model, package: 'central-bank', updated_at: '2026-11-28', listed: true } as const;
const earningsCall = { ...model, package: 'earnings-call', updated_at: '2026-11-28', listed: false } as const;

const WCB = 'World Central Banks';
const FOMC = 'Trillion Dollar Words';
const CLAIMS = 'Numerical Claim Detection in Finance';
const WRITTEN = 'Fintext written sentences';

export const MODELS = [
  {
    ...centralBank,
    id: 'cb_stance_label',
    name: 'Monetary policy stance',
    description:
      'Stance of a central bank sentence: towards tighter policy, looser policy, neither, or not about policy at all',
    labels: ['Hawkish', 'Dovish', 'Neutral', 'Irrelevant'],
    training_datasets: [FOMC, WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_certain_label',
    name: 'Certainty',
    description: 'Whether a central bank sentence states facts, decisions or firm expectations, or voices doubt',
    labels: ['Certain', 'Uncertain'],
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_enhanced_uncertain_label',
    name: 'Uncertainty',
    description: 'Whether a central bank sentence says that uncertainty is high, that it is low, or neither',
    labels: ['High Uncertainty', 'Low Uncertainty', 'Neutral'],
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_inflation_relevancy_label',
    name: 'Inflation relevancy',
    description:
      'Sentences on prices, inflation, its expectations and measures, price stability and the inflation target',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_precious_metal_relevancy_label',
    name: 'Precious metals relevancy',
    description: 'Sentences on gold, silver, platinum and palladium: prices, reserves, holdings',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_economic_status_relevancy',
    name: 'Economic status relevancy',
    description: 'Sentences on the general state of the economy (unemployment, inflation metrics)',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_dollar_value_relevancy',
    name: 'Dollar value relevancy',
    description: 'Sentences on appreciation or depreciation of the United States dollar in foreign exchange',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_housing_relevancy',
    name: 'Housing relevancy',
    description: 'Sentences on real estate prices, mortgage rates, housing market',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_foreign_nations_relevancy',
    name: 'Foreign nations relevancy',
    description:
      'Sentences on trade and economic relations between the United States and foreign countries; discussions not involving the United States are excluded',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_money_supply_relevancy',
    name: 'Money supply relevancy',
    description: 'Sentences on money supply (M1/M2) or shifts in monetary demand',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_claim_projection_label',
    name: 'Claim projection',
    description:
      'Whether a central bank sentence makes a forecast, projection or expectation about a quantity or its direction',
    labels: ['IN_CLAIM', 'OUT_OF_CLAIM'],
    training_datasets: [CLAIMS, WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_forward_looking_classification',
    name: 'Forward looking',
    description: 'Forward-looking versus non-forward-looking sentences of central banks',
    labels: ['Forward Looking', 'Not Forward Looking'],
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_oil_relevancy',
    name: 'Oil relevancy',
    description: 'Sentences on crude oil and energy markets',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...centralBank,
    id: 'cb_labor_market_relevancy',
    name: 'Labor market relevancy',
    description: 'Sentences on the labor market (employment, unemployment, wages, participation)',
    labels: RELEVANCY,
    training_datasets: [WCB, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_forward_looking',
    name: 'Earnings forward looking',
    description: 'Whether a sentence of an earnings call is about the future of the company or its market',
    labels: ['Forward Looking', 'Not Forward Looking'],
    training_datasets: [WCB, CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_claim_projection',
    name: 'Earnings claim projection',
    description: 'Whether a sentence of an earnings call makes a forward-looking quantity or projection',
    labels: ['IN_CLAIM', 'OUT_OF_CLAIM'],
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_financial_sentiment',
    name: 'Earnings financial sentiment',
    description: 'Good or bad news about the finances or prospects of the company',
    labels: ['Positive', 'Negative', 'Neutral'],
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_growth',
    name: 'Earnings growth',
    description: 'Whether a quantity of the business grew or will grow, shrank or will shrink, or neither',
    labels: ['Positive Growth', 'Negative Growth', 'Neutral'],
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_material_impact',
    name: 'Earnings material impact',
    description: 'Whether an event, action or condition helped or hurt the results or operations of the company',
    labels: ['Positive Impact', 'Negative Impact', 'Neutral'],
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_competition_relevancy',
    name: 'Competition relevancy',
    description: 'Sentences on competitors, competitive position, market share and differentiation against rivals',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_price_relevancy',
    name: 'Price relevancy',
    description: 'Sentences on prices that the company charges or pays, discounts, and inflation in costs',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_cyber_risk_relevancy',
    name: 'Cyber risk relevancy',
    description: 'Sentences on cyber security, breaches, attacks and data protection',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_regulatory_risk_relevancy',
    name: 'Regulatory risk relevancy',
    description:
      'Sentences on regulation, regulators, approvals, legislation, antitrust, compliance, taxes and tariffs as rules',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_cost_of_capital_relevancy',
    name: 'Cost of capital relevancy',
    description:
      'Sentences on interest rates, debt, borrowing, leverage, refinancing, credit ratings and equity raised',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_geopolitical_risk_relevancy',
    name: 'Geopolitical risk relevancy',
    description: 'Sentences on war, sanctions, trade conflict, political instability and tensions between countries',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
  {
    ...earningsCall,
    id: 'ec_labor_market_relevancy',
    name: 'Earnings labor market relevancy',
    description: 'Sentences on hiring, headcount, layoffs, wages, labour supply and cost, strikes and unions',
    labels: RELEVANCY,
    training_datasets: [CLAIMS, WRITTEN],
  },
] as const satisfies readonly ModelEntry[];

export type ModelId = (typeof MODELS)[number]['id'];

const byId: ReadonlyMap<string, ModelEntry> = new Map(MODELS.map((entry) => [entry.id, entry]));

/** The catalog's entry of a model, or undefined when there is no such model. */
export const findModel = (id: string): ModelEntry | undefined => byId.get(id);

/** As `findModel`, for an id that the program itself holds. */
export const getModel = (id: ModelId): ModelEntry => {
  const entry = byId.get(id);
  if (entry === undefined) throw new Error(`No model ${id} in models/catalog.ts.`);
  return entry;
};
