/** WHAT A REPORT SHOWS of each dataset, as data: which metrics are plotted, over what time, and grouped by whom. */
import type { DatasetId } from '../../../data/catalog.js';

/** How far apart the points of a trend lie. `time` is an SQL expression over `documents`, in years. */
export interface Period {
  readonly word: string;
  readonly time: string;
}

const YEAR: Period = { word: 'year', time: 'year + 0.5' };
const QUARTER: Period = { word: 'fiscal quarter', time: 'year + (quarter - 0.5) / 4' };

export interface ReportPlan {
  /** The dimension by which documents are grouped, with the words for one of them and for many. */
  readonly group: { readonly column: string; readonly one: string; readonly many: string };
  /** A second name of a group, where the dataset has one. */
  readonly groupAlias: string | null;
  /** Dimensions shown beside a document, after its group. */
  readonly beside: readonly string[];
  /** Orders documents from the newest to the oldest. */
  readonly newest: readonly [string, ...string[]];
  /** One panel a group: the documents and their mean by year. */
  readonly panels: { readonly metric: string; readonly up: string; readonly down: string } | null;
  /** One panel a metric: the middle of the groups, and the band of their middle half. */
  readonly trends: {
    readonly period: Period;
    readonly centre: 'mean' | 'median';
    readonly metrics: readonly string[];
  };
  /** Groups by the metric of their newest document. */
  readonly ranking: string | null;
  /** Means by year, as a heat table. */
  readonly heat: { readonly title: string; readonly metrics: readonly string[] } | null;
  /** Columns of the table of documents. */
  readonly main: readonly string[];
}

const WCB_METRICS = [
  'stance',
  'uncertainty',
  'enhanced_uncertainty',
  'forward_looking',
  'claim_projection',
  'inflation_relevancy',
  'labor_market_relevancy',
] as const;

const EARNINGS_METRICS = [
  'ec_financial_sentiment_metric',
  'ec_growth_metric',
  'ec_material_impact_metric',
  'ec_forward_looking_metric',
  'ec_inclaim_projection_metric',
] as const;

export const REPORT_PLANS: Readonly<Record<DatasetId, ReportPlan>> = {
  wcb: {
    group: { column: 'bank_name', one: 'bank', many: 'banks' },
    groupAlias: null,
    beside: ['date', 'document_type'],
    newest: ['date', 'year'],
    panels: { metric: 'stance', up: 'hawkish', down: 'dovish' },
    trends: { period: YEAR, centre: 'mean', metrics: WCB_METRICS },
    ranking: null,
    heat: null,
    main: WCB_METRICS,
  },
  earnings: {
    group: { column: 'ticker', one: 'company', many: 'companies' },
    groupAlias: 'company',
    beside: ['year', 'quarter', 'date'],
    newest: ['year', 'quarter', 'date'],
    panels: null,
    trends: { period: QUARTER, centre: 'median', metrics: EARNINGS_METRICS },
    ranking: 'ec_financial_sentiment_metric',
    heat: {
      title: 'Topics by fiscal year',
      metrics: [
        'ec_competition_relevancy_metric',
        'ec_price_relevancy_metric',
        'ec_cyber_risk_relevancy_metric',
        'ec_regulatory_risk_relevancy_metric',
        'ec_cost_of_capital_relevancy_metric',
        'ec_geopolitical_risk_relevancy_metric',
        'ec_labor_market_relevancy_metric',
      ],
    },
    main: EARNINGS_METRICS,
  },
};
