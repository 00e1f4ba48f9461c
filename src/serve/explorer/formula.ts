/** A formula with its counts in it, and what a label does to it. */

/** What a label adds to a metric: its numerator gets more, gets less, or its denominator leaves it out. */
export type Pull = 'up' | 'down' | 'out';

export interface CountedLabel {
  readonly model: string;
  /** As a formula writes it: `high_uncertainty`; null for every sentence. */
  readonly word: string | null;
  /** Counted only where this holds too. */
  readonly given: { readonly model: string; readonly word: string } | undefined;
}

/** A label as formulas write it. */
export const wordOf = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/** What a count's column counts: `cb_stance_label__hawkish`, `ec_growth__positive_growth__and__ec_price_relevancy__relevant`. */
export const readCount = (column: string): CountedLabel => {
  const [model = '', word = '', and, otherModel = '', otherWord = ''] = column.split('__');
  return {
    model,
    word: word === 'total' ? null : word,
    given: and === 'and' ? { model: otherModel, word: otherWord } : undefined,
  };
};

const TERM = /count\([^)]*\)|[a-z_][a-z0-9_]*/g;

const termOf = ({ word, given }: CountedLabel): string => {
  const text = word ?? 'total';
  return given === undefined ? text : `count(${text} and ${given.word})`;
};

/**
 * `(hawkish - dovish) / (total - irrelevant)` as `(12 − 4) / (56 − 8)`; a term whose count is not known stays a word.
 *
 * @param counts by column
 */
export const withCounts = (formula: string, counts: Readonly<Record<string, number>>): string => {
  const known = new Map(Object.entries(counts).map(([column, n]) => [termOf(readCount(column)), n]));
  return formula
    .replaceAll(TERM, (term) => known.get(term)?.toLocaleString('en') ?? term)
    .replaceAll(' - ', ' − ')
    .replaceAll(' / ', ' ÷ ');
};

/** What each count of a formula does, by column. A denominator's own terms do nothing to the sign. */
export const pullsOf = (
  formula: string,
  counts: Readonly<Record<string, number>>,
): ReadonlyMap<string, Pull | undefined> => {
  const [numerator = '', denominator = ''] = formula.split(' / ');
  const [above, below] = [signsOf(numerator), signsOf(denominator)];
  return new Map(
    Object.keys(counts).map((column) => {
      const term = termOf(readCount(column));
      const sign = above.get(term);
      if (sign !== undefined) return [column, sign === '-' ? 'down' : 'up'] as const;
      return [column, below.get(term) === '-' ? 'out' : undefined] as const;
    }),
  );
};

const signsOf = (side: string): ReadonlyMap<string, '+' | '-'> => {
  const found = new Map<string, '+' | '-'>();
  for (const match of side.matchAll(TERM))
    found.set(match[0], side.slice(0, match.index).trimEnd().endsWith('-') ? '-' : '+');
  return found;
};
