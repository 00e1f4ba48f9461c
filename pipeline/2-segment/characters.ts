/** What single UTF-16 code units are: white, closing, opening, a stop. Tables, because the scanners ask for every unit. */

const WHITE = new Uint8Array(65536);
for (const unit of ' \t\n\v\f\r\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000') WHITE[unit.charCodeAt(0)] = 1;
for (let unit = 0x2000; unit <= 0x200a; unit++) WHITE[unit] = 1;
for (const unit of '\u200b\u2060\ufeff') WHITE[unit.charCodeAt(0)] = 2;

/** White space as `\s` knows it, or a character without width that marks none. */
export const isWhite = (unit: number): boolean => WHITE[unit] !== 0;

/** Takes no room on the page: in the text of a sentence it is left out rather than turned into a space. */
export const isZeroWidth = (unit: number): boolean => WHITE[unit] === 2;

/** Ends a line: LF, VT, FF, CR, NEL and the two Unicode separators. */
export const isLineEnd = (unit: number): boolean =>
  (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** The superscript digits that mark a footnote. */
export const isSuperscript = (unit: number): boolean =>
  unit === 0xb9 || unit === 0xb2 || unit === 0xb3 || unit === 0x2070 || (unit >= 0x2074 && unit <= 0x2079);

const LETTER = 1;
const UPPER = 2;
const LOWER = 4;
const CASES = new Uint8Array(0x250);
for (let unit = 0; unit < CASES.length; unit++) {
  const character = String.fromCharCode(unit);
  if (/\p{L}/u.test(character)) {
    const isUpperCase = character !== character.toLowerCase();
    CASES[unit] = LETTER | (isUpperCase ? UPPER : LOWER);
  }
}

const caseOf = (unit: number): number => {
  if (unit < CASES.length) return CASES[unit] ?? 0;
  const character = String.fromCharCode(unit);
  if (character !== character.toLowerCase()) return LETTER | UPPER;
  if (character !== character.toUpperCase()) return LETTER | LOWER;
  return /\p{L}/u.test(character) ? LETTER : 0;
};

export const isLetter = (unit: number): boolean => caseOf(unit) !== 0;
export const isUpper = (unit: number): boolean => (caseOf(unit) & UPPER) !== 0;
export const isLower = (unit: number): boolean => (caseOf(unit) & LOWER) !== 0;

const setOf = (characters: string): Uint8Array => {
  const set = new Uint8Array(65536);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
};

const CLOSERS = setOf('"\'”’»›)]}*_`');
const QUOTE_CLOSERS = setOf('"\'”’»›');
const OPENERS = setOf('"\'“‘«‹([{*_`#„‚');
const STOPS = setOf('.?!…。！？');

/** May stand between a full stop and the white space behind it. */
export const isCloser = (unit: number): boolean => CLOSERS[unit] === 1;
export const isQuoteCloser = (unit: number): boolean => QUOTE_CLOSERS[unit] === 1;
/** May stand between white space and the first word of a sentence. */
export const isOpener = (unit: number): boolean => OPENERS[unit] === 1;
export const isStop = (unit: number): boolean => STOPS[unit] === 1;

/** The first position from `position` on that is not white, at most `end`. */
export const skipWhite = (text: string, position: number, end: number): number => {
  let at = position;
  while (at < end && isWhite(text.charCodeAt(at))) at++;
  return at;
};

/** The position behind the last character before `position` that is not white, at least `start`. */
export const trimWhite = (text: string, start: number, position: number): number => {
  let at = position;
  while (at > start && isWhite(text.charCodeAt(at - 1))) at--;
  return at;
};

/** The first position from `position` on that is neither white nor an opener, at most `end`; gives up after 40. */
export const skipOpeners = (text: string, position: number, end: number): number => {
  let at = position;
  while (at < end && at < position + 40 && (isWhite(text.charCodeAt(at)) || isOpener(text.charCodeAt(at)))) at++;
  return at;
};
