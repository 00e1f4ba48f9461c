/** Units that are cells or rows of a table: figures, and the labels that stand among them. Nobody wrote them as sentences. */

/** Units of a table at least, and how many of them are figures: a list of headings, of names or of highlights has none. */
const LEAST = { units: 6, figures: 3, share: 0.2 } as const;
const LONGEST_LABEL = 100;
const LONGEST_ROW = 200;
/** A line that leads to a list is longer than the label of a row. */
const LONGEST_BEFORE_COLON = 40;

/**
 * Places in `units` (the texts of a document's sentences, in order) that lie in a table, from its first figures to its last: what
 * stands above or below may be text without a stop. `taken` are what else is known to be no sentence.
 */
export const findTableCells = (units: readonly string[], taken: (place: number) => boolean): ReadonlySet<number> => {
  const found = new Set<number>();
  let figures: number[] = [];
  const close = (): void => {
    const [first = 0, last = -1] = [figures[0], figures.at(-1)];
    const length = last - first + 1;
    if (length >= LEAST.units && figures.length >= LEAST.figures && figures.length >= length * LEAST.share)
      for (let place = first; place <= last; place += 1) found.add(place);
    figures = [];
  };
  for (const [at, unit] of units.entries()) {
    if (taken(at) || !isCell(unit)) close();
    else if (isFigures(unit)) figures.push(at);
  }
  close();
  return found;
};

/** Words of clauses; no label has them. */
const CLAUSE =
  /\b(?:we|our|i|will|would|should|is|are|was|were|has|have|had|been|remains?|remained|decided|maintains?|maintained|expects?|expected to)\b/i;
/** A caption of what was said: `00:01:04`. */
const TIME = /^[[(]?\d{1,2}:\d\d|-->/;

const isCell = (unit: string): boolean => {
  if (unit.length > LONGEST_ROW || /[.?!]["”’)]*$/.test(unit) || TIME.test(unit)) return false;
  if (isFigures(unit)) return true;
  const longest = unit.endsWith(':') ? LONGEST_BEFORE_COLON : LONGEST_LABEL;
  return unit.length <= longest && !CLAUSE.test(unit);
};

/** Nothing but figures, or a row of them behind its label: `8.25`, `3 , 1 week`, `Revenue 154,675 $ 177,531`. */
const isFigures = (unit: string): boolean => {
  if (!/\p{L}{2}/u.test(unit)) return true;
  const tokens = unit.split(/\s+/).filter((token) => !/^[$€£¥%()]$/.test(token));
  const numbers = tokens.map((token) => NUMBER.test(token));
  const isRow = numbers.some((is, at) => is && numbers[at + 1] === true);
  return isRow && numbers.filter(Boolean).length * 5 >= tokens.length * 2;
};

/** A dash is a figure that there is not. */
const NUMBER = /^(?:[($€£¥+−–-]*\d[\d.,]*[)%]*|[—–])$/;
