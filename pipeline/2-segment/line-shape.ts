/** What a line looks like: its first and last word, whether it is a title, all capitals, a link. */
import { isLetter, isLower, isUpper, isWhite } from './characters.js';
import type { Line } from './lines.js';

/** The last word of a line without the emphasis around it, as far as 24 characters. */
export const lastWord = (text: string, line: Line): string => {
  let end = line.end;
  while (end > line.start && !isLetter(text.charCodeAt(end - 1)) && '*_"\'”’)'.includes(text.charAt(end - 1))) end--;
  let start = end;
  while (start > line.start && end - start < 24 && isLetter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
};

/** The position behind the first word of a line. */
export const firstWordEnd = (text: string, line: Line): number => {
  let at = line.start;
  while (at < line.end && !isWhite(text.charCodeAt(at))) at++;
  return Math.min(at, line.start + 20);
};

/** Counts words, up to ten. */
export const tokenCount = (text: string, line: Line): number => {
  let count = 1;
  for (let at = line.start; at < line.end && count < 10; at++) if (isWhite(text.charCodeAt(at))) count++;
  return count;
};

const LONG_LINE = 240;

const LONGEST_HEADING = 110;

/** At least two words or eight letters, none in lower case: a heading, where it is not so long that it must be prose. */
export const isCapitals = (text: string, line: Line): boolean => {
  if (line.end - line.start > LONGEST_HEADING) return false;
  let letters = 0;
  let words = 0;
  let inWord = false;
  for (let at = line.start; at < line.end; at++) {
    const unit = text.charCodeAt(at);
    if (isLower(unit)) return false;
    if (isLetter(unit)) {
      letters++;
      if (!inWord) words++;
      inWord = true;
    } else inWord = false;
  }
  return letters >= 8 || (letters >= 5 && words >= 2);
};

const REST_OF_HEADING = /^(?:CONFERENCE CALL|MEETING|HELD|AND|OF|ON|FOR|IN|TO|WITH)\b[^\p{Ll}]*$/u;

/** `CONFERENCE CALL SCRIPT` below `NORTHWIND EARNINGS`: no heading begins so. */
export const isRestOfHeading = (text: string, line: Line): boolean =>
  line.end - line.start <= LONGEST_HEADING && REST_OF_HEADING.test(text.slice(line.start, line.end));

/** A line of a disclaimer: long, and most of its letters capitals. */
export const isShouted = (text: string, line: Line): boolean => {
  if (line.end - line.start <= LONGEST_HEADING || line.end - line.start > 2 * LONG_LINE) return false;
  let lower = 0;
  let upper = 0;
  for (let at = line.start; at < line.end; at++) {
    if (isUpper(text.charCodeAt(at))) upper++;
    else if (isLower(text.charCodeAt(at))) lower++;
  }
  return upper > 3 * lower;
};

/** Nearly every longer word is capitalised: a heading, a name, a row of a roster. */
export const isTitleCase = (text: string, line: Line): boolean => {
  if (line.end - line.start > LONG_LINE) return false;
  let capital = 0;
  let small = 0;
  let at = line.start;
  while (at < line.end) {
    while (at < line.end && !isLetter(text.charCodeAt(at))) at++;
    const from = at;
    while (at < line.end && isLetter(text.charCodeAt(at))) at++;
    if (at === from) break;
    if (isUpper(text.charCodeAt(from))) capital++;
    else if (at - from > 3) small++;
  }
  return capital >= 2 && capital >= 8 * small;
};

const LINK =
  /^[[(<*_]{0,3}(?:https?:\/\/|www\.|[\w.-]+@[\w-]+\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|gov|edu|int|eu|uk|in|jp|ch|br)(?:\/|\s|$))/;

/** Begins with an address of the web or of mail, and holds little else. */
export const isLinkLine = (text: string, line: Line): boolean => {
  const unit = text.charCodeAt(line.start);
  if (isUpper(unit) || line.end - line.start > 160) return false;
  const slice = text.slice(line.start, line.end);
  if (!LINK.test(slice)) return false;
  return slice.split(/\s+/).length <= 3;
};
