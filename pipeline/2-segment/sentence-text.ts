/** The text of a span as a person would read it: one space for a run of white space, words broken at a line end made whole, hyphens as such. */
import { isLineEnd, isLower, isWhite, isZeroWidth } from './characters.js';

/** The span of a line that is left out: `-----`, or what a page prints around its text. */
export interface Rule {
  readonly start: number;
  readonly end: number;
  /** A page's: it may have full stops of its own, which end nothing of the text. */
  readonly isEdge?: boolean;
}

/** `start` and `end` are already trimmed. Rule lines inside count as line ends. */
export const readSentenceText = (text: string, start: number, end: number, rules: readonly Rule[]): string => {
  const inside = rules.filter((rule) => rule.start >= start && rule.end <= end);
  if (inside.length > 0) return collapse(withoutRules(text, start, end, inside));
  let at = start;
  // Nearly all sentences are one line with single spaces: those are the slice itself.
  for (; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x7f) continue;
    if (isWhite(unit) && (unit !== 0x20 || isWhite(text.charCodeAt(at + 1)))) break;
    if (unit === LINE_END_HYPHEN || unit === SOFT_HYPHEN) break;
  }
  if (at >= end) return text.slice(start, end);
  return collapse(text.slice(start, end));
};

/** Some readers of PDF files write this for a hyphen at the end of a line that they made whole: `non\u0002GAAP`. */
const LINE_END_HYPHEN = 0x02;
/** Where a word may be broken, and was not. */
const SOFT_HYPHEN = 0xad;

const withoutRules = (text: string, start: number, end: number, rules: readonly Rule[]): string => {
  let kept = '';
  let from = start;
  for (const rule of rules) {
    kept += `${text.slice(from, rule.start)}\n`;
    from = rule.end;
  }
  return kept + text.slice(from, end);
};

const collapse = (slice: string): string => {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < slice.length) {
    if (!isWhite(slice.charCodeAt(at))) {
      at++;
      continue;
    }
    parts.push(slice.slice(from, at));
    let hasLineEnd = false;
    let hasWidth = false;
    const gapStart = at;
    while (at < slice.length && isWhite(slice.charCodeAt(at))) {
      const unit = slice.charCodeAt(at);
      if (isLineEnd(unit)) hasLineEnd = true;
      if (!isZeroWidth(unit)) hasWidth = true;
      at++;
    }
    if (hasWidth && !(hasLineEnd && isBrokenWord(slice, gapStart, at))) parts.push(' ');
    from = at;
  }
  parts.push(slice.slice(from));
  return withHyphens(parts.join(''));
};

/** Few texts have either. */
const withHyphens = (words: string): string => {
  const whole = words.includes(AT_LINE_END) ? words.replaceAll(BROKEN, '-') : words;
  return whole.includes('\u00ad') ? whole.replaceAll(SOFT, '') : whole;
};

const AT_LINE_END = String.fromCharCode(LINE_END_HYPHEN);

const BROKEN = new RegExp(`(?<=[\\p{L}\\d])${AT_LINE_END}(?=[\\p{L}\\d])`, 'gu');
const SOFT = /(?<=\p{L})\u00ad(?=[\p{L}-])/gu;

const isBrokenWord = (slice: string, gapStart: number, gapEnd: number): boolean => {
  const hyphen = slice.charCodeAt(gapStart - 1);
  if (hyphen !== 0x2d && hyphen !== 0x2010 && hyphen !== 0xad) return false;
  return isLower(slice.charCodeAt(gapStart - 2)) && isLower(slice.charCodeAt(gapEnd));
};
