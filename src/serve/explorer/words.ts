/** Names and numbers as a reader sees them. */

const SMALL = new Set(['of', 'the', 'and', 'given', 'in', 'on']);

/** `bank_of_england` as Bank of England. */
export const subjectName = (value: string): string =>
  SPECIAL[value] ??
  value
    .split('_')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join(' ');

const SPECIAL: Readonly<Record<string, string>> = {
  federal_reserve_system: 'Federal Reserve',
  peoples_bank_of_china: "People's Bank of China",
  central_bank_of_china_taiwan: 'Central Bank of China (Taiwan)',
  central_bank_republic_of_turkey: 'Central Bank of the Republic of Turkey',
};

/** `ec_growth_metric_given_labor` as Growth given labor. */
export const metricName = (name: string): string => {
  const words = name
    .replace(/^ec_/, '')
    .replace(/_metric(?=_|$)/, '')
    .replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const MINUS = '−';

/** With a true minus sign and so many decimals; more where they would say zero of what is none. */
export const decimal = (value: number, digits = 3): string => {
  const text = value.toFixed(digits);
  if (Number(text) !== 0) return text.replace('-', MINUS);
  // Neither the sign of a zero nor a zero that is none.
  return value === 0 || Math.abs(value) < 1e-9 ? (0).toFixed(digits) : decimal(value, digits + 1);
};

/** As `decimal`, with its sign also where it is positive: for what has gone up or down. */
export const signed = (value: number, digits = 3): string => {
  const text = decimal(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
};

export const whole = (value: number): string => value.toLocaleString('en');

export const count = (value: number, what: string): string => `${whole(value)} ${what}${value === 1 ? '' : 's'}`;

/** What the numbers of a metric are, by the range of its formula. */
export const unitOf = ([least, most]: readonly [number, number]): string =>
  least < 0 ? `balance, ${decimal(least, 0)} to ${decimal(most, 0)}` : `share, ${least} to ${most}`;

/** Several names in one sentence: a, b and c. */
export const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
