/**
 * What a formula is made of. A count is the number of a document's sentences for which some models gave some labels; a
 * formula is a ratio of sums of counts. Both print themselves as SQL, as text and as a number, so no metric needs code.
 */
import type { ModelId } from '../models/catalog.js';
import { identifier } from './database.js';
import type { Column } from './tables.js';

/** Sentences for which `model` gave `label`, or any label; and, where `given` stands, for which that holds too. */
export interface Count {
  readonly model: ModelId;
  /** Null counts every sentence that the model classified. */
  readonly label: string | null;
  readonly given?: { readonly model: ModelId; readonly label: string };
}

/** (sum of plus - sum of minus) / (sum of over - sum of overMinus). */
export interface Formula {
  readonly plus: readonly Count[];
  readonly minus: readonly Count[];
  readonly over: readonly Count[];
  readonly overMinus: readonly Count[];
}

export interface Metric {
  /** As the interface names it. */
  readonly name: string;
  readonly description: string;
  readonly formula: Formula;
  /** Least and greatest value that the formula can take. */
  readonly range: readonly [number, number];
}

export type Counts = Readonly<Record<string, number>>;

const word = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/** The column of a count in `counts.parquet`: `cb_stance_label__hawkish`, `ec_growth__total`. */
export const countColumn = ({ model, label, given }: Count): string =>
  [model, label === null ? 'total' : word(label), ...(given ? ['and', given.model, word(given.label)] : [])].join('__');

/**
 * The value of a formula, or null where its denominator is zero.
 *
 * @param counts every count that the formula uses, by column name
 * @throws RangeError when one is missing
 */
export const evaluate = (formula: Formula, counts: Counts): number | null => {
  const sum = (terms: readonly Count[]): number => terms.reduce((total, term) => total + countValue(term, counts), 0);
  const denominator = sum(formula.over) - sum(formula.overMinus);
  return denominator === 0 ? null : (sum(formula.plus) - sum(formula.minus)) / denominator;
};

/** The counts of a formula, in the order in which they stand in it. */
export const countsOf = ({ plus, minus, over, overMinus }: Formula): readonly Count[] => [
  ...plus,
  ...minus,
  ...over,
  ...overMinus,
];

/** An aggregate over the columns of `labels`, to be grouped by document. */
export const countSql = (count: Count): string => {
  const { model, label, given } = count;
  const conditions = [
    label === null ? `${identifier(model)} IS NOT NULL` : is(model, label),
    ...(given ? [is(given.model, given.label)] : []),
  ];
  return `CAST(count(*) FILTER (WHERE ${conditions.join(' AND ')}) AS INTEGER) AS ${identifier(countColumn(count))}`;
};

/** An expression over the columns of `counts`; NULL where the denominator is zero, never NaN. */
export const metricSql = ({ name, formula }: Metric): string => {
  const numerator = `${sumSql(formula.plus)} - ${sumSql(formula.minus)}`;
  const denominator = `${sumSql(formula.over)} - ${sumSql(formula.overMinus)}`;
  return `CAST(${numerator} AS DOUBLE) / NULLIF(CAST(${denominator} AS DOUBLE), 0) AS ${identifier(name)}`;
};

/** As the interface writes it: `(hawkish - dovish) / (total - irrelevant)`. */
export const formulaText = ({ plus, minus, over, overMinus }: Formula): string =>
  `${side(plus, minus)} / ${side(over, overMinus)}`;

export const countTableColumn = (count: Count): Column => ({
  name: countColumn(count),
  type: 'INTEGER',
  nullable: false,
  about: `sentences: ${termText(count)} (${count.model}${count.given ? ` and ${count.given.model}` : ''})`,
});

export const metricTableColumn = ({ name, description, formula, range }: Metric): Column => ({
  name,
  type: 'DOUBLE',
  nullable: true,
  about: `${description}: ${formulaText(formula)}, from ${range[0]} to ${range[1]}, null where the denominator is zero`,
});

const countValue = (count: Count, counts: Counts): number => {
  const value = counts[countColumn(count)];
  if (value === undefined) throw new RangeError(`The count ${countColumn(count)} is missing.`);
  return value;
};

const is = (model: ModelId, label: string): string => `${identifier(model)} = '${label.replaceAll("'", "''")}'`;

const sumSql = (terms: readonly Count[]): string =>
  terms.length === 0 ? '0' : `(${terms.map((term) => identifier(countColumn(term))).join(' + ')})`;

const termText = ({ label, given }: Count): string => {
  const text = label === null ? 'total' : word(label);
  return given ? `count(${text} and ${word(given.label)})` : text;
};

const side = (plus: readonly Count[], minus: readonly Count[]): string => {
  const text = plus.map(termText).join(' + ') + minus.map((term) => ` - ${termText(term)}`).join('');
  return plus.length + minus.length > 1 ? `(${text})` : text;
};
