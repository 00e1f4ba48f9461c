/** What a page carries besides its text: running heads and feet, page numbers, footnotes. */
import type { Line } from './lines.js';

/** Lines at either end of a page that are looked at. */
const EDGE_LINES = 3;
/** Points by which a running head may wander from page to page. */
const SAME_PLACE = 12;
const FOOTNOTE_SIZE = 0.92;

const PAGE_NUMBER =
  /^[\s\-–—|/.[\]()]*(?:page\s*)?(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:of|\/|\|)\s*\d{1,4})?[\s\-–—|/.[\]()]*$/i;

/** The same pages without what repeats at their edges and without page numbers. */
export const dropRunningLines = (pages: readonly (readonly Line[])[]): readonly (readonly Line[])[] => {
  const seen = new Map<string, number[]>();
  for (const lines of pages)
    for (const line of edgesOf(lines)) {
      const key = shapeOf(line);
      seen.set(key, [...(seen.get(key) ?? []), line.y]);
    }
  const needed = Math.max(2, Math.min(4, Math.ceil(pages.length * 0.4)));
  const repeats = (line: Line): boolean =>
    (seen.get(shapeOf(line)) ?? []).filter((y) => Math.abs(y - line.y) <= SAME_PLACE).length >= needed;

  return pages.map((lines) => {
    const byHeight = [...lines].sort((a, b) => a.y - b.y);
    const isRunning = (line: Line): boolean => PAGE_NUMBER.test(line.text) || repeats(line);
    const dropped = new Set([...peel(byHeight, isRunning), ...peel(byHeight.reverse(), isRunning)]);
    return lines.filter((line) => !dropped.has(line));
  });
};

/** From the page's edge inwards up to the first line of text: what repeats further in is the text's own. */
const peel = (lines: readonly Line[], isRunning: (line: Line) => boolean): readonly Line[] => {
  const end = lines.slice(0, EDGE_LINES).findIndex((line) => !isRunning(line));
  return lines.slice(0, end < 0 ? EDGE_LINES : end);
};

/** Digits differ from page to page (numbers, dates), words do not. */
const shapeOf = (line: Line): string => line.text.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ');

const edgesOf = (lines: readonly Line[]): readonly Line[] => {
  const byHeight = [...lines].sort((a, b) => a.y - b.y);
  return byHeight.length <= EDGE_LINES * 2
    ? byHeight
    : [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)];
};

/** A page's text, and apart from it the small print at its foot that begins like a note. */
export const splitFootnotes = (
  lines: readonly Line[],
  bodySize: number,
): { readonly body: readonly Line[]; readonly notes: readonly Line[] } => {
  let start = lines.length;
  while (start > 0 && (lines[start - 1]?.size ?? bodySize) < bodySize * FOOTNOTE_SIZE) start -= 1;
  const first = lines.findIndex(
    (line, index) => index >= start && /^(?:\d{1,3}|[*†‡]{1,3})[\s)]*\p{L}/u.test(line.text),
  );
  if (first <= 0) return { body: lines, notes: [] };
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
