/** From lines to paragraphs: where one ends and the next begins. */
import type { Paragraph } from '../matter.js';
import { endsSentence, needsMore, startsItem } from '../words.js';
import { splitFootnotes } from './footnotes.js';
import { type JoinWords, joinLines } from './hyphens.js';
import type { Line } from './lines.js';

/** The paragraphs of all pages, joined over page ends. Notes at a page's foot follow the sentence that was open there. */
export const toParagraphs = (
  pages: readonly (readonly Line[])[],
  bodySize: number,
  joinWords: JoinWords,
): readonly Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  const toParagraph = (text: string, lines: readonly Line[], isNote: boolean): Paragraph => ({
    text,
    size: lines[0]?.size ?? bodySize,
    isRows: lines[0]?.isRow ?? false,
    isNote,
    isHeading: false,
  });
  let open: Line[] = [];
  let waiting: Waiting[] = [];
  const close = (): void => {
    const text = joinLines(open, joinWords);
    let from = 0;
    for (const { lines, notes } of waiting) {
      const to = Math.max(from, endOfSentence(text, joinLines(open.slice(0, lines), joinWords).length));
      paragraphs.push(toParagraph(text.slice(from, to).trim(), open, false), ...notes);
      from = to;
    }
    paragraphs.push(toParagraph(text.slice(from).trim(), open, false));
    open = [];
    waiting = [];
  };
  for (const page of pages) {
    const columns = splitFootnotes(page, bodySize);
    const leading = leadingOf(columns.flatMap(({ body }) => body));
    for (const { body, notes } of columns) {
      for (const [index, line] of body.entries()) {
        const before = open.at(-1);
        const starts =
          before !== undefined &&
          (index === 0 ? startsAfterBreak(line, before) : startsParagraph(line, before, leading));
        if (starts) close();
        open.push(line);
      }
      const found = splitNotes(notes).map((lines) => toParagraph(joinLines(lines, joinWords), lines, true));
      if (found.length > 0) waiting.push({ lines: open.length, notes: found });
    }
  }
  close();
  return paragraphs.filter(({ text }) => text !== '');
};

/** Notes of a page's foot, and how many lines of the open paragraph stand above them. */
interface Waiting {
  readonly lines: number;
  readonly notes: readonly Paragraph[];
}

/** Where the sentence ends that is open at a place of the text. */
const endOfSentence = (text: string, at: number): number => {
  const head = text.slice(0, at);
  if (at === 0 || (STOP.test(head) && endsSentence(head))) return at;
  for (const { index, 0: stop } of text.slice(at).matchAll(/[.!?]["'”’)\]]*(?=\s+["'“‘]?\p{Lu})/gu)) {
    const end = at + index + stop.length;
    if (endsSentence(text.slice(0, end))) return end;
  }
  return text.length;
};

const STOP = /[.!?]["'”’)\]]*$/;

const STARTS_NOTE = /^(?:(\d{1,3})|[*†‡∗]{1,3})[\s/]*[\p{Lu}"“(]|^\[Note\b/u;
/** Numbers of notes ascend; one that is further from the last is a figure or a day. */
const MAX_STEP = 3;

const splitNotes = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const leading = leadingOf(lines);
  const notes: Line[][] = [];
  let last: number | undefined;
  for (const line of lines) {
    const open = notes.at(-1);
    const before = open?.at(-1);
    const mark = STARTS_NOTE.exec(line.text);
    const number = mark?.[1] === undefined ? undefined : Number(mark[1]);
    const ascends = number === undefined || last === undefined || (number > last && number <= last + MAX_STEP);
    const starts =
      before === undefined ||
      (mark !== null && ascends && !needsMore(before.text)) ||
      startsParagraph(line, before, leading);
    if (open === undefined || starts) {
      notes.push([line]);
      last = number ?? last;
    } else open.push(line);
  }
  return notes;
};

/** As many lines of running text tell their leading. */
const MIN_STEPS = 3;

/**
 * The usual distance from line to line, as a share of the font's size: behind full lines, where there are such. A list of
 * names is often set closer than the text above it.
 */
const leadingOf = (lines: readonly Line[]): number => {
  const steps: number[] = [];
  const behindFull: number[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before === undefined || line.y <= before.y) continue;
    const step = (line.y - before.y) / Math.max(1, line.size);
    if (step >= 4) continue;
    steps.push(step);
    if (!endsEarly(before)) behindFull.push(step);
  }
  const chosen = (behindFull.length >= MIN_STEPS ? behindFull : steps).sort((a, b) => a - b);
  return chosen[Math.floor(chosen.length * 0.4)] ?? 1.2;
};

const startsParagraph = (line: Line, before: Line, leading: number): boolean => {
  if (line.isRow !== before.isRow) return true;
  if (line.isRow) return false;
  const em = Math.max(1, before.size);
  // Up the page is the next column.
  if (line.y < before.y) return startsAfterBreak(line, before);
  if ((line.y - before.y) / em > leading * 1.25 + 0.1) return true;
  if (goesOn(line, before)) return false;
  if (Math.abs(line.size - before.size) > em * 0.12 || isCentred(line) !== isCentred(before)) return true;
  if (endsEarly(before) && endsSentence(before.text)) return true;
  if (hadRoom(line, before)) return true;
  if (startsItem(line.text) && line.x <= before.x + em * 0.5 && endsSentence(before.text)) return true;
  const indent = line.x - before.x;
  return indent > em * 0.8 && indent < em * 5 && endsSentence(before.text);
};

/** The line before cannot be the end of anything, however short it is. */
const goesOn = (line: Line, before: Line): boolean =>
  needsMore(before.text) && !startsItem(line.text) && Math.abs(line.size - before.size) <= before.size * 0.12;

/** Over a page's or a column's edge the distance says nothing; the words do. */
const startsAfterBreak = (line: Line, before: Line): boolean =>
  line.isRow || before.isRow || (!goesOn(line, before) && startsAnew(line, before));

const startsAnew = (line: Line, before: Line): boolean =>
  Math.abs(line.size - before.size) > before.size * 0.12 ||
  startsItem(line.text) ||
  // A short line that ends no sentence, behind one that does, is a heading.
  (endsSentence(before.text) && endsEarly(line) && !endsSentence(line.text)) ||
  (endsSentence(before.text) && (endsEarly(before) || line.x > line.column.left + line.size * 0.8)) ||
  (endsEarly(before) && /^\p{Lu}/u.test(line.text) && !/[,-]$/.test(before.text));

const endsEarly = ({ right, column }: Line): boolean => right < column.right - (column.right - column.left) * 0.15;

/**
 * Did the line end although the next word had room? Then somebody ended it: a heading, a name in a list. A block that is
 * set narrower than the column has all its lines end alike.
 */
const hadRoom = (line: Line, before: Line): boolean => {
  if (!/^[\p{Lu}\d•(“"]/u.test(line.text)) return false;
  const room = before.column.right - before.right;
  if (room > (before.column.right - before.column.left) * 0.35) return true;
  // What a number counts stays with it: `25 basis points`, `10 December`.
  const word = /^\S*\d\S*\s+\S+|^\S+/.exec(line.text)?.[0].length ?? 0;
  return room > (word * 0.65 + 1.5) * before.size && Math.abs(line.right - before.right) >= before.size * 2;
};

/** A heading's place: as far from the left edge of its column as from the right, and far. */
const isCentred = ({ x, right, column }: Line): boolean => {
  const width = column.right - column.left;
  const [before, after] = [x - column.left, column.right - right];
  return before > width * 0.12 && after > width * 0.12 && Math.abs(before - after) < width * 0.06;
};
