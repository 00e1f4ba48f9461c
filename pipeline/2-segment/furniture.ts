/**
 * Units of a text that are none of its author's: menus of the site that it was taken from, notices, directions, what a publisher
 * prints on every page. Known by form and place within the document alone, so that no document depends on another.
 */
import { isDirection } from './directions.js';
import { isFurnitureBeside, isFurnitureText } from './page-furniture.js';

/** Places in `units` (the texts of a document's sentences, in order) that are furniture. */
export const findFurniture = (units: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const [at, unit] of units.entries()) if (isFurnitureText(unit) || isDirection(unit)) found.add(at);
  for (const at of [...found]) {
    for (let before = at - 1; isBeside(units, found, before); before -= 1) found.add(before);
    for (let behind = at + 1; isBeside(units, found, behind); behind += 1) found.add(behind);
  }
  addPassages(units, found);
  addMenus(units, found);
  return found;
};

const isBeside = (units: readonly string[], found: ReadonlySet<number>, at: number): boolean => {
  const unit = units[at];
  return unit !== undefined && !found.has(at) && isFurnitureBeside(unit);
};

interface Passage {
  /** The first unit. */
  readonly from: RegExp;
  /** The unit behind it must look like this; without it, any. */
  readonly next?: RegExp;
  /** The last unit; without it, that of the document. */
  readonly to?: RegExp;
  /** A longer one is none. */
  readonly most: number;
}

const PASSAGES: readonly Passage[] = [
  // Publishers of transcripts end with what they do not answer for.
  {
    from: /^disclaimer$/i,
    next: /^(?:The information (?:herein|contained)|(?:Thomson Reuters|Refinitiv) reserves the right)/i,
    most: 40,
  },
  {
    from: /^These materials have been prepared solely for information purposes based upon information generally available/,
    most: 40,
  },
  // An advertisement in the middle of what somebody says.
  { from: /^10 stocks we like better than /, to: /^\*Stock Advisor returns as of /, most: 12 },
];

const addPassages = (units: readonly string[], found: Set<number>): void => {
  for (const [at, unit] of units.entries()) {
    const passage = PASSAGES.find(({ from, next }) => from.test(unit) && (next?.test(units[at + 1] ?? '') ?? true));
    if (passage === undefined) continue;
    const { to, most } = passage;
    // No further than it may reach: there can be as many beginnings as units.
    const last =
      to === undefined
        ? units.length - 1
        : at + units.slice(at, at + most).findIndex((each, place) => place > 0 && to.test(each));
    if (last < at || last - at >= most) continue;
    for (let place = at; place <= last; place += 1) found.add(place);
  }
};

/** Entries that most sites have in their menus. Three different ones make a run of labels a menu. */
const ENTRY =
  /^(?:Skip to (?:main )?content|Home(?: ?[>»›].*)?|English|About(?: us| the (?:Bank|Site))|Contacts?(?: us)?|(?:Other |Related )?Links|Help|Site ?map|Search|Careers?|FAQs?|Glossary|RSS(?: feeds?)?|Log ?in|Sign (?:in|up)|Subscribe|E-?mail Service|News(?:room)?|Media(?: cent(?:er|re))?|Press releases?|Publications|Speeches|Statistics|Research|Privacy(?: policy| notice)?|Cookies?(?: policy)?|Terms (?:of use|and conditions)|Legal notices?|Disclaimer|Copyright|Accessibility|Feedback|Print|Share|Follow us|Twitter|Facebook|LinkedIn|YouTube|Instagram|Flickr|Tel: ?\+[\d-]+|.{1,80} \(location\)|Copyright .{1,60} All Rights Reserved\.)$/i;
const LEAST_ENTRIES = 3;
/** Units of a menu, from the first entry or repeated label to the last. */
const LEAST_UNITS = 6;
/** Labels between two entries, or two that the menu repeats, before it is over. */
const WIDEST_GAP = 25;
const LONGEST_LABEL = 140;

/** Runs of labels without a sentence among them are menus where entries of every site's menus are in them. */
const addMenus = (units: readonly string[], found: Set<number>): void => {
  let start = 0;
  for (let at = 0; at <= units.length; at += 1) {
    const unit = units[at];
    if (unit !== undefined && (isLabel(unit) || ENTRY.test(unit))) continue;
    if (at - start >= LEAST_UNITS) addMenusOf(units, start, at, found);
    start = at + 1;
  }
};

const isLabel = (unit: string): boolean => unit.length <= LONGEST_LABEL && !/[.?!:;,]["”’)\]]*$/.test(unit);

const addMenusOf = (units: readonly string[], start: number, end: number, found: Set<number>): void => {
  const times = new Map<string, number>();
  for (const unit of units.slice(start, end)) times.set(unit, (times.get(unit) ?? 0) + 1);
  let first = -1;
  let last = -1;
  let entries = new Set<string>();
  const close = (): void => {
    if (entries.size >= LEAST_ENTRIES && last - first + 1 >= LEAST_UNITS)
      for (let place = first; place <= last; place += 1) found.add(place);
  };
  for (let at = start; at < end; at += 1) {
    const unit = units[at] ?? '';
    const isEntry = ENTRY.test(unit);
    if (!isEntry && (times.get(unit) ?? 0) < 2) continue;
    if (first < 0 || at - last > WIDEST_GAP) {
      close();
      first = at;
      entries = new Set();
    }
    last = at;
    if (isEntry) entries.add(unit.toLowerCase());
  }
  if (first >= 0) close();
};
