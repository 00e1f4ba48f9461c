/** Signs that a line begins something new whatever stands before it: list items, notes, headers, headings in capitals. */
import { isUpper } from './characters.js';
import { isFull, type Joint } from './joint.js';
import { isCapitals, isLinkLine, isRestOfHeading, isShouted, isTitleCase } from './line-shape.js';
import type { Line } from './lines.js';
import type { Mark } from './marks.js';
import { OFFICES, OFFICES_OR_NOT } from './roles.js';

/** @param continues whether the line before leaves its sentence open */
export const startsUnit = (joint: Joint, continues: boolean): boolean => {
  const { text, opening, previous, next, gap, wrap } = joint;
  if (next.mark !== undefined && isMarkBelieved(joint, next.mark, continues)) return true;
  if (isLinkLine(text, next) && !continues) return true;
  if (isNote(text, next)) return true;
  if (isLabelled(text, opening) && isLabelled(text, next)) return true;
  if (isBarred(text, previous) || isBarred(text, next)) return true;
  if (hasLeader(text, previous) && (next.opens === 'upper' || !isFull(joint))) return true;
  if (isLinkLine(text, previous) && !continues) return true;
  if (isInRoster(joint)) return true;
  const capitals = isCapitals(text, next) && !isShouted(text, previous);
  if (capitals !== isCapitals(text, previous)) return capitals || !continues || gap > wrap.gap;
  return capitals && !continues && !isFull(joint) && !isRestOfHeading(text, next);
};

const NOTE = /^(?:[*_"“(]{0,3}(?:Sources?|Notes?|N\.B\.|Units?)\s?:|©)/;

const isNote = (text: string, line: Line): boolean =>
  NOTE.test(text.slice(line.start, Math.min(line.end, line.start + 16)));

const LABEL = /^[*_]{0,3}\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}[*_]{0,3}:[*_]{0,3}\s/u;

/** `Place: …` below `Date: …`: a list of entries. */
const isLabelled = (text: string, line: Line): boolean =>
  LABEL.test(text.slice(line.start, Math.min(line.end, line.start + 40)));

const ROSTER = new RegExp(
  `^\\p{Lu}(?=[^?!:;]*(?:\\s[-–]\\s|,\\s))[^?!:;]*\\b(?:${OFFICES}|${OFFICES_OR_NOT})\\b[^?!:;]*$`,
  'u',
);

/** `Ida Holm Halden Bank, Research Division - Analyst`: a name with what it is, a line each. */
const isRosterLine = (text: string, line: Line): boolean =>
  line.end - line.start <= 200 &&
  line.closes === 'word' &&
  isTitleCase(text, line) &&
  isRosterText(text.slice(line.start, line.end));

const isRosterText = (line: string): boolean => ROSTER.test(line) && !CUT_BRACKET.test(line);

/** A bracket that another line opens or closes. */
const CUT_BRACKET = /^[^(]*\)|\([^)]*$/;

/** The letter behind a title that tells who asks and who answers. */
const ASKS_OR_ANSWERS = /\s[QA]$/;

const isInRoster = ({ text, previous, next }: Joint): boolean =>
  isRosterLine(text, previous)
    ? isRosterLine(text, next) || ASKS_OR_ANSWERS.test(text.slice(previous.end - 2, previous.end))
    : previous.closes === 'stop' && isRosterLine(text, next);

const LONG_LINE = 400;

/** Columns set apart by bars: a running header. */
const isBarred = (text: string, line: Line): boolean =>
  line.end - line.start <= LONG_LINE && text.slice(line.start, line.end).includes(' | ');

/** Dots that lead to a page number: a table of contents. */
const hasLeader = (text: string, line: Line): boolean =>
  line.end - line.start <= LONG_LINE && /\.{5}|(?:\. ){5}|_{5}/.test(text.slice(line.start, line.end));

/** A mark may also be part of a wrapped sentence: `held on`, next line `8 May`; `in the range of`, next line `12. The`. */
const isMarkBelieved = (joint: Joint, mark: Mark, continues: boolean): boolean => {
  const { text, opening, previous, gap, wrap } = joint;
  const closes = previous.closes;
  const ended = closes === 'stop' || closes === 'colon' || closes === 'semicolon';
  const isLower = startsLower(text, mark.end);
  switch (mark.kind) {
    case 'bullet':
      if (!/^[-–—+o*]$/.test(mark.text) || ended || opening.mark?.text === mark.text) return true;
      return isLower ? !isFull(joint) : !continues || gap > wrap.gap;
    case 'number':
      if (isLower) return closes === 'colon' || closes === 'semicolon';
      return !continues || (gap > wrap.gap && closes !== 'word') || opening.mark?.kind === 'number';
    case 'bare':
      if (isMonth(text, mark.end) && (closes !== 'stop' || gap <= wrap.gap)) return false;
      return closes === 'stop' || (!continues && !isFull(joint));
    case 'letter':
      if (ended) return true;
      if (/^[A-Z]\.$/.test(mark.text) && isUpper(text.charCodeAt(mark.end))) return !continues && !isFull(joint);
      return !continues;
    case 'paren':
      if (closes === 'stop' || closes === 'colon' || opening.mark?.kind === 'paren') return true;
      return !isFull(joint) && !continues;
    case 'note':
    case 'star':
      return closes === 'stop' || (!continues && !isFull(joint));
    default:
      return mark.kind satisfies never;
  }
};

const startsLower = (text: string, position: number): boolean =>
  /^[\s*_"“'‘([]{0,4}\p{Ll}/u.test(text.slice(position, position + 5));

const MONTH =
  /^[*_]{0,3}(?:January|February|March|April|May|June|July|August|September|October|November|December|Percent|Per cent|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/;

const isMonth = (text: string, position: number): boolean => MONTH.test(text.slice(position, position + 14));
