/** Units that are cells or rows of a table: figures, and the labels that stand among them. Nobody wrote them as sentences. */

/** Units of a table at least, and how many of them are figures: a list of headings or of names has none. */
const LEAST = { units: 6, figures: 3, share: 0.2 } as const;
const LONGEST_LABEL = 80;
const LONGEST_ROW = 200;

/** Places in `units` (the texts of a document's sentences, in order) that lie in a table; `taken` are what else is known to be no sentence. */
export const findTableCells = (units: readonly string[], taken: (place: number) => boolean): ReadonlySet<number> => {
  const found = new Set<number>();
  let start = 0;
  let figures = 0;
  for (let at = 0; at <= units.length; at += 1) {
    const unit = units[at];
    if (unit !== undefined && !taken(at) && isCell(unit)) {
      if (isFigures(unit)) figures += 1;
      continue;
    }
    const length = at - start;
    if (length >= LEAST.units && figures >= LEAST.figures && figures >= length * LEAST.share)
      for (let place = start; place < at; place += 1) found.add(place);
    start = at + 1;
    figures = 0;
  }
  return found;
};

const isCell = (unit: string): boolean =>
  !/[.?!]["”’)]*$/.test(unit) && (unit.length <= LONGEST_LABEL || (unit.length <= LONGEST_ROW && isFigures(unit)));

/** Nothing but figures, or a row of them behind its label: `8.25`, `3 , 1 week`, `Revenue 154,675 177,531`. */
const isFigures = (unit: string): boolean => {
  if (!/\p{L}{2}/u.test(unit)) return true;
  const tokens = unit.split(/\s+/);
  const numbers = tokens.filter((token) => /^[($€£¥+−–-]*\d[\d.,]*[)%]*$/.test(token)).length;
  return numbers >= 2 && numbers * 5 >= tokens.length * 2;
};
