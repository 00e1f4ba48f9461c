/**
 * EVERY DATASET, as data: what a document of it is described by, how its work is cut into partitions and
 * which models its metrics ask. A new dataset is one entry here and its formulas in `pipeline/4-aggregate/metrics.ts`.
 */
import type { ModelId } from '../models/catalog.js';

export type DatasetId = 'wcb' | 'earnings';

/** What a dimension holds: a date is an ISO day, `YYYY-MM-DD`. */
export type DimensionType = 'VARCHAR' | 'INTEGER' | 'DATE';

export interface Dimension {
  readonly name: string;
  readonly type: DimensionType;
  /** May a document come without it? A missing required dimension makes the document a reject. */
  readonly required: boolean;
  readonly about: string;
  /** The only values allowed, where the list is closed. */
  readonly values?: readonly (string | number)[];
}

export interface Dataset {
  readonly id: DatasetId;
  readonly name: string;
  readonly description: string;
  readonly dimensions: readonly Dimension[];
  /** Dimensions whose values name a partition: the piece of the corpus that is redone when one of its files changes. */
  readonly partitionBy: readonly [string, ...string[]];
  /** Dimensions whose values, joined by `_`, make the `document_id` where the source names none. */
  readonly identifiedBy: readonly [string, ...string[]];
  /** What a document is: decides how it is cut (a transcript has speakers and sections). */
  readonly kind: 'document' | 'transcript';
  readonly models: readonly ModelId[];
}

/** The 19 central banks of the interface; no public release holds documents of `czech_national_bank`. */
export const CENTRAL_BANKS = [
  'federal_reserve_system',
  'european_central_bank',
  'bank_of_england',
  'bank_of_japan',
  'peoples_bank_of_china',
  'reserve_bank_of_australia',
  'reserve_bank_of_india',
  'bank_of_mexico',
  'central_bank_of_brazil',
  'swiss_national_bank',
  'bank_negara_malaysia',
  'monetary_authority_of_singapore',
  'central_bank_of_chile',
  'central_bank_of_egypt',
  'central_bank_of_the_philippines',
  'central_bank_of_the_russian_federation',
  'central_bank_of_china_taiwan',
  'central_bank_republic_of_turkey',
  'czech_national_bank',
] as const;

const date: Dimension = { name: 'date', type: 'DATE', required: false, about: '' };

export const DATASETS: Readonly<Record<DatasetId, Dataset>> = {
  wcb: {
    id: 'wcb',
    name: 'World Central Banks',
    description: 'Monetary policy metrics from 19 central banks',
    dimensions: [
      { name: 'bank_name', type: 'VARCHAR', required: true, about: 'central bank identifier', values: CENTRAL_BANKS },
      { name: 'year', type: 'INTEGER', required: true, about: 'year in which the meeting began' },
      { name: 'start_date', type: 'DATE', required: false, about: 'first day of the meeting, as the source states it' },
      { name: 'end_date', type: 'DATE', required: false, about: 'last day of the meeting' },
      {
        name: 'release_date',
        type: 'DATE',
        required: false,
        about:
          'day on which the text was published, as the source states it: some state the day of the meeting for minutes that came out weeks later',
      },
      { ...date, about: 'release date, else the last day of the meeting' },
      {
        name: 'document_type',
        type: 'VARCHAR',
        required: false,
        about: 'minutes, statement, press_conference, speech…, null where the source does not say',
      },
    ],
    partitionBy: ['bank_name', 'year'],
    identifiedBy: ['bank_name', 'start_date', 'document_type'],
    kind: 'document',
    models: [
      'cb_stance_label',
      'cb_certain_label',
      'cb_enhanced_uncertain_label',
      'cb_forward_looking_classification',
      'cb_claim_projection_label',
      'cb_inflation_relevancy_label',
      'cb_labor_market_relevancy',
    ],
  },
  earnings: {
    id: 'earnings',
    name: 'Earnings calls',
    description: 'Financial metrics from US earnings call transcripts',
    dimensions: [
      { name: 'ticker', type: 'VARCHAR', required: true, about: 'stock ticker, upper case' },
      {
        name: 'company',
        type: 'VARCHAR',
        required: false,
        about: 'name of the company, null where the source has none',
      },
      { name: 'year', type: 'INTEGER', required: true, about: 'fiscal year, as the source states it' },
      { name: 'quarter', type: 'INTEGER', required: true, about: 'fiscal quarter', values: [1, 2, 3, 4] },
      { ...date, about: 'day of the call, null where the source has none' },
    ],
    partitionBy: ['ticker'],
    identifiedBy: ['ticker', 'year', 'quarter'],
    kind: 'transcript',
    models: [
      'ec_forward_looking',
      'ec_growth',
      'ec_material_impact',
      'ec_financial_sentiment',
      'ec_claim_projection',
      'ec_competition_relevancy',
      'ec_price_relevancy',
      'ec_cyber_risk_relevancy',
      'ec_regulatory_risk_relevancy',
      'ec_cost_of_capital_relevancy',
      'ec_geopolitical_risk_relevancy',
      'ec_labor_market_relevancy',
    ],
  },
};

export const DATASET_IDS = Object.keys(DATASETS) as readonly DatasetId[];
