/**
 * Lines to blocks. A block is a stretch of text in which a line break means no more than a space: a paragraph that was
 * wrapped, or a heading, list item, table row, roster line or page number on its own.
 */
import { isUpper } from './characters.js';
import { firstWordEnd, isCapitals, isLinkLine, isTitleCase, lastWord, tokenCount } from './line-shape.js';
import type { Line } from './lines.js';
import { isContinuing, starterStrength } from './starters.js';
import { measureWrap, type Wrap } from './wrap.js';

export interface Block {
  readonly start: number;
  readonly end: number;
  /** Index of its first line, and the one behind its last. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** A row, rule, heading or page number has no sentences inside. */
  readonly kind: 'text' | 'single';
}

/** Joins lines to blocks. Rule lines are left out; a sentence goes on across them. */
export const toBlocks = (text: string, lines: readonly Line[]): Block[] => {
  const blocks: Block[] = [];
  const wrap = measureWrap(text, lines);
  let first = -1;
  let last = -1;
  const close = (): void => {
    const opening = lines[first];
    const closing = lines[last];
    if (opening !== undefined && closing !== undefined) {
      const kind =
        opening.kind === 'row' || opening.kind === 'number' || opening.kind === 'speaker' ? 'single' : 'text';
      blocks.push({ start: opening.start, end: closing.end, firstLine: first, lastLine: last + 1, kind });
    }
    first = -1;
  };
  let gap = 0;
  for (const [index, line] of lines.entries()) {
    gap += line.gap;
    if (line.kind === 'rule') {
      gap++;
      continue;
    }
    const previous = first < 0 ? undefined : lines[last];
    const opening = first < 0 ? undefined : lines[first];
    if (previous === undefined || opening === undefined || !runsOn(text, opening, previous, line, gap, wrap(index))) {
      close();
      first = index;
    }
    last = index;
    gap = 0;
  }
  close();
  return blocks;
};

/** Whether the sentence or heading of `previous` goes on in `next`; `gap` counts the blank and rule lines between. */
const runsOn = (text: string, opening: Line, previous: Line, next: Line, gap: number, wrap: Wrap): boolean => {
  if (next.kind === 'number') return isNumberWithin(text, previous, next, gap);
  if (previous.kind === 'number' && opening === previous) return false;
  if (next.kind !== 'text' || previous.kind !== 'text') return isWrappedHeading(text, previous, next, gap);
  const closes = previous.closes;
  const continues =
    closes === 'open' || closes === 'hyphen' || (closes === 'word' && isContinuing(lastWord(text, previous)));
  if (startsUnit(text, opening, previous, next, gap, wrap, continues)) return false;
  if (closes === 'stop') return gap <= wrap.gap || next.opens === 'lower' || endsInAbbreviation(text, previous);
  if (closes === 'colon') return next.opens === 'lower' && isFull(text, previous, next, wrap);
  if (continues) return gap <= 1 + wrap.gap || next.opens !== 'upper';
  if (next.opens === 'lower') return runsOnInLowerCase(text, previous, next, gap, wrap);
  if (closes === 'semicolon') return false;
  if (gap > wrap.gap) return false;
  if (text.charCodeAt(next.start) === 0x28 && gap === 0 && isFull(text, previous, next, wrap)) return true;
  if (isTitleCase(text, previous) && (isTitleCase(text, next) || gap > 0)) return false;
  if (isFragment(text, previous, next, gap, wrap)) return true;
  return isFull(text, previous, next, wrap);
};

/** A line of digits is a page number, unless the sentence before it wants a number. */
const isNumberWithin = (text: string, previous: Line, next: Line, gap: number): boolean =>
  previous.kind === 'text' &&
  gap === 0 &&
  previous.closes === 'word' &&
  next.opens === 'digit' &&
  isContinuing(lastWord(text, previous)) &&
  next.end - next.start <= 4;

const isWrappedHeading = (text: string, previous: Line, next: Line, gap: number): boolean =>
  previous.kind === 'heading' &&
  next.kind === 'text' &&
  gap === 0 &&
  next.mark === undefined &&
  previous.end - previous.start > 40 &&
  (next.opens === 'lower' || isContinuing(lastWord(text, previous)));

/** The first line of a text may be the end of a line: `The Research` before `Department's assessment…`. */
const isFragment = (text: string, previous: Line, next: Line, gap: number, wrap: Wrap): boolean =>
  gap === 0 &&
  wrap.width > 0 &&
  previous.start < 8 &&
  /^(?:The|A|An|This|These|Its|Their|Our)\s(?:\S+\s?){0,3}$/.test(
    text.slice(previous.start, Math.min(previous.end, previous.start + 40)),
  ) &&
  starterStrength(text.slice(next.start, firstWordEnd(text, next))) === 'none';

const NOTE = /^[*_"“(]{0,3}(?:Sources?|Notes?|N\.B\.|Unit|Units)\s?:/;

/** Whether `next` begins something new, whatever stands before it. */
const startsUnit = (
  text: string,
  opening: Line,
  previous: Line,
  next: Line,
  gap: number,
  wrap: Wrap,
  continues: boolean,
): boolean => {
  if (next.mark !== undefined && isMarkBelieved(text, opening, previous, next, gap, wrap, continues)) return true;
  if (isLinkLine(text, next) && !continues) return true;
  const nextHead = text.slice(next.start, Math.min(next.end, next.start + 16));
  if (NOTE.test(nextHead) || nextHead.startsWith('©')) return true;
  if (isLabelled(text, opening) && isLabelled(text, next)) return true;
  const previousIsBar = isBarred(text, previous);
  if (previousIsBar || isBarred(text, next)) return true;
  if (hasLeader(text, previous) && !isFull(text, previous, next, wrap)) return true;
  const capitals = isCapitals(text, next);
  const previousCapitals = isCapitals(text, previous);
  if (capitals !== previousCapitals)
    return !continues || capitals ? !(continues && gap <= wrap.gap && !capitals) : false;
  if (capitals && previousCapitals) return !(continues || isFull(text, previous, next, wrap));
  return false;
};

const LABEL = /^[*_]{0,3}\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}[*_]{0,3}:[*_]{0,3}\s/u;

/** `Place: …` below `Date: …`: a list of entries. */
const isLabelled = (text: string, line: Line): boolean =>
  LABEL.test(text.slice(line.start, Math.min(line.end, line.start + 40)));

const LONG_LINE = 400;

/** Columns set apart by bars: a running header. */
const isBarred = (text: string, line: Line): boolean =>
  line.end - line.start <= LONG_LINE && text.slice(line.start, line.end).includes(' | ');

/** Dots that lead to a page number: a table of contents. */
const hasLeader = (text: string, line: Line): boolean =>
  line.end - line.start <= LONG_LINE && /\.{5}|(?:\. ){5}|_{5}/.test(text.slice(line.start, line.end));

const isMarkBelieved = (
  text: string,
  opening: Line,
  previous: Line,
  next: Line,
  gap: number,
  wrap: Wrap,
  continues: boolean,
): boolean => {
  const mark = next.mark;
  if (mark === undefined) return false;
  const ended = previous.closes === 'stop' || previous.closes === 'colon' || previous.closes === 'semicolon';
  const rest = text.charCodeAt(mark.end);
  switch (mark.kind) {
    case 'bullet': {
      if (/^[-–—+o*]$/.test(mark.text)) {
        if (ended || opening.mark?.text === mark.text) return true;
        return next.opens !== 'lower' && !startsLower(text, mark.end)
          ? !continues || gap > wrap.gap
          : !isFull(text, previous, next, wrap);
      }
      return true;
    }
    case 'number':
      if (/^\d/.test(mark.text.replace(/^[*_#]+/, '')) && startsLower(text, mark.end))
        return ended && previous.closes !== 'stop';
      return !continues || (gap > wrap.gap && previous.closes !== 'word') || opening.mark?.kind === 'number';
    case 'bare':
      if (isMonthOrUnit(text, mark.end) && !(previous.closes === 'stop' && gap > wrap.gap)) return false;
      return previous.closes === 'stop' || (!continues && !isFull(text, previous, next, wrap));
    case 'letter':
      if (/^[A-Z]\.$/.test(mark.text) && isUpper(rest) && !ended)
        return !continues && !isFull(text, previous, next, wrap);
      return ended || !continues;
    case 'paren': {
      if (ended && previous.closes !== 'semicolon') return true;
      const listed = opening.mark?.kind === 'paren';
      if (listed) return true;
      return !isFull(text, previous, next, wrap) && !continues;
    }
    case 'note':
    case 'star':
      return previous.closes === 'stop' || (!continues && !isFull(text, previous, next, wrap));
    default:
      return mark.kind satisfies never;
  }
};

const startsLower = (text: string, position: number): boolean =>
  /^[\s*_"“'‘([]{0,4}\p{Ll}/u.test(text.slice(position, position + 5));

const MONTH =
  /^[*_]{0,3}(?:January|February|March|April|May|June|July|August|September|October|November|December|Percent|Per cent|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/;
const isMonthOrUnit = (text: string, position: number): boolean => MONTH.test(text.slice(position, position + 14));

/** Whether a next word would not have fitted on the line: then the break says nothing. */
const isFull = (text: string, previous: Line, next: Line, wrap: Wrap): boolean => {
  const length = previous.end - previous.start;
  if (wrap.width === 0) return length >= 60 && tokenCount(text, previous) >= 8 && !isTitleCase(text, previous);
  return length + 1 + (firstWordEnd(text, next) - next.start) >= wrap.width;
};

const runsOnInLowerCase = (text: string, previous: Line, next: Line, gap: number, wrap: Wrap): boolean => {
  if (isCapitals(text, previous)) return false;
  const length = previous.end - previous.start;
  if (length >= 30 || gap > 0) return gap <= 1 + wrap.gap || length >= 30;
  // Short lines that nobody ends with a stop are a list: events, activities
  return (
    next.closes === 'stop' || next.end - next.start >= 40 || (wrap.width > 0 && isFull(text, previous, next, wrap))
  );
};

const endsInAbbreviation = (text: string, line: Line): boolean =>
  /(?:\b(?:Mr|Mrs|Ms|Dr|Messrs|Mses|Prof|St|vs|approx|No|Nos|Fig|Sec|i\.e|e\.g|U\.S|U\.K|p\.m|a\.m)|\s\p{Lu})\.$/u.test(
    text.slice(Math.max(line.start, line.end - 9), line.end),
  );
