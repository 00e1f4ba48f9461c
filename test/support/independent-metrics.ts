/**
 * Every metric, written out by hand from the interface specification as SQL over the columns of `sentences.parquet`. It
 * shares nothing with the product's code, so that the two can be compared.
 */

/** `document_id` and the 7 metrics of `wcb`, one row a document. `sentences` is a table expression. */
export const WCB_METRICS_SQL = (sentences: string, uncertainty: 'ratio' | 'net' = 'ratio'): string => `
SELECT
  document_id,
  sum(CASE cb_stance_label WHEN 'Hawkish' THEN 1 WHEN 'Dovish' THEN -1 ELSE 0 END)
    / nullif(sum(CASE WHEN cb_stance_label IN ('Hawkish', 'Dovish', 'Neutral') THEN 1 ELSE 0 END), 0) AS stance,
  avg(CASE cb_certain_label WHEN 'Uncertain' THEN 1 WHEN 'Certain' THEN ${uncertainty === 'net' ? -1 : 0} END) AS uncertainty,
  avg(CASE cb_enhanced_uncertain_label WHEN 'High Uncertainty' THEN 1 WHEN 'Low Uncertainty' THEN -1 WHEN 'Neutral' THEN 0 END) AS enhanced_uncertainty,
  avg(CASE cb_forward_looking_classification WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN 0 END) AS forward_looking,
  avg(CASE cb_claim_projection_label WHEN 'IN_CLAIM' THEN 1 WHEN 'OUT_OF_CLAIM' THEN 0 END) AS claim_projection,
  avg(CASE cb_inflation_relevancy_label WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS inflation_relevancy,
  avg(CASE cb_labor_market_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS labor_market_relevancy
FROM ${sentences}
GROUP BY document_id
ORDER BY document_id`;

/** `document_id` and the 55 metrics of `earnings`, one row a document. `sentences` is a table expression. */
export const EARNINGS_METRICS_SQL = (sentences: string): string => `
SELECT
  document_id,
  avg(CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 END) AS ec_forward_looking_metric,
  avg(CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END) AS ec_growth_metric,
  avg(CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END) AS ec_material_impact_metric,
  avg(CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 WHEN 'Neutral' THEN 0 END) AS ec_financial_sentiment_metric,
  avg(CASE ec_claim_projection WHEN 'IN_CLAIM' THEN 1 WHEN 'OUT_OF_CLAIM' THEN 0 END) AS ec_inclaim_projection_metric,
  avg(CASE ec_claim_projection WHEN 'OUT_OF_CLAIM' THEN 1 WHEN 'IN_CLAIM' THEN 0 END) AS ec_outclaim_projection_metric,
  avg(CASE ec_competition_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_competition_relevancy_metric,
  avg(CASE ec_price_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_price_relevancy_metric,
  avg(CASE ec_cyber_risk_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_cyber_risk_relevancy_metric,
  avg(CASE ec_regulatory_risk_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_regulatory_risk_relevancy_metric,
  avg(CASE ec_cost_of_capital_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_cost_of_capital_relevancy_metric,
  avg(CASE ec_geopolitical_risk_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_geopolitical_risk_relevancy_metric,
  avg(CASE ec_labor_market_relevancy WHEN 'Relevant' THEN 1 WHEN 'Irrelevant' THEN 0 END) AS ec_labor_market_relevancy_metric,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_competition,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_price,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_cyber,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_regulatory,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_cost_of_capital,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_geopolitical,
  sum(CASE WHEN ec_claim_projection = 'IN_CLAIM' AND ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_in_claim_given_labor,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_competition,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_price,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_cyber,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_regulatory,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_cost_of_capital,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_geopolitical,
  sum(CASE WHEN ec_claim_projection = 'OUT_OF_CLAIM' AND ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END) / nullif(sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_out_claim_given_labor,
  sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_competition,
  sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_price,
  sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_cyber,
  sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_regulatory,
  sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_cost_of_capital,
  sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_geopolitical,
  sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN CASE ec_forward_looking WHEN 'Forward Looking' THEN 1 WHEN 'Not Forward Looking' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_forward_looking_metric_given_labor,
  sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_competition_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_competition,
  sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_price_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_price,
  sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_cyber,
  sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_regulatory,
  sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_cost_of_capital,
  sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_geopolitical,
  sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN CASE ec_financial_sentiment WHEN 'Positive' THEN 1 WHEN 'Negative' THEN -1 ELSE 0 END ELSE 0 END) / nullif(sum(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN 1 ELSE 0 END), 0) AS ec_financial_sentiment_metric_given_labor,
  avg(CASE WHEN ec_competition_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_competition,
  avg(CASE WHEN ec_price_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_price,
  avg(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_cyber,
  avg(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_regulatory,
  avg(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_cost_of_capital,
  avg(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_geopolitical,
  avg(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN CASE ec_growth WHEN 'Positive Growth' THEN 1 WHEN 'Negative Growth' THEN -1 END END) AS ec_growth_metric_given_labor,
  avg(CASE WHEN ec_competition_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_competition,
  avg(CASE WHEN ec_price_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_price,
  avg(CASE WHEN ec_cyber_risk_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_cyber,
  avg(CASE WHEN ec_regulatory_risk_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_regulatory,
  avg(CASE WHEN ec_cost_of_capital_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_cost_of_capital,
  avg(CASE WHEN ec_geopolitical_risk_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_geopolitical,
  avg(CASE WHEN ec_labor_market_relevancy = 'Relevant' THEN CASE ec_material_impact WHEN 'Positive Impact' THEN 1 WHEN 'Negative Impact' THEN -1 END END) AS ec_material_impact_metric_given_labor
FROM ${sentences}
GROUP BY document_id
ORDER BY document_id`;
