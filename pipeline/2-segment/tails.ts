/** What a full stop takes along: closing quotes, brackets, emphasis and the marks of footnotes. */
import {
  isCloser,
  isDigit,
  isLetter,
  isQuoteCloser,
  isSuperscript,
  isUpper,
  isWhite,
  skipOpeners,
} from './characters.js';

export interface Tail {
  /** Behind all of it. */
  readonly end: number;
  /** Whether a quote or a bracket was closed. */
  readonly hasQuote: boolean;
}

/** What a stop takes along: closing quotes, brackets, emphasis, footnote marks. Undefined for a decimal point. */
export const readTail = (text: string, at: number, end: number, blockEnd: number): Tail | undefined => {
  let position = end;
  let hasQuote = false;
  if (isDigit(text.charCodeAt(position))) {
    position = footnoteEnd(text, at, position, blockEnd);
    if (position === 0) return undefined;
  }
  while (position < blockEnd) {
    const unit = text.charCodeAt(position);
    if (isCloser(unit)) {
      if (isQuoteCloser(unit) || unit === 0x29) hasQuote = true;
      position++;
    } else if (isSuperscript(unit)) position++;
    else if (unit === 0x5b) {
      const mark = noteEnd(text, position, blockEnd);
      if (mark === 0) break;
      position = mark;
    } else if (isDigit(unit) && position > end && isCloser(text.charCodeAt(position - 1))) {
      const mark = digitsEnd(text, position, blockEnd);
      if (mark - position > 2 || (mark < blockEnd && !isWhite(text.charCodeAt(mark)))) break;
      position = mark;
    } else break;
  }
  return { end: position, hasQuote };
};

const digitsEnd = (text: string, position: number, end: number): number => {
  let at = position;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at;
};

/** `policies.2 Participants`, `2022.5 It`: digits behind a stop that are a mark rather than decimals. */
const footnoteEnd = (text: string, at: number, position: number, end: number): number => {
  const mark = digitsEnd(text, position, end);
  if (mark - position > 2) return 0;
  let behind = mark;
  while (behind < end && isCloser(text.charCodeAt(behind))) behind++;
  if (behind < end && !isWhite(text.charCodeAt(behind))) return 0;
  const before = text.charCodeAt(at - 1);
  if (isDigit(before)) {
    const isYear = /(?:^|[^\d.,])(?:19|20)\d\d$/.test(text.slice(Math.max(0, at - 6), at));
    if (!isYear) return 0;
  } else if (
    !isCloser(before) &&
    before !== 0x25 &&
    !(isLetter(before) && isLetter(text.charCodeAt(at - 2))) &&
    !isTimeOfDay(text, at)
  )
    return 0;
  const next = skipOpeners(text, behind, end);
  return next >= end || isUpper(text.charCodeAt(next)) ? mark : 0;
};

/** `12:50 p.m.1 Those present`: a mark behind the abbreviation, which ends the sentence too. */
export const isTimeOfDay = (text: string, at: number): boolean => /[ap]\.m$/.test(text.slice(Math.max(0, at - 3), at));

const NOTE = /\[(?:[Nn]ote )?[\d*]{1,3}\)?\]/y;
const noteEnd = (text: string, position: number, end: number): number => {
  NOTE.lastIndex = position;
  return NOTE.test(text) && NOTE.lastIndex <= end ? NOTE.lastIndex : 0;
};
