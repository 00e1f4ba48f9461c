/** Stage directions in transcripts: `[Operator Instructions]` between two sentences is a unit. */
import { isLineEnd, isUpper, isWhite, skipWhite } from './characters.js';

const LONGEST = 48;
const DIRECTION =
  /^[[(]\s*(?:operator['’]?s?\s+instructions?|operator provides instructions|instructions?|pause|music|break|applause|audio gap|audio playback|video playback|video presentation|presentation|foreign speech|foreign language|technical difficult(?:y|ies)|technical issues?)\s*[\])]\.?$/i;

/** What else stands alone where words are missing, with the time of the recording at which they are: `[indiscernible] (00:26:45).` */
const MISSING =
  '[[(]\\s*(?:operator (?:closing remarks|signoff)|long pause|commercial break|multiple speakers|speech overlap|cross-?talk|indiscernible|' +
  'inaudible|indecipherable|unintelligible)\\s*[\\])]';
const CLOCK = '(?:\\d{1,2}:)?\\d{1,2}:\\d\\d';
const ALL_MISSING = new RegExp(`^(?:(?:${MISSING}|\\(${CLOCK}(?:-${CLOCK})?\\))\\s?){1,2}\\.?$`, 'i');
const BEHIND_OPERATOR = /^Operator:?\s*(?=\[)/;

/** Whether a unit is a direction and nothing else, behind the operator's name or alone: nobody said it. */
export const isDirection = (unit: string): boolean => {
  if (unit.length > LONGEST) return false;
  const alone = unit.replace(BEHIND_OPERATOR, '');
  return DIRECTION.test(alone) || ALL_MISSING.test(alone);
};

/** The position behind a direction that opens with the bracket at `at` and stands between sentences; else 0. */
export const directionEnd = (text: string, unitStart: number, at: number, end: number): number => {
  const second = text.charCodeAt(at + 1);
  if (!isUpper(second) && text.charCodeAt(at + 1) !== 0x6f && text.charCodeAt(at + 1) !== 0x70) return 0;
  const closer = text.charCodeAt(at) === 0x5b ? ']' : ')';
  const slice = text.slice(at, Math.min(end, at + LONGEST));
  const close = slice.indexOf(closer);
  if (close < 0) return 0;
  const stop = slice.charAt(close + 1) === '.' ? close + 2 : close + 1;
  if (!DIRECTION.test(slice.slice(0, stop))) return 0;
  // `We will [Technical Issues] Sorry` stays whole: only the operator's stands between sentences without a stop.
  if (unitStart < at && !/^.\s*operator/i.test(slice) && !opensLine(text, unitStart, at)) return 0;
  const behind = at + stop;
  const next = skipWhite(text, behind, end);
  if (next < end && !isWhite(text.charCodeAt(behind))) return 0;
  if (next < end && !/[\p{Lu}\d["“(]/u.test(text.charAt(next))) return 0;
  return behind;
};

const opensLine = (text: string, start: number, at: number): boolean => {
  let before = at - 1;
  while (before > start && isWhite(text.charCodeAt(before)) && !isLineEnd(text.charCodeAt(before))) before--;
  return isLineEnd(text.charCodeAt(before));
};
