/** How things are called and numbers written on the page. */

/** Identifiers whose words alone do not make their name. */
const NAMES: Readonly<Record<string, string>> = {
  peoples_bank_of_china: 'People’s Bank of China',
  central_bank_of_china_taiwan: 'Central Bank of China (Taiwan)',
  central_bank_republic_of_turkey: 'Central Bank of the Republic of Türkiye',
  bank_negara_malaysia: 'Bank Negara Malaysia',
  ec_inclaim_projection_metric: 'Projections (in claim)',
  ec_outclaim_projection_metric: 'No projection (out of claim)',
  labor_market_relevancy: 'Labor market',
  inflation_relevancy: 'Inflation',
  claim_projection: 'Projections',
};

const SMALL_WORDS: ReadonlySet<string> = new Set(['of', 'the', 'and', 'in', 'on']);

/** `bank_of_england` is the Bank of England; what is no identifier in lower case (a ticker) stays as it is. */
export const groupName = (id: string): string =>
  NAMES[id] ??
  (/^[a-z]+(_[a-z]+)+$/.test(id)
    ? id
        .split('_')
        .map((word, at) => (at > 0 && SMALL_WORDS.has(word) ? word : capitalise(word)))
        .join(' ')
    : id);

/** `ec_financial_sentiment_metric` is Financial sentiment, `ec_cyber_risk_relevancy_metric` is Cyber risk. */
export const metricName = (id: string): string =>
  NAMES[id] ??
  capitalise(
    id
      .replace(/^ec_/, '')
      .replace(/_metric(?=_|$)/, '')
      .replace(/_relevancy$/, '')
      .replaceAll('_', ' '),
  );

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `press_conference` is press conference, `predictions_made` is predictions made. */
export const spaced = (id: string): string => id.replaceAll('_', ' ');

export const MISSING = '–';

export const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

/** A metric with two or three decimals and a true minus sign. */
export const decimal = (value: number | null, digits = 2): string =>
  value === null ? MISSING : withMinus(Object.is(Math.round(value * 10 ** digits), -0) ? 0 : value, digits);

/** As `decimal`, with a plus sign before what is above zero. */
export const signed = (value: number | null, digits = 2): string =>
  value !== null && Math.round(value * 10 ** digits) > 0 ? `+${decimal(value, digits)}` : decimal(value, digits);

export const percent = (share: number): string => {
  if (share > 0 && share < 0.001) return '<0.1%';
  return `${(share * 100).toFixed(1)}%`;
};

export const seconds = (value: number): string => {
  if (value < 100) return `${value.toFixed(1)} s`;
  const rounded = Math.round(value);
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
};

/** `1 document`, `2 documents`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${whole(n)} ${n === 1 ? one : many}`;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** An ISO instant as `4 March 2026, 02:14 UTC`. */
export const instant = (iso: string): string => {
  const [day = '', time = ''] = iso.split('T');
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}, ${time.slice(0, 5)} UTC`;
};

const withMinus = (value: number, digits: number): string => value.toFixed(digits).replace('-', '−');
