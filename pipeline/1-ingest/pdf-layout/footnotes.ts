/** The small print at the foot of a page, or of one of its columns. */
import type { Line } from './lines.js';

const FOOTNOTE_SIZE = 0.92;

/** `1 As measured…`, `2 “Survey…”`, `* As measured…`. */
const STARTS_NUMBERED = /^(?:\d{1,3}|[*†‡∗]{1,3})[\s)]*["“‘'(]?\p{L}/u;
/** `2/ As measured…`, `[Note 1]`. */
const STARTS_MARKED = /^(?:\d{1,3}\/\s*\p{L}|\[note\b)/iu;

export interface Column {
  readonly body: readonly Line[];
  /** What stands at its foot. */
  readonly notes: readonly Line[];
}

/** A page's columns, the notes at their feet apart. */
export const splitFootnotes = (lines: readonly Line[], bodySize: number): readonly Column[] =>
  splitColumns(lines).map((column, index, all) => splitColumn(column, bodySize, index === all.length - 1));

/** Up the page is the next column. */
const splitColumns = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const columns: Line[][] = [];
  let before: Line | undefined;
  for (const line of lines) {
    if (before === undefined || line.y < before.y) columns.push([]);
    columns.at(-1)?.push(line);
    before = line;
  }
  return columns;
};

/** A column without the small print at its foot that begins like a note. */
const splitColumn = (lines: readonly Line[], bodySize: number, isLast: boolean): Column => {
  let start = lines.length;
  while (start > 0 && (lines[start - 1]?.size ?? bodySize) < bodySize * FOOTNOTE_SIZE) start -= 1;
  const small = lines.slice(start);
  // Charts have small print of many kinds, and figures in front of words.
  const numbered = isLast ? small.findIndex(({ text }) => STARTS_NUMBERED.test(text)) : -1;
  const isMarked = STARTS_MARKED.test(small[0]?.text ?? '');
  const first = start + (isMarked ? 0 : numbered);
  if (first <= 0 || (!isMarked && numbered < 0)) return { body: lines, notes: [] };
  return { body: lines.slice(0, first), notes: lines.slice(first) };
};

/** The size of font that most characters have, to half a point. */
export const bodySizeOf = (pages: readonly (readonly Line[])[]): number => {
  const characters = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = Math.round(line.size * 2) / 2;
    characters.set(size, (characters.get(size) ?? 0) + line.text.length);
  }
  return [...characters].reduce((best, each) => (each[1] > best[1] ? each : best), [10, -1])[0];
};
