import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../pipeline/4-aggregate/metrics.js';
import { findMeantMetrics, meantMetricsText, shortMetricName } from '../../src/metric-names.js';

const namesOf = (dataset: 'wcb' | 'earnings'): readonly string[] =>
  metricsOf(dataset, { uncertainty: 'ratio' }).map(({ name }) => name);

describe('a metric that there is not', () => {
  it.each([
    ['wcb', 'inflation', 'inflation_relevancy'],
    ['wcb', 'Labour Market', 'labor_market_relevancy'],
    ['wcb', 'forward-looking', 'forward_looking'],
    ['wcb', 'stanse', 'stance'],
    ['earnings', 'growth', 'ec_growth_metric'],
    ['earnings', 'grwoth', 'ec_growth_metric'],
    ['earnings', 'growth_metrics', 'ec_growth_metric'],
    ['earnings', 'sentiment', 'ec_financial_sentiment_metric'],
    ['earnings', 'inclaim', 'ec_inclaim_projection_metric'],
  ] as const)('of %s, %s, is taken for what holds it or is near it', (dataset, typed, meant) => {
    expect(findMeantMetrics(typed, namesOf(dataset))[0]).toBe(meant);
  });

  it.each(['growth', 'nope', '', ' ', '_', 'e', 'ce', '__proto__'])('of wcb, "%s", is near none', (typed) => {
    expect(meantMetricsText(typed, namesOf('wcb'))).toBe('');
  });

  it('names those that hold the word in the order of the interface, and of many how many they are', () => {
    expect(meantMetricsText('uncertain', namesOf('wcb'))).toBe('Did you mean uncertainty, enhanced_uncertainty?');
    expect(meantMetricsText('uncertainties', namesOf('wcb'))).toBe('Did you mean uncertainty?');
    const growth = namesOf('earnings').filter((name) => name.includes('growth'));
    expect(growth).toHaveLength(8);
    expect(meantMetricsText('growth', namesOf('earnings'))).toBe(
      `Did you mean ${growth.slice(0, 5).join(', ')} or 3 more that hold the word?`,
    );
  });

  it('is found by every heading of a table', () => {
    for (const name of [...namesOf('wcb'), ...namesOf('earnings')]) {
      expect(findMeantMetrics(shortMetricName(name), [...namesOf('wcb'), ...namesOf('earnings')])).toContain(name);
    }
  });
});
