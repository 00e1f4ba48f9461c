/** Units that are cells or rows of a table: figures, and the labels that stand among them. Nobody wrote them as sentences. */

/** Units of a table at least, and how many of them are figures: a list of headings, of names or of highlights has none. */
const LEAST = { units: 6, figures: 3, share: 0.2 } as const;
const LONGEST_LABEL = 100;
const LONGEST_ROW = 200;
/** A line that leads to a list is longer than the label of a row. */
const LONGEST_BEFORE_COLON = 40;

/**
 * Places in `units` (the texts of a document's sentences, in order) that lie in a table, from its first figures to its last, with its
 * head where each cell is a unit: what stands above or below otherwise may be text without a stop. `taken` are what else is known to
 * be no sentence.
 */
export const findTableCells = (units: readonly string[], taken: (place: number) => boolean): ReadonlySet<number> => {
  const found = new Set<number>();
  const isTaken = (place: number): boolean => taken(place) || found.has(place);
  let figures: number[] = [];
  const close = (): void => {
    const [first = 0, last = -1] = [figures[0], figures.at(-1)];
    const length = last - first + 1;
    if (length >= LEAST.units && figures.length >= LEAST.figures && figures.length >= length * LEAST.share) {
      const head = isOfSingleCells(units, figures) ? findHead(units, first, length, isTaken) : first;
      for (let place = head; place <= last; place += 1) found.add(place);
    }
    figures = [];
  };
  for (const [at, unit] of units.entries()) {
    if (taken(at) || !isCell(unit)) close();
    else if (isFigures(unit)) figures.push(at);
  }
  close();
  addNotes(units, found);
  return found;
};

const NUMBER_OF_NOTE = /^\d{1,2}$/;
/** A number, its note, and a second part of it. */
const NOTE_REACH = 3;

/** The numbers of the notes below a table, which stand on lines of their own above their notes, as the figures that bear them do. */
const addNotes = (units: readonly string[], found: Set<number>): void => {
  let last = Number.NEGATIVE_INFINITY;
  for (const [at, unit] of units.entries()) {
    if (!found.has(at) && !(NUMBER_OF_NOTE.test(unit) && at - last <= NOTE_REACH)) continue;
    found.add(at);
    last = at;
  }
};

/**
 * Figures that stand alone have their labels in units of their own, so that many stand above the first figure. In a table of rows the
 * labels stand beside the figures, and above it headings.
 */
const isOfSingleCells = (units: readonly string[], figures: readonly number[]): boolean =>
  figures.filter((at) => isBare(units[at] ?? '')).length * 2 > figures.length;

/**
 * Where the head of a table begins that has its first figure at `first` and `length` units from there on: the names of its columns and
 * the labels of its first row. The topmost label is the title, or a heading, and stays outside. Fewer than a table has at least may be
 * headings or messages, and so may long ones; more than stand below are a list of their own.
 */
const findHead = (
  units: readonly string[],
  first: number,
  length: number,
  isTaken: (place: number) => boolean,
): number => {
  let topmost = first;
  while (topmost > 0 && first - topmost <= length + 1 && !isTaken(topmost - 1) && isOfHead(units[topmost - 1] ?? ''))
    topmost -= 1;
  const head = units.slice(topmost + 1, first);
  const short = head.filter((unit) => unit.split(/\s+/).length <= SHORT_WORDS).length;
  return head.length >= LEAST.units && head.length <= length && short * 2 >= head.length ? topmost + 1 : first;
};

/** Words of the name of a column; messages have more. */
const SHORT_WORDS = 3;
/** `(% p.a.)`, `(EUR million)`: what the figures are measured in; its full stop ends no sentence. */
const MEASURE = /\([^()]{1,40}\)$/;
const BULLET = /^[•▪●◦‣*–—-]\s/;

/** A cell, or several in one line: `Overnight loans; FX swaps;`. */
const isOfHead = (unit: string): boolean =>
  unit.length <= LONGEST_ROW && !BULLET.test(unit) && unit.replace(MEASURE, '').trim().split(/;\s*/).every(isCell);

/** Words of clauses; no label has them. */
const CLAUSE =
  /\b(?:we|our|i|will|would|should|is|are|was|were|has|have|had|been|remains?|remained|decided|maintains?|maintained|expects?|expected to)\b/i;
/** A caption of what was said: `00:01:04`. */
const TIME = /^[[(]?\d{1,2}:\d\d|-->/;

const isCell = (unit: string): boolean => {
  if (DAYS.test(unit) || MONTH.test(unit)) return true;
  if (unit.length > LONGEST_ROW || /[.?!]["”’)]*$/.test(unit) || TIME.test(unit)) return false;
  if (isFigures(unit)) return true;
  const longest = unit.endsWith(':') ? LONGEST_BEFORE_COLON : LONGEST_LABEL;
  return unit.length <= longest && !CLAUSE.test(unit);
};

const MONTHS =
  '(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\\.?|January|February|March|April|August|September|October|November|December';
const DAY = `(?:(?:${MONTHS})\\s?)?\\d{1,2}\\s?\\((?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\\.?\\)`;
/** The days of a calendar, which are its figures: `Mar. 2 (Tue.)`, `15 (Mon.), 16 (Tue.)`. */
const DAYS = new RegExp(`^${DAY}(?:(?:,\\s?| and )${DAY})*$`);
/** A month of a calendar: `Nov.`, `Jan. 2004`. */
const MONTH = new RegExp(`^(?:${MONTHS})(?:\\s?\\d{4})?$`);

/** Nothing but figures, or a row of them behind its label: `8.25`, `3 , 1 week`, `Revenue 154,675 $ 177,531`. */
const isFigures = (unit: string): boolean => {
  if (isBare(unit)) return true;
  const tokens = unit.split(/\s+/).filter((token) => !/^[$€£¥%()]$/.test(token));
  const numbers = tokens.map((token) => NUMBER.test(token));
  const isRow = numbers.some((is, at) => is && numbers[at + 1] === true);
  return isRow && numbers.filter(Boolean).length * 5 >= tokens.length * 2;
};

const isBare = (unit: string): boolean => !/\p{L}{2}/u.test(unit) || DAYS.test(unit);

/** A dash is a figure that there is not. */
const NUMBER = /^(?:[($€£¥+−–-]*\d[\d.,]*[)%]*|[—–])$/;
