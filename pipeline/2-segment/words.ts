/** The words around a position. */
import { isLetter, isWhite } from './characters.js';

const LONGEST_WORD = 24;

const isWordUnit = (unit: number): boolean => isLetter(unit) || unit === 0x27 || unit === 0x2019;

/** The letters and apostrophes from `position` on. */
export const wordAt = (text: string, position: number, end: number): string => {
  let at = position;
  while (at < end && at - position < LONGEST_WORD && isWordUnit(text.charCodeAt(at))) at++;
  return text.slice(position, at);
};

/** The token that ends at `position`: letters and inner stops, as in `U.S` before its last stop. */
export const wordBefore = (text: string, position: number, floor: number): string => {
  let at = position;
  while (at > floor && position - at < LONGEST_WORD) {
    const unit = text.charCodeAt(at - 1);
    if (!isLetter(unit) && unit !== 0x2e && unit !== 0xb0 && unit !== 0xba) break;
    at--;
  }
  while (at < position && text.charCodeAt(at) === 0x2e) at++;
  return text.slice(at, position);
};

/** The position before `position` at which the run of characters that are not white begins. */
export const tokenStart = (text: string, position: number, floor: number): number => {
  let at = position;
  while (at > floor && position - at < 2 * LONGEST_WORD && !isWhite(text.charCodeAt(at - 1))) at--;
  return at;
};
