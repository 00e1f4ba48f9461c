/** Where sentences end within a block: full stops, their closers, and what stands around them. */
import { isAbbreviationEnd } from './abbreviated.js';
import { type Bracket, closeBracket, DEEPEST, LONGEST_BRACKET, referenceEnd } from './brackets.js';
import {
  isCloser,
  isDigit,
  isLetter,
  isLower,
  isOpener,
  isStop,
  isUpper,
  isWhite,
  skipOpeners,
  skipWhite,
  trimWhite,
} from './characters.js';
import { directionEnd } from './directions.js';
import { starterStrength } from './starters.js';
import { isTimeOfDay, readTail } from './tails.js';
import { wordAt, wordBefore } from './words.js';

/** Positions inside `start`–`end` where a new sentence begins (its first character that is not white). */
export const findBoundaries = (text: string, start: number, end: number): number[] => {
  const boundaries: number[] = [];
  const brackets: Bracket[] = [];
  let unitStart = start;
  const add = (position: number): void => {
    const next = skipWhite(text, position, end);
    if (next >= end || next <= unitStart || isLastMark(text, next, end)) return;
    boundaries.push(next);
    unitStart = next;
  };

  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128 ? PLAIN[unit] === 1 : unit !== 0x2026 && unit < 0x3000) continue;
    if (unit === 0x28 || unit === 0x5b) {
      const direction = directionEnd(text, unitStart, at, end);
      const reference = at === unitStart && boundaries.length > 0 ? referenceEnd(text, at, end) : 0;
      if (direction > 0) {
        if (!isAfterColon(text, unitStart, at)) add(at);
        add(direction);
        at = direction - 1;
      } else if (reference > 0) {
        // `fell.  (Chart 1)  Wages rose`: it refers to what was said.
        boundaries.pop();
        unitStart = boundaries.at(-1) ?? start;
        add(reference);
        at = reference - 1;
      } else if (brackets.length < DEEPEST) {
        brackets.push({ at, unit, boundaries: boundaries.length, unitStart });
      }
    } else if (unit === 0x29 || unit === 0x5d) {
      const bracket = closeBracket(brackets, unit);
      if (
        bracket === undefined ||
        at - bracket.at > LONGEST_BRACKET ||
        isUnitStart(text, bracket.unitStart, bracket.at)
      )
        continue;
      // A bracket within a sentence never splits it.
      if (boundaries.length > bracket.boundaries) {
        boundaries.length = bracket.boundaries;
        unitStart = bracket.unitStart;
      }
      if (isStop(text.charCodeAt(at - 1)) && startsCertainly(text, at + 1, end)) add(skipClosers(text, at + 1, end));
    } else if (isStop(unit)) {
      const stop = readStop(text, unitStart, at, end);
      if (stop.boundary > 0) add(stop.boundary);
      at = stop.end - 1;
    }
  }
  return boundaries;
};

/** `as published. 4` at the end of a block: the mark of a footnote. */
const isLastMark = (text: string, at: number, end: number): boolean =>
  end - at <= 2 && isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(end - 1));

/** 1 for the ASCII characters that the scan passes over. */
const PLAIN = new Uint8Array(128).fill(1);
for (const character of '.?!()[]') PLAIN[character.charCodeAt(0)] = 0;

/** `Operator: [Operator Instructions]` is one unit. */
const isAfterColon = (text: string, unitStart: number, at: number): boolean => {
  const before = trimWhite(text, unitStart, at);
  return before > unitStart && text.charCodeAt(before - 1) === 0x3a;
};

/** Of 40 characters at most, as `skipOpeners` skips: it is asked at every bracket of a unit. */
const isUnitStart = (text: string, unitStart: number, at: number): boolean => {
  if (at - unitStart > 40) return false;
  for (let position = unitStart; position < at; position++) {
    const unit = text.charCodeAt(position);
    if (!isOpener(unit) && !isWhite(unit)) return false;
  }
  return true;
};

const startsCertainly = (text: string, position: number, end: number): boolean => {
  const next = skipOpeners(text, position, end);
  if (!isUpper(text.charCodeAt(next))) return false;
  const word = wordAt(text, next, end);
  const strength = starterStrength(word);
  if (strength === 'certain') return true;
  return (strength === 'likely' || word === 'A') && isLower(text.charCodeAt(skipWhite(text, next + word.length, end)));
};

const skipClosers = (text: string, position: number, end: number): number => {
  let at = position;
  while (at < end && isCloser(text.charCodeAt(at))) at++;
  return at;
};

interface Stop {
  /** Behind the run of stops: where the scan goes on. */
  readonly end: number;
  /** Behind the stop, its closers and footnote marks, where a sentence ends there; else 0. */
  readonly boundary: number;
}

const readStop = (text: string, unitStart: number, at: number, blockEnd: number): Stop => {
  let end = at + 1;
  let strong = text.charCodeAt(at) !== 0x2e;
  while (end < blockEnd && isStop(text.charCodeAt(end))) {
    if (text.charCodeAt(end) !== 0x2e) strong = true;
    end++;
  }
  const spaced = readSpacedDots(text, at, end, blockEnd);
  if (spaced !== undefined) return spaced;
  const isEllipsis = text.charCodeAt(at) === 0x2026 || (!strong && end - at >= 3);
  const none: Stop = { end, boundary: 0 };
  if (end >= blockEnd) return none;

  if (isLooseDecimal(text, at)) return none;
  const tail = readTail(text, at, end, blockEnd);
  if (tail === undefined) return none;
  const behind = text.charCodeAt(tail.end);
  if (tail.end >= blockEnd) return none;
  if (!isWhite(behind)) {
    const glued = isGluedSentence(text, at, tail.end, blockEnd);
    return glued ? { end, boundary: tail.end } : none;
  }

  const next = skipOpeners(text, tail.end, blockEnd);
  if (next >= blockEnd) return none;
  const nextUnit = text.charCodeAt(next);
  if (isEllipsis && !tail.hasQuote)
    return startsAfterEllipsis(text, next, blockEnd, end - at) ? { end, boundary: tail.end } : none;
  if (strong) {
    const isExclamation = text.charCodeAt(end - 1) === 0x21;
    if (isLower(nextUnit) && (isExclamation || tail.hasQuote)) return none;
    return { end, boundary: tail.end };
  }
  if (tail.hasQuote && isLower(nextUnit)) return none;
  if (isEnumerator(text, unitStart, at)) return none;
  const numbered = NUMBERED.exec(text.slice(Math.max(unitStart, at - 12), at))?.[1];
  if (numbered !== undefined && isUpper(nextUnit)) return { end, boundary: at - numbered.length };
  if (isDigit(text.charCodeAt(end)) && isUpper(nextUnit) && isTimeOfDay(text, at)) return { end, boundary: tail.end };
  const previous = wordBefore(text, at, unitStart);
  const abbreviated = isAbbreviationEnd(text, unitStart, at, previous, tail.end, next, blockEnd);
  if (abbreviated !== undefined) return abbreviated ? { end, boundary: tail.end } : none;
  if (isLower(nextUnit) && !isOrdinaryEnd(text, at)) return none;
  return { end, boundary: tail.end };
};

/** `in 2021 14. Prices rose`, `(Source: NFA) 6. Prices`, `www.example.com 28. Prices`: the number of the next paragraph. */
const NUMBERED = /(?:(?:19|20)\d\d|[.\])]\)|[\p{L}\d]\)|\.(?:com|org|net|gov|edu|\p{Ll}\p{Ll}))\s+(\d{1,3})$/u;

/** `8 . 5 percent`: spaces that an extraction put around a decimal point. */
const isLooseDecimal = (text: string, at: number): boolean =>
  text.charCodeAt(at - 1) === 0x20 && /^\d \. ?\d$/.test(text.slice(at - 2, at + 3).trimEnd());

/** `. . .` is no sentence's end, `. . . .` is one; a stop before `. . .` ends the sentence before it. */
const readSpacedDots = (text: string, at: number, end: number, blockEnd: number): Stop | undefined => {
  if (
    end - at !== 1 ||
    text.charCodeAt(at) !== 0x2e ||
    text.charCodeAt(end) !== 0x20 ||
    text.charCodeAt(end + 1) !== 0x2e
  )
    return undefined;
  let dots = 1;
  let last = at;
  while (last + 2 < blockEnd && text.charCodeAt(last + 1) === 0x20 && text.charCodeAt(last + 2) === 0x2e) {
    last += 2;
    dots++;
  }
  const behind = last + 1;
  const next = skipOpeners(text, behind, blockEnd);
  const attached = !isWhite(text.charCodeAt(at - 1));
  const begins = next < blockEnd && isWhite(text.charCodeAt(behind)) && isUpper(text.charCodeAt(next));
  if (dots < 4 || !begins) return { end: behind, boundary: 0 };
  return { end: behind, boundary: attached ? at + 1 : behind };
};

/** `country.The`, `lung?Thanks`, `1,000.That`: a new sentence without a space before it. */
const isGluedSentence = (text: string, at: number, position: number, end: number): boolean => {
  if (!isUpper(text.charCodeAt(position))) return false;
  const word = wordAt(text, position, end);
  const isWord =
    word.length > 1
      ? isLower(text.charCodeAt(position + 1)) || starterStrength(word) === 'certain'
      : word === 'I' || word === 'A';
  if (!isWord) return false;
  const before = text.charCodeAt(at - 1);
  const beforeThat = text.charCodeAt(at - 2);
  const ended =
    (isLower(before) && (isLower(beforeThat) || beforeThat === 0x27 || beforeThat === 0x2019)) ||
    isDigit(before) ||
    before === 0x25 ||
    isCloser(before) ||
    (isUpper(before) && isUpper(beforeThat));
  return ended && !isAddress(text, at, end);
};

/** Looks at the token around a stop: `Jane.Doe@example.com`, `www.Example.com/Page.Html`. */
const isAddress = (text: string, at: number, end: number): boolean => {
  let from = at;
  while (from > 0 && at - from < 60 && !isWhite(text.charCodeAt(from - 1))) from--;
  let to = at;
  while (to < end && to - at < 60 && !isWhite(text.charCodeAt(to))) to++;
  return (
    /@|:\/\/|www\.|\\|\.(?:com|org|net|gov|edu)\b|_/.test(text.slice(from, to)) && !/^\*|\*$/.test(text.slice(from, to))
  );
};

const startsAfterEllipsis = (text: string, next: number, end: number, dots: number): boolean => {
  if (!isUpper(text.charCodeAt(next))) return false;
  if (dots >= 4) return true;
  const word = wordAt(text, next, end);
  return word !== 'I' && !word.startsWith("I'") && !word.startsWith('I’') && starterStrength(word) === 'certain';
};

/** `12`, `3.1`, `a`, `iv`; `A12`, `A.1.2`, `IV4`: the letter or numeral of a part with a number in it; `Q3` is a quarter. */
const ENUMERATOR =
  /^[\s*_#"“([•●▪⁃–-]*(?:\d{1,3}(?:\.\d{1,2}){0,2}|[A-Za-z]|[ivx]{1,5}|[IVX]{1,5}|[\u2160-\u217f]|[A-GI-PR-Z]\d{1,3}|[A-Z](?:\.\d{1,2}){1,3}|[IVX]{1,5}\d{1,2})$/u;
/** `measures: a. Keep the rate; and b. Lift the tiers`: what counts the items of a list within a sentence. */
const ITEM_OF_LIST = /[:;](?:\s+(?:and|or))?\s+\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})$/;
const LABEL =
  /^[\s*_#"“(]*(?:Tables?|Charts?|Figures?|Box|Annex|Appendix|Graph|Exhibit|Section|Chapter|Article|Part|Panel|Footnote|Note|Item|Question|Paragraph|Step)\s+(?:\d{1,3}(?:\.\d{1,2})?|[IVX]{1,5}|[A-Z])$/;

/** The stop behind `12`, `a`, `Chart 2` at the start of a unit, or behind an item of a list. */
const isEnumerator = (text: string, unitStart: number, at: number): boolean => {
  if (ITEM_OF_LIST.test(text.slice(Math.max(unitStart, at - 12), at))) return true;
  if (at - unitStart > 24) return false;
  const head = text.slice(unitStart, at);
  return ENUMERATOR.test(head) || (LABEL.test(head) && text.charCodeAt(at + 1) !== 0x29);
};

/** A stop after a word, a percentage or a closing bracket ends a sentence even before lower case; after a number or a lone letter it does not. */
const isOrdinaryEnd = (text: string, at: number): boolean => {
  let before = at - 1;
  while (before > 0 && isCloser(text.charCodeAt(before))) before--;
  if (text.charCodeAt(before) === 0x25) return before === at - 1;
  return isLetter(text.charCodeAt(before)) && isLetter(text.charCodeAt(before - 1));
};
