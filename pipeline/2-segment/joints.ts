/** Whether a sentence or heading goes on from one line to the next. */
import { isFull, type Joint } from './joint.js';
import { firstWordEnd, isCapitals, isTitleCase, lastWord } from './line-shape.js';
import type { Line } from './lines.js';
import { isContinuing, starterStrength } from './starters.js';
import { startsUnit } from './unit-starts.js';

export const runsOn = (joint: Joint): boolean => {
  const { text, opening, previous, next, gap, wrap } = joint;
  if (isStrayStop(text, next)) return true;
  if (next.kind === 'number') return isYearWithin(joint);
  if (previous.kind === 'number' && opening === previous) return false;
  if (next.kind === 'turn' || next.kind === 'mark') return false;
  if (previous.kind === 'mark')
    return opening === previous && next.kind === 'text' && gap <= 2 && next.mark?.kind !== 'bullet';
  if (next.kind !== 'text' || !isProse(previous)) return isWrappedHeading(joint);
  const continues = leavesOpen(text, previous);
  if (startsUnit(joint, continues)) return false;
  switch (previous.closes) {
    case 'stop':
      return runsOnAfterStop(joint);
    case 'colon':
      return next.opens === 'lower' && isFull(joint);
    case 'semicolon':
      return next.opens === 'lower' && runsOnInLowerCase(joint);
    case 'open':
    case 'hyphen':
    case 'word':
      if (continues) return gap <= 1 + wrap.gap || next.opens !== 'upper';
      return next.opens === 'lower' ? runsOnInLowerCase(joint) : runsOnInCapitals(joint);
    default:
      return previous.closes satisfies never;
  }
};

/** A full stop or a bracket alone on its line. */
const isStrayStop = (text: string, line: Line): boolean =>
  line.kind === 'text' && line.end - line.start <= 2 && /^[.,;:!?)\]”’"]+$/.test(text.slice(line.start, line.end));

const isProse = (line: Line): boolean => line.kind === 'text' || line.kind === 'turn' || line.kind === 'number';

/** A line of digits is a page number, unless the sentence before it wants a year. */
const isYearWithin = ({ text, previous, next, gap }: Joint): boolean =>
  previous.kind === 'text' &&
  gap === 0 &&
  previous.closes === 'word' &&
  isContinuing(lastWord(text, previous)) &&
  /^(?:19|20)\d\d$/.test(text.slice(next.start, next.end));

const LONG_HEADING = 40;

const isWrappedHeading = ({ text, previous, next, gap }: Joint): boolean =>
  previous.kind === 'heading' &&
  next.kind === 'text' &&
  gap === 0 &&
  next.mark === undefined &&
  previous.end - previous.start > LONG_HEADING &&
  (next.opens === 'lower' || isOpenEnded(lastWord(text, previous)));

/** `the`, `of`, a comma, a hyphen: a line that ends so is not the last of its sentence. */
const leavesOpen = (text: string, line: Line): boolean =>
  line.closes === 'open' || line.closes === 'hyphen' || (line.closes === 'word' && isOpenEnded(lastWord(text, line)));

/** Headings capitalise such words too: `Of`, `Each`; `A` alone may be a grade or a class. */
const isOpenEnded = (word: string): boolean =>
  isContinuing(word) || (/^\p{Lu}\p{Ll}+$/u.test(word) && isContinuing(word.toLowerCase()));

const runsOnAfterStop = (joint: Joint): boolean => {
  const { text, previous, next, gap, wrap } = joint;
  if (next.opens === 'lower') return true;
  if (gap <= wrap.gap && !isShort(joint)) return true;
  return gap <= 1 && endsInAbbreviation(text, previous);
};

const ABBREVIATED =
  /(?:\b(?:Mr|Mrs|Ms|Dr|Messrs|Mses|Prof|St|vs|approx|No|Nos|Fig|Sec|i\.e|e\.g|U\.S|U\.K|p\.m|a\.m)|\s\p{Lu})\.$/u;

const endsInAbbreviation = (text: string, line: Line): boolean =>
  ABBREVIATED.test(text.slice(Math.max(line.start, line.end - 9), line.end));

const SHORT_LINE = 30;
const SHORT_BLOCK = 60;

const runsOnInLowerCase = (joint: Joint): boolean => {
  const { text, opening, previous, next, gap, wrap } = joint;
  if (isCapitals(text, previous)) return false;
  const length = previous.end - previous.start;
  if (length >= SHORT_LINE) return true;
  if (gap > 0 || previous.end - opening.start >= SHORT_BLOCK) return gap <= 1 + wrap.gap;
  // Short lines that nobody ends with a stop are a list: events, activities
  return next.closes === 'stop' || next.end - next.start >= 40 || (wrap.width > 0 && isFull(joint));
};

const runsOnInCapitals = (joint: Joint): boolean => {
  const { text, opening, previous, next, gap, wrap } = joint;
  if (gap > wrap.gap) return false;
  if (text.charCodeAt(next.start) === 0x28 && gap === 0 && isLong(joint)) return true;
  if (isNameList(joint) || isFragment(joint)) return true;
  if (isCertainStart(joint)) return false;
  const isTitle = isTitleCase(text, opening) && isTitleCase(text, previous);
  if (isTitle && opening === previous && previous.end - previous.start < wrap.width) return false;
  if (isTitle && (isTitleCase(text, next) || gap > 0)) return false;
  return isFull(joint);
};

const LIST_OF_NAMES = /,[^,]+,/;
const TITLED = /^(?:Mr|Ms|Mrs|Dr|Messrs|Prof|Shri)\b/;

/** Names set apart by commas fill the line and go on in the next, which is no row of a roster. */
const isNameList = (joint: Joint): boolean => {
  const { text, previous, next } = joint;
  if (previous.end - previous.start > 240 || !isFull(joint)) return false;
  return (
    LIST_OF_NAMES.test(text.slice(previous.start, previous.end)) &&
    !TITLED.test(text.slice(next.start, next.start + 8)) &&
    text.slice(next.start, Math.min(next.end, next.start + 40)).includes(',')
  );
};

/** `The`, `However`: within a sentence it would be in lower case, so a stop is missing before it. */
const isCertainStart = ({ text, next }: Joint): boolean => {
  const word = text.slice(next.start, firstWordEnd(text, next)).replace(/[,.]$/, '');
  return word.length > 1 && !/^I['’]/.test(word) && starterStrength(word) === 'certain';
};

const isLong = (joint: Joint): boolean =>
  joint.wrap.width === 0 ? joint.previous.end - joint.previous.start >= 60 : isFull(joint);

const FRAGMENT = /^(?:The|A|An|This|These|Its|Their|Our)\s(?:\S+\s?){0,3}$/;

/** The first line of a text may be the end of a line: `The Research` before `Department's assessment…`. */
const isFragment = ({ text, previous, next, gap, wrap }: Joint): boolean =>
  gap === 0 &&
  wrap.width > 0 &&
  previous.start < 8 &&
  FRAGMENT.test(text.slice(previous.start, Math.min(previous.end, previous.start + 40))) &&
  starterStrength(text.slice(next.start, firstWordEnd(text, next))) === 'none';

/** A line so short that its sentence, name or entry ended there, whatever its stop may abbreviate. */
const isShort = ({ text, previous, next, wrap }: Joint): boolean =>
  wrap.width === 0
    ? previous.end - previous.start < SHORT_LINE || isTitleCase(text, previous)
    : (previous.end - previous.start + 1 + firstWordEnd(text, next) - next.start) * 4 < wrap.width * 3;
