/**
 * Units that only say who speaks or takes part: in a transcript speaker lines, the titles below them and lists of participants, in
 * minutes the list of those present. Nobody said them, and how many there are is a matter of who printed the text.
 */
import type { BlockKind } from './layout.js';
import { isFullName } from './names.js';
import { OFFICES, OFFICES_OR_NOT, roleOfTitle } from './roles.js';
import { isRosterHeading } from './rosters.js';
import { COMPANY_STOP } from './speaker-lines.js';

interface Unit {
  readonly text: string;
  /** Who speaks there. */
  readonly speaker: string | undefined;
  /** The kind of block that it stands in. */
  readonly block: BlockKind | undefined;
}

/** Places in `units`, in order, that name somebody. @param isTranscript whether anybody speaks in it */
export const findNaming = (units: readonly Unit[], isTranscript: boolean): ReadonlySet<number> =>
  isTranscript ? findSpeaking(units) : findPresent(units);

const findSpeaking = (units: readonly Unit[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const speakers = new Set(units.map(({ speaker }) => speaker));
  for (const [at, { text, block }] of units.entries()) {
    const name = text.split(BEHIND_NAME, 1)[0] ?? '';
    const isKnown =
      speakers.has(name) && (text === name || text === `${name}:` || (isLabel(text) && isCapitalised(text)));
    const isLine = block === 'speaker' && isLabel(text.replace(/:$/, ''));
    if (
      isKnown ||
      isLine ||
      isRosterHeading(text) ||
      (isLabel(text) && (isEntry(text) || (found.has(at - 1) && isTitle(text))))
    )
      found.add(at);
  }
  // A name above its title, in a list where the next speaker follows and no speech.
  for (const [at, { text }] of units.entries())
    if (!found.has(at) && isFullName(text) && found.has(at + 1) && units[at + 1]?.block !== 'speaker') found.add(at);
  return found;
};

/** `Ida Holm, CEO`, `Ida Holm - Halden Bank`, `Ida Holm:` */
const BEHIND_NAME = /,?\s+[-–—]{1,2}\s+|,\s+|:$/;

const LONGEST = 200;
const CLOSED = /[.?!:;]["”’)\]]*$/;
const GREETING = /^(?:Good|Thank|Thanks|Hello|Hi|Welcome)\b/i;

const isLabel = (text: string): boolean =>
  text.length <= LONGEST &&
  !/[?!]/.test(text) &&
  !GREETING.test(text) &&
  (!CLOSED.test(text) || COMPANY_STOP.test(text));

/** The letter behind a title that tells who asks and who answers, alone or not. */
const ASKS_OR_ANSWERS = /(?:^|[\p{L}.)]\s)[QA]$/u;

/** `Chief Executive Officer & Director, Northwind, Inc. A`. */
const isTitle = (text: string): boolean =>
  isCapitalised(text) && (ASKS_OR_ANSWERS.test(text) || roleOfTitle(text) !== undefined);

const TITLES = `${OFFICES}|Chairwoman|Relations|(?:${OFFICES_OR_NOT})(?=$|,|\\s(?:of|for|-|–)\\s)`;
const ENTRY = new RegExp(`^\\p{Lu}[^?!:;]*(?:\\s[-–]\\s|,\\s)[^?!:;]*\\b(?:${TITLES})(?!\\p{L})`, 'u');
/** `Analyst, Halden Bank`, `Unknown speaker`, and the letter of one who asks or answers unnamed. */
const NAMELESS =
  /^(?:[QA]$|Analyst, \p{Lu}|(?:Unknown|Unidentified|Unverified) (?:speaker|participant|analyst|executive)s?$)/iu;

/** `Ida Holm Halden Bank, Research Division - Analyst`: a name with what it is. */
const isEntry = (text: string): boolean => (ENTRY.test(text) || NAMELESS.test(text)) && isCapitalised(text);

/** Nine words of ten, small ones aside: no clause is written so. */
const isCapitalised = (text: string): boolean => {
  const words = text.split(/[\s,&/–-]+/).filter((word) => /^\p{L}/u.test(word) && !SMALL.test(word));
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 10 >= words.length * 9;
};

const SMALL =
  /^(?:speakers?|participants?|analysts?|executives?|of|and|the|for|in|to|at|de|da|di|del|van|von|der|den|la|le|with)$/;

/** As many in a list, not counting its headings, are no signatures. */
const LEAST_PRESENT = 3;
/** Headings between two of them. */
const MOST_HEADINGS = 2;

/** Lists of those present, with the headings inside; of one of them at least it is said that this is a person, or what he or she is. */
const findPresent = (units: readonly Unit[]): ReadonlySet<number> => {
  const found = new Set<number>();
  let list: number[] = [];
  let isOfPersons = false;
  const close = (): void => {
    if (list.length >= LEAST_PRESENT && isOfPersons)
      for (let at = list[0] ?? 0; at <= (list.at(-1) ?? -1); at += 1) found.add(at);
    list = [];
    isOfPersons = false;
  };
  for (const [at, { text }] of units.entries()) {
    if (isListOfPresent(text)) found.add(at);
    const title = titleOfPresent(text);
    if (title !== undefined) {
      list.push(at);
      isOfPersons ||= ADDRESSED.test(text) || OFFICE.test(title);
    } else if (!isHeading(text) || at - (list.at(-1) ?? at) > MOST_HEADINGS) close();
  }
  close();
  return found;
};

const ADDRESS = '(?:Mr|Ms|Mrs|Miss|Dr|Prof)';
const ADDRESSED = new RegExp(`^${ADDRESS}\\b`);
const OFFICE = /\b(?:President|Governor|Chair\w*|Director|Secretary|Minister|Member|Adviser|Advisor|Economist|Head)\b/;

/** `Mr. I. Holm`, or the family name in capitals: `HOLM Ida`. */
const PRESENT = new RegExp(
  `^(?:${ADDRESS}\\.?\\s(?=\\p{Lu})|(?=\\p{Lu}{2,}\\s\\p{Lu}\\p{Ll}+(?:,|$))(?![IVXLC]+\\s))([^,]*)(?:,\\s(.*))?$`,
  'u',
);
const LONGEST_NAME = 40;
const VOTE = /\s(?:Yes|No|For|Against)$/;

/** `Mr. I. Holm, Director-General, Markets Department`, with the mark of a note: what stands behind the name; undefined where it is no name. */
const titleOfPresent = (text: string): string | undefined => {
  if (text.length > LONGEST) return undefined;
  const unit = text.replace(/[\s*\d]+$/, '');
  const [, name, title = ''] = PRESENT.exec(unit) ?? [];
  if (name === undefined || name.length > LONGEST_NAME || !isLabel(unit) || VOTE.test(unit)) return undefined;
  return isCapitalised(name) && isCapitalised(title) ? title : undefined;
};

const LONGEST_LIST = 1200;
const NAMED = /^\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|de|da|di|del|van|von|der|den|la|le)){1,5}$/u;

/** `Ida Holm (Governor and Chair), Bo Carlsen AO, Ann Quay (Secretary)`: nothing but names, and what some of them are. */
const isListOfPresent = (text: string): boolean => {
  if (text.length > LONGEST_LIST || !text.includes(', ') || !/\p{L}\)?$/u.test(text)) return false;
  const offices = text.match(/\([^()]*\)/g) ?? [];
  if (!offices.some((office) => OFFICE.test(office))) return false;
  const names = text.replaceAll(/\s?\([^()]*\)/g, '').split(/,\s|\sand\s/);
  return names.length >= 2 && names.every((name) => NAMED.test(name));
};

const LONGEST_HEADING = 60;

const isHeading = (text: string): boolean => text.length <= LONGEST_HEADING && isLabel(text) && isCapitalised(text);
