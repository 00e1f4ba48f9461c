/** From lines to paragraphs: where one ends and the next begins. */
import type { Paragraph } from '../matter.js';
import { endsSentence, startsItem } from '../words.js';
import { splitFootnotes } from './footnotes.js';
import { type JoinWords, joinLines } from './hyphens.js';
import type { Line } from './lines.js';

/** The paragraphs of all pages, joined over page ends. Notes at a page's foot follow the paragraph that was open there. */
export const toParagraphs = (
  pages: readonly (readonly Line[])[],
  bodySize: number,
  joinWords: JoinWords,
): readonly Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  const toParagraph = (lines: readonly Line[], isNote: boolean): Paragraph => ({
    text: joinLines(lines, joinWords),
    size: lines[0]?.size ?? bodySize,
    isRows: lines[0]?.isRow ?? false,
    isNote,
    isHeading: false,
  });
  let open: Line[] = [];
  let waiting: Paragraph[] = [];
  const close = (): void => {
    if (open.length > 0) paragraphs.push(toParagraph(open, false));
    paragraphs.push(...waiting);
    open = [];
    waiting = [];
  };
  for (const page of pages) {
    const { body, notes } = splitFootnotes(page, bodySize);
    const leading = leadingOf(body);
    for (const [index, line] of body.entries()) {
      const before = open.at(-1);
      const starts =
        before !== undefined && (index === 0 ? startsAfterBreak(line, before) : startsParagraph(line, before, leading));
      if (starts) close();
      open.push(line);
    }
    waiting.push(...splitNotes(notes).map((lines) => toParagraph(lines, true)));
  }
  close();
  return paragraphs.filter(({ text }) => text !== '');
};

const STARTS_NOTE = /^(?:\d{1,3}|[*†‡∗]{1,3})\s*[\p{Lu}"“(]/u;

const splitNotes = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const leading = leadingOf(lines);
  const notes: Line[][] = [];
  for (const line of lines) {
    const open = notes.at(-1);
    const before = open?.at(-1);
    const starts = before === undefined || startsParagraph(line, before, leading) || STARTS_NOTE.test(line.text);
    if (open === undefined || starts) notes.push([line]);
    else open.push(line);
  }
  return notes;
};

/** The usual distance from line to line, as a share of the font's size. */
const leadingOf = (lines: readonly Line[]): number => {
  const steps: number[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before === undefined || line.y <= before.y) continue;
    const step = (line.y - before.y) / Math.max(1, line.size);
    if (step < 4) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length * 0.4)] ?? 1.2;
};

const startsParagraph = (line: Line, before: Line, leading: number): boolean => {
  if (line.isRow !== before.isRow) return true;
  if (line.isRow) return false;
  const em = Math.max(1, before.size);
  // Up the page is the next column.
  if (line.y < before.y) return startsAfterBreak(line, before);
  if ((line.y - before.y) / em > leading * 1.25 + 0.1) return true;
  if (Math.abs(line.size - before.size) > em * 0.12 || isCentred(line) !== isCentred(before)) return true;
  if (endsEarly(before) && endsSentence(before.text)) return true;
  if (hadRoom(line, before)) return true;
  if (startsItem(line.text) && line.x <= before.x + em * 0.5 && endsSentence(before.text)) return true;
  const indent = line.x - before.x;
  return indent > em * 0.8 && indent < em * 5 && endsSentence(before.text);
};

/** Over a page's or a column's edge the distance says nothing; the words do. */
const startsAfterBreak = (line: Line, before: Line): boolean =>
  line.isRow ||
  before.isRow ||
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
  const word = line.text.split(' ', 1)[0]?.length ?? 0;
  return room > (word * 0.65 + 1.5) * before.size && Math.abs(line.right - before.right) >= before.size * 2;
};

/** A heading's place: as far from the left edge of its column as from the right, and far. */
const isCentred = ({ x, right, column }: Line): boolean => {
  const width = column.right - column.left;
  const [before, after] = [x - column.left, column.right - right];
  return before > width * 0.12 && after > width * 0.12 && Math.abs(before - after) < width * 0.06;
};
