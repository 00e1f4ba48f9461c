/** What a page carries at its edges besides its text: running heads and feet, page numbers, the name of its file. */
import type { Line } from './lines.js';

/** Lines at either end of a page that are looked at. */
const EDGE_LINES = 3;
/** Points by which a running head may wander from page to page. */
const SAME_PLACE = 12;

const PAGE_NUMBER =
  /^[\s\-–—|/.[\]()]*(?:page\s*)?(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:of|\/|\|)\s*\d{1,4})?[\s\-–—|/.[\]()]*$/i;

/** Where the author kept the document. */
const FILE_PATH = /^(?:[A-Za-z]:|\\)\\\S.*\.\s*\w{2,4}$/;

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
    const isRunning = (line: Line): boolean =>
      PAGE_NUMBER.test(line.text) || FILE_PATH.test(line.text) || repeats(line);
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
