/** A text as its lines that are not blank, each with the facts that decide where units begin and end. */
import { isDigit, isLineEnd, isLower, isOpener, isUpper, isWhite, skipWhite, trimWhite } from './characters.js';
import { isLoneMark, type Mark, readMark } from './marks.js';
import { findRunInPages } from './run-in-pages.js';

export interface Line {
  /** Span of the line without the white space around it. */
  readonly start: number;
  readonly end: number;
  /** Blank lines before it. */
  readonly gap: number;
  /** A form feed stands before it: a new page. */
  readonly newPage: boolean;
  /** What a page prints around its text, run into a line of text: for certain none of it. */
  readonly isPrinted: boolean;
  readonly kind: LineKind;
  readonly mark: Mark | undefined;
  /** Case of the first letter or digit behind opening quotes, brackets and emphasis. */
  readonly opens: 'upper' | 'lower' | 'digit' | 'other';
  /** How the line ends, looking through closing quotes, brackets, emphasis and footnote marks. */
  readonly closes: 'stop' | 'colon' | 'semicolon' | 'hyphen' | 'open' | 'word';
}

/** `rule`: -----; `row`: of a table; `heading`: marked with #; `number`: nothing but a page number;
 * `mark`: an enumerator or bullet whose text follows on the next line. Set by the reading of turns:
 * `speaker`: a line that only names a speaker; `turn`: a line that begins with the speaker's name and a colon. */
export type LineKind = 'text' | 'rule' | 'row' | 'heading' | 'number' | 'mark' | 'speaker' | 'turn';

/** Reads all lines. A white line counts into the gap of the one that follows; ends of pages within a line are lines of their own. */
export const readLines = (text: string, start = 0, end = text.length): Line[] => {
  const lines: Line[] = [];
  let gap = 0;
  let newPage = false;
  const push = (from: number, to: number, isPrinted: boolean): void => {
    const last = trimWhite(text, from, to);
    if (last === from) return;
    lines.push(toLine(text, from, last, { gap, newPage, isPrinted }));
    gap = 0;
    newPage = false;
  };
  let position = start;
  while (position < end) {
    let stop = position;
    while (stop < end && !isLineEnd(text.charCodeAt(stop))) stop++;
    let from = skipWhite(text, position, stop);
    if (from === stop) gap++;
    for (const printed of findRunInPages(text, from, stop)) {
      push(from, printed.start, false);
      push(printed.start, printed.end, true);
      from = skipWhite(text, printed.end, stop);
    }
    push(from, stop, false);
    const unit = text.charCodeAt(stop);
    if (unit === 0x0c) newPage = true;
    position = stop + (unit === 0x0d && text.charCodeAt(stop + 1) === 0x0a ? 2 : 1);
  }
  return lines;
};

const toLine = (text: string, start: number, end: number, place: Pick<Line, 'gap' | 'newPage' | 'isPrinted'>): Line => {
  const kind = kindOf(text, start, end);
  return {
    start,
    end,
    ...place,
    kind,
    mark: kind === 'text' ? readMark(text, start, end) : undefined,
    opens: opensWith(text, start, end),
    closes: closesWith(text, start, end),
  };
};

const PAGE_NUMBER = /^(?:[-–—]\s?)?(?:[Pp]age\s)?(?:\d{1,4}|[ivxl]{1,6})(?:\s(?:of|\/)\s\d{1,4})?(?:\s?[-–—])?$/;

const kindOf = (text: string, start: number, end: number): LineKind => {
  const first = text.charCodeAt(start);
  if (isRuleUnit(first) && end - start >= 3 && isRule(text, start, end)) return 'rule';
  if (first === 0x7c && text.slice(start + 1, end).includes('|')) return 'row';
  if (first === 0x23 && /^#{1,6}[^#]/.test(text.slice(start, Math.min(end, start + 8)))) return 'heading';
  if (isNumericRow(text, start, end)) return 'row';
  if (end - start <= 8 && isLoneMark(text.slice(start, end))) return 'mark';
  if (end - start <= 16 && PAGE_NUMBER.test(text.slice(start, end).replace(/^[*_]+|[*_]+$/g, ''))) return 'number';
  return 'text';
};

/** Four columns or more, most of them numbers: a row of a table. */
const isNumericRow = (text: string, start: number, end: number): boolean => {
  // A row does not end with a full stop: `April 3 and 4, 2013.` is the last line of a sentence.
  if (end - start > 240 || end - start < 12 || text.charCodeAt(end - 1) === 0x2e) return false;
  let digits = 0;
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) digits++;
  if (digits * 4 < end - start) return false;
  const tokens = text.slice(start, end).split(/\s+/);
  const numbers = tokens.filter((token) =>
    /^[($€£¥+−–-]{0,3}\d[\d.,:/]*[)%xp*]{0,3}$|^[-–—%$€£]$|^n\/?a$/i.test(token),
  );
  return tokens.length >= 4 && numbers.length >= 3 && numbers.length * 5 >= tokens.length * 3;
};

const RULE_UNITS = new Set([...'-_.*=|:~ \t\u00a0─━═—–'].map((character) => character.charCodeAt(0)));
const isRuleUnit = (unit: number): boolean => RULE_UNITS.has(unit);

const isRule = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (!isRuleUnit(text.charCodeAt(at))) return false;
  return true;
};

const opensWith = (text: string, start: number, end: number): Line['opens'] => {
  let at = start;
  while (at < end && (isOpener(text.charCodeAt(at)) || isWhite(text.charCodeAt(at)))) at++;
  const unit = at < end ? text.charCodeAt(at) : 0;
  if (isLower(unit)) return 'lower';
  if (isUpper(unit)) return 'upper';
  return isDigit(unit) ? 'digit' : 'other';
};

const LOOK_BACK = 12;

const closesWith = (text: string, start: number, end: number): Line['closes'] => {
  let at = end;
  const floor = Math.max(start, end - LOOK_BACK);
  // Footnote marks behind the stop: `growth.[1]`, `growth."12`, `growth.**`
  const tail = /^(.*?[.?!…:;])[)\]"'”’»*_\d\u00b9\u00b2\u00b3[\s]*$/.exec(text.slice(floor, end));
  if (tail?.[1] !== undefined && !/[.,:]\d/.test(text.slice(floor + tail[1].length - 2, end)))
    at = floor + tail[1].length;
  else if (tail?.[1] !== undefined && /(?:\p{L}{2}|[ap]\.m)\.\d{1,2}$/u.test(text.slice(floor, end)))
    at = floor + tail[1].length;
  while (at > start && '*_"\'”’'.includes(text.charAt(at - 1))) at--;
  switch (text.charAt(at - 1)) {
    case '.':
    case '?':
    case '!':
    case '…':
    case '。':
      return 'stop';
    case ':':
      return 'colon';
    case ';':
      return 'semicolon';
    case '-':
    case '‐':
    case '–':
    case '—':
      return end - start <= 2 ? 'word' : 'hyphen';
    case ',':
    case '(':
    case '[':
    case '&':
    case '/':
    case '“':
      return 'open';
    default:
      return 'word';
  }
};
