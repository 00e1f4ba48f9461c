import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import { aggregate } from '../../../pipeline/4-aggregate/stage.js';
import type { Database, Row } from '../../../src/database.js';
import { sentencesTable } from '../../../src/tables.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';

const folder = temporaryFolder();
let database: Database;

beforeAll(async () => {
  database = await testDatabase(folder);
});

/** Runs the stage over the labels and reads what it wrote with a Parquet reader that is not DuckDB. */
const aggregated = async (
  dataset: DatasetId,
  rows: readonly Row[],
): Promise<{ readonly counts: Record<string, unknown>[]; readonly metrics: Record<string, unknown>[] }> => {
  const labels = join(folder, `${dataset}-labels`);
  const made = join(folder, `${dataset}-made`);
  for (const path of [labels, made]) await mkdir(path, { recursive: true });
  const spans = rows.map((row, at): Row => ({ char_start: at, char_end: at + 1, text: 't', language: 'en', ...row }));
  await database.writeTable(sentencesTable(DATASETS[dataset]), join(labels, 'sentences.parquet'), spans);
  const world = testWorld(dataset, database, folder, {
    output: () => ({ folder: labels, files: {}, amounts: {} }),
  });
  const stage = await aggregate.open(['all'], world);
  const result = await stage.run('all', made);
  await stage.close();
  const [counts, metrics] = await Promise.all(
    result.files.map(async (name) =>
      parquetReadObjects({ file: await asyncBufferFromFile(join(made, name)), compressors }),
    ),
  );
  return { counts: counts ?? [], metrics: metrics ?? [] };
};

describe('twelve sentences of a central bank, counted by hand', () => {
  const sentence = (
    document: string,
    index: number,
    [stance, certain, uncertain, forward, claim, inflation, labor]: readonly string[],
  ): Row => ({
    document_id: document,
    sentence_index: index,
    cb_stance_label: { H: 'Hawkish', D: 'Dovish', N: 'Neutral', I: 'Irrelevant' }[stance ?? ''] ?? '',
    cb_certain_label: { C: 'Certain', U: 'Uncertain' }[certain ?? ''] ?? '',
    cb_enhanced_uncertain_label: { H: 'High Uncertainty', L: 'Low Uncertainty', N: 'Neutral' }[uncertain ?? ''] ?? '',
    cb_forward_looking_classification: { F: 'Forward Looking', N: 'Not Forward Looking' }[forward ?? ''] ?? '',
    cb_claim_projection_label: { I: 'IN_CLAIM', O: 'OUT_OF_CLAIM' }[claim ?? ''] ?? '',
    cb_inflation_relevancy_label: { R: 'Relevant', I: 'Irrelevant' }[inflation ?? ''] ?? '',
    cb_labor_market_relevancy: { R: 'Relevant', I: 'Irrelevant' }[labor ?? ''] ?? '',
  });
  const rows = [
    ...[
      'HCHFIRI',
      'HUHFIRI',
      'HCNNORI',
      'HCLFOIR',
      'DUNNOII',
      'NCNNORI',
      'NCHFIIR',
      'ICNNOII',
      'ICNNOII',
      'IULFOII',
    ].map((letters, at) => sentence('minutes', at, [...letters])),
    // Nothing in it is about policy.
    ...['ICNNOII', 'ICNNOII'].map((letters, at) => sentence('thanks', at, [...letters])),
  ];

  it('give these counts', async () => {
    const { counts } = await aggregated('wcb', rows);
    expect(counts).toMatchObject([
      {
        document_id: 'minutes',
        cb_stance_label__total: 10,
        cb_stance_label__hawkish: 4,
        cb_stance_label__dovish: 1,
        cb_stance_label__neutral: 2,
        cb_stance_label__irrelevant: 3,
        cb_certain_label__total: 10,
        cb_certain_label__certain: 7,
        cb_certain_label__uncertain: 3,
        cb_enhanced_uncertain_label__high_uncertainty: 3,
        cb_enhanced_uncertain_label__low_uncertainty: 2,
        cb_enhanced_uncertain_label__neutral: 5,
        cb_forward_looking_classification__forward_looking: 5,
        cb_claim_projection_label__in_claim: 3,
        cb_inflation_relevancy_label__relevant: 4,
        cb_labor_market_relevancy__relevant: 2,
      },
      { document_id: 'thanks', cb_stance_label__total: 2, cb_stance_label__irrelevant: 2 },
    ]);
  });

  it('give these metrics, and null where nothing is about policy', async () => {
    const { metrics } = await aggregated('wcb', rows);
    expect(metrics).toEqual([
      {
        document_id: 'minutes',
        sentence_count: 10,
        marked_count: 0,
        stance: 3 / 7,
        uncertainty: 0.3,
        enhanced_uncertainty: 0.1,
        forward_looking: 0.5,
        claim_projection: 0.3,
        inflation_relevancy: 0.4,
        labor_market_relevancy: 0.2,
      },
      {
        document_id: 'thanks',
        sentence_count: 2,
        marked_count: 0,
        stance: null,
        uncertainty: 0,
        enhanced_uncertainty: 0,
        forward_looking: 0,
        claim_projection: 0,
        inflation_relevancy: 0,
        labor_market_relevancy: 0,
      },
    ]);
  });
});

describe('twelve sentences of an earnings call, counted by hand', () => {
  /** Forward looking, growth, impact, sentiment, claim, then the topics that it is about. */
  const CALL: readonly (readonly [labels: string, topics: string])[] = [
    ['F + + + I', 'price'],
    ['F + 0 + I', 'price competition'],
    ['F - - - I', 'price labor'],
    ['N + + + O', 'price'],
    ['N 0 0 0 O', 'price'],
    ['N - - - O', 'labor'],
    ['N 0 - - O', 'labor cyber'],
    ['F 0 0 0 O', 'cyber'],
    ['N + 0 + O', ''],
    ['N 0 + 0 O', 'regulatory'],
    ['N 0 0 0 O', ''],
    ['F 0 0 0 I', 'competition'],
  ];
  const rows = CALL.map(([letters, topics], at): Row => {
    const [forward, growth, impact, sentiment, claim] = letters.split(' ');
    const about = (topic: string): string => (topics.split(' ').includes(topic) ? 'Relevant' : 'Irrelevant');
    const signed = (sign: string | undefined, plus: string, minus: string): string =>
      sign === '+' ? plus : sign === '-' ? minus : 'Neutral';
    return {
      document_id: 'ACME_2024_Q1',
      sentence_index: at,
      ec_forward_looking: forward === 'F' ? 'Forward Looking' : 'Not Forward Looking',
      ec_growth: signed(growth, 'Positive Growth', 'Negative Growth'),
      ec_material_impact: signed(impact, 'Positive Impact', 'Negative Impact'),
      ec_financial_sentiment: signed(sentiment, 'Positive', 'Negative'),
      ec_claim_projection: claim === 'I' ? 'IN_CLAIM' : 'OUT_OF_CLAIM',
      ec_competition_relevancy: about('competition'),
      ec_price_relevancy: about('price'),
      ec_cyber_risk_relevancy: about('cyber'),
      ec_regulatory_risk_relevancy: about('regulatory'),
      ec_cost_of_capital_relevancy: about('cost_of_capital'),
      ec_geopolitical_risk_relevancy: about('geopolitical'),
      ec_labor_market_relevancy: about('labor'),
    };
  });

  it('give these counts', async () => {
    const { counts } = await aggregated('earnings', rows);
    expect(counts).toMatchObject([
      {
        ec_growth__total: 12,
        ec_growth__positive_growth: 4,
        ec_growth__negative_growth: 2,
        ec_growth__neutral: 6,
        ec_price_relevancy__relevant: 5,
        ec_price_relevancy__irrelevant: 7,
        ec_claim_projection__in_claim__and__ec_price_relevancy__relevant: 3,
        ec_claim_projection__out_of_claim__and__ec_price_relevancy__relevant: 2,
        ec_growth__positive_growth__and__ec_price_relevancy__relevant: 3,
        ec_growth__negative_growth__and__ec_price_relevancy__relevant: 1,
        ec_material_impact__negative_impact__and__ec_labor_market_relevancy__relevant: 3,
        ec_forward_looking__forward_looking__and__ec_cyber_risk_relevancy__relevant: 1,
      },
    ]);
  });

  it('give these base metrics', async () => {
    const { metrics } = await aggregated('earnings', rows);
    expect(metrics).toMatchObject([
      {
        // 5 forward, 7 not; 4 up, 2 down; 3 help, 3 hurt; 4 good, 3 bad
        ec_forward_looking_metric: -2 / 12,
        ec_growth_metric: 2 / 6,
        ec_material_impact_metric: 0,
        ec_financial_sentiment_metric: 1 / 12,
        ec_inclaim_projection_metric: 4 / 12,
        ec_outclaim_projection_metric: 8 / 12,
        ec_competition_relevancy_metric: 2 / 12,
        ec_price_relevancy_metric: 5 / 12,
        ec_cyber_risk_relevancy_metric: 2 / 12,
        ec_regulatory_risk_relevancy_metric: 1 / 12,
        ec_cost_of_capital_relevancy_metric: 0,
        ec_geopolitical_risk_relevancy_metric: 0,
        ec_labor_market_relevancy_metric: 3 / 12,
      },
    ]);
  });

  it('give these conditional metrics, and null where no sentence is about the topic or none has a sign', async () => {
    const { metrics } = await aggregated('earnings', rows);
    expect(metrics).toMatchObject([
      {
        ec_in_claim_given_price: 3 / 5,
        ec_out_claim_given_price: 2 / 5,
        ec_forward_looking_metric_given_price: 1 / 5,
        ec_financial_sentiment_metric_given_price: 2 / 5,
        ec_growth_metric_given_price: 2 / 4,
        ec_material_impact_metric_given_price: 1 / 3,
        ec_in_claim_given_labor: 1 / 3,
        ec_forward_looking_metric_given_labor: -1 / 3,
        ec_financial_sentiment_metric_given_labor: -1,
        ec_growth_metric_given_labor: -1,
        ec_material_impact_metric_given_labor: -1,
        ec_in_claim_given_cyber: 0,
        ec_out_claim_given_cyber: 1,
        ec_forward_looking_metric_given_cyber: 0,
        ec_growth_metric_given_cyber: null,
        ec_material_impact_metric_given_cyber: -1,
        ec_material_impact_metric_given_regulatory: 1,
        ec_growth_metric_given_regulatory: null,
        ec_in_claim_given_competition: 1,
        ec_growth_metric_given_competition: 1,
        ec_in_claim_given_geopolitical: null,
        ec_forward_looking_metric_given_cost_of_capital: null,
        ec_financial_sentiment_metric_given_cost_of_capital: null,
      },
    ]);
  });
});
