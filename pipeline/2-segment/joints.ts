/** Whether a sentence or heading goes on from one line to the next. */
import { isFull, type Joint } from './joint.js';
import { firstWordEnd, isCapitals, isRestOfHeading, isShouted, isTitleCase, lastWord } from './line-shape.js';
import type { Line } from './lines.js';
import { isFurniture } from './page-furniture.js';
import { isClause, isContinuing, starterStrength } from './starters.js';
import { startsUnit } from './unit-starts.js';

export const runsOn = (joint: Joint): boolean => {
  const { text, opening, previous, next, gap, wrap } = joint;
  if (isStrayStop(text, next)) return true;
  if (next.kind === 'number') return isYearWithin(joint);
  if (previous.kind === 'number' && opening === previous) return false;
  if (next.kind === 'turn') return false;
  if (next.kind === 'mark') return isPeriodWithin(joint);
  if (previous.kind === 'mark')
    return opening === previous && next.kind === 'text' && gap <= 2 && next.mark?.kind !== 'bullet';
  if (next.kind !== 'text' || !isProse(previous)) return isWrappedHeading(joint);
  if (gap <= 1 && isHalfOfPair(joint)) return true;
  if (gap <= wrap.gap && isEndOfName(text, next)) return true;
  if (isFurniture(text, previous) || isFurniture(text, next)) return false;
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

/** A full stop or a bracket alone on its line, or before white space: it belongs to what stands before. */
const isStrayStop = (text: string, line: Line): boolean =>
  line.kind === 'text' && STRAY_STOP.test(text.slice(line.start, Math.min(line.end, line.start + 4)));

const STRAY_STOP = /^(?:[.,;:!?)\]”’"]{1,2}$|[.,;)](?:\s|$))/;

/** `growth was weaker than in`, next line `Q1.`: as a mark alone on its line it would follow a finished sentence. */
const isPeriodWithin = ({ text, previous, next, gap, wrap }: Joint): boolean =>
  previous.kind === 'text' &&
  gap <= wrap.gap &&
  previous.closes === 'word' &&
  isContinuing(lastWord(text, previous)) &&
  /^[A-Z]\d{1,3}\.$/.test(text.slice(next.start, next.end));

const HALF_OF_PAIR = /(?:\b(?:Mr|Mrs|Ms|Dr|Messrs|Mses|Prof)\.|[.,;:]\s\((?:\d{1,2}|[ivx]{1,4}|[a-z])\))$/;
const VOTERS = /[Vv]ot(?:es|ing) (?:for|against)[^.:]{0,24}:$/;

/** `Ms.`, `; (2)`, `Voting for the action:` at the end of a line: the name, the item, the list of voters follows. */
const isHalfOfPair = ({ text, previous, next }: Joint): boolean => {
  if (next.opens === 'other') return false;
  const end = text.slice(Math.max(previous.start, previous.end - 40), previous.end);
  return HALF_OF_PAIR.test(end) || (VOTERS.test(end) && text.slice(next.start, next.end).includes(','));
};

const END_OF_NAME =
  /^(?:(?:Inc|Corp|Co|Ltd|LLC|Plc|PLC|L\.P|N\.V|S\.A)\b\.?(?:\s[QA])?$|\([A-Z.:]{1,10}\)$|&\s\p{Lu})/u;

/** `Corp.`, `(HLDN)`, `& Sons have grown`: no unit begins with the rest of a name. */
const isEndOfName = (text: string, line: Line): boolean =>
  END_OF_NAME.test(text.slice(line.start, Math.min(line.end, line.start + 16)));

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

/** Headings capitalise such words too: `Of`, `THE`; `A` alone may be a grade or a class, `May` a month, `IT` a branch. */
const isOpenEnded = (word: string): boolean =>
  isContinuing(word) ||
  (/^\p{Lu}(?:\p{Ll}+|\p{Lu}+)$/u.test(word) && !/^(?:May|IT|MAY)$/.test(word) && isContinuing(word.toLowerCase()));

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
  if (gap <= 1 && isInBracket(joint)) return true;
  if (gap > wrap.gap) return false;
  if (text.charCodeAt(next.start) === 0x28 && gap === 0 && isLong(joint)) return true;
  if (isNameList(joint) || isFragment(joint) || isShouted(text, previous)) return true;
  if (isCapitals(text, previous) && isRestOfHeading(text, next)) return true;
  if (isCertainStart(joint)) return false;
  const isTitle = isTitleCase(text, opening) && isTitleCase(text, previous);
  if (isTitle && opening === previous && previous.end - previous.start < wrap.width) return false;
  if (isTitle && (isTitleCase(text, next) || gap > 0)) return false;
  return isFull(joint);
};

const BRACKET_REACH = 200;

/** `Ida Holm (Head, Markets`, next line `Department), Bo Carlsen`: the bracket is closed before another opens. */
const isInBracket = ({ text, opening, previous, next }: Joint): boolean => {
  const before = text.slice(Math.max(opening.start, previous.end - BRACKET_REACH), previous.end);
  const open = OPEN_BRACKET.exec(before)?.index;
  if (open === undefined) return false;
  const behind = text.slice(next.start, previous.end - before.length + open + BRACKET_REACH);
  return (before.charAt(open) === '(' ? CLOSES_ROUND : CLOSES_SQUARE).test(behind);
};

const OPEN_BRACKET = /[([][^()[\]]*$/;
const CLOSES_ROUND = /^(?:[^()[\].?!:\n]|\n(?!\s*\n))*\)/;
const CLOSES_SQUARE = /^(?:[^()[\].?!:\n]|\n(?!\s*\n))*\]/;

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
const isFragment = ({ text, previous, next, gap, wrap }: Joint): boolean => {
  if (gap > 0 || previous.start >= 8 || isTitleCase(text, next)) return false;
  if (starterStrength(text.slice(next.start, firstWordEnd(text, next))) !== 'none') return false;
  const head = text.slice(previous.start, Math.min(previous.end, previous.start + LONGEST_FRAGMENT));
  return (wrap.width > 0 && FRAGMENT.test(head)) || (next.end - next.start >= SHORT_BLOCK && isClause(head));
};

const LONGEST_FRAGMENT = 120;

/** A line so short that its sentence, name or entry ended there, whatever its stop may abbreviate. */
const isShort = ({ text, previous, next, wrap }: Joint): boolean =>
  wrap.width === 0
    ? previous.end - previous.start < SHORT_LINE || isTitleCase(text, previous)
    : (previous.end - previous.start + 1 + firstWordEnd(text, next) - next.start) * 4 < wrap.width * 3;
