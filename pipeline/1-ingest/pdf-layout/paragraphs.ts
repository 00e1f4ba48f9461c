/** From lines to paragraphs: where one ends and the next begins, and words that were cut at a line's end. */
import { bodySizeOf, dropRunningLines, splitFootnotes } from './furniture.js';
import type { Line } from './lines.js';

const ENDS_SENTENCE = /[.!?:;]["'”’)\]]*$/;
const STARTS_ITEM = /^(?:[•▪◦–—-]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s)/;

/** The text of a document, blank lines between its paragraphs. Notes at a page's foot follow the paragraph above them. */
export const toText = (rawPages: readonly (readonly Line[])[]): string => {
  const pages = dropRunningLines(rawPages);
  const bodySize = bodySizeOf(pages);
  const joinWords = hyphenJoiner(pages);
  const paragraphs: string[] = [];
  let open: Line[] = [];
  let waiting: string[] = [];

  const close = (): void => {
    if (open.length > 0) paragraphs.push(joinLines(open, joinWords));
    paragraphs.push(...waiting);
    open = [];
    waiting = [];
  };
  for (const page of pages) {
    const { body, notes } = splitFootnotes(page, bodySize);
    const leading = leadingOf(body);
    for (const [index, line] of body.entries()) {
      const before = open.at(-1);
      if (
        before !== undefined &&
        (index === 0 ? startsAfterBreak(line, before) : startsParagraph(line, before, leading))
      )
        close();
      open.push(line);
    }
    waiting.push(...splitParagraphs(notes).map((lines) => joinLines(lines, joinWords)));
  }
  close();
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
};

const splitParagraphs = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const leading = leadingOf(lines);
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const open = paragraphs.at(-1);
    const before = open?.at(-1);
    const starts =
      before === undefined || startsParagraph(line, before, leading) || /^\d{1,3}\s*\p{Lu}/u.test(line.text);
    if (open === undefined || starts) paragraphs.push([line]);
    else open.push(line);
  }
  return paragraphs;
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
  if (endsEarly(before) && ENDS_SENTENCE.test(before.text)) return true;
  if (hadRoom(line, before)) return true;
  if (STARTS_ITEM.test(line.text) && line.x <= before.x + em * 0.5 && ENDS_SENTENCE.test(before.text)) return true;
  const indent = line.x - before.x;
  return indent > em * 0.8 && indent < em * 5 && ENDS_SENTENCE.test(before.text);
};

/** Over a page's or a column's edge the distance says nothing; the words do. */
const startsAfterBreak = (line: Line, before: Line): boolean =>
  line.isRow ||
  before.isRow ||
  Math.abs(line.size - before.size) > before.size * 0.12 ||
  STARTS_ITEM.test(line.text) ||
  (ENDS_SENTENCE.test(before.text) && (endsEarly(before) || line.x > line.column.left + line.size * 0.8)) ||
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

type JoinWords = (head: string, tail: string) => string;

const joinLines = (lines: readonly Line[], joinWords: JoinWords): string => {
  let text = '';
  for (const line of lines) {
    if (text === '') text = line.text;
    else if (line.isRow) text += `\n${line.text}`;
    else if (/\p{L}[-\u00ad‐]$/u.test(text) && /^\p{Ll}/u.test(line.text)) text = joinWords(text, line.text);
    else if (/[–—/]$/.test(text) && !/\s[–—/]$/.test(text)) text += line.text;
    else text += ` ${line.text}`;
  }
  return text.replaceAll('\u00ad', '');
};

/** Joins a word that is parted by a hyphen at a line's end, by how the same document writes it elsewhere. */
const hyphenJoiner = (pages: readonly (readonly Line[])[]): JoinWords => {
  const words = wordsOf(pages.flat());
  return (head, tail) => {
    const first = /\p{L}+(?=[-\u00ad‐]$)/u.exec(head)?.[0].toLowerCase() ?? '';
    const second = /^\p{Ll}+/u.exec(tail)?.[0] ?? '';
    const bare = head.slice(0, -1);
    if (head.endsWith('\u00ad') || words.has(first + second)) return bare + tail;
    const isCompound = words.has(`${first}-${second}`) || (words.has(first) && words.has(second));
    return isCompound ? head + tail : bare + tail;
  };
};

/** Whole words: what a line end cut in two is left out. */
const wordsOf = (lines: readonly Line[]): ReadonlySet<string> => {
  const words = new Set<string>();
  let cut = false;
  for (const { text } of lines) {
    const found = text.toLowerCase().match(/\p{L}+(?:[-‐]\p{L}+)*/gu) ?? [];
    const ends = /\p{L}[-\u00ad‐]$/u.test(text);
    for (const word of found.slice(cut ? 1 : 0, ends ? -1 : undefined)) words.add(word);
    cut = ends;
  }
  return words;
};
