/** What a page carries at its edges besides its text: running heads and feet, page numbers, the name of its file. */
import { endsSentence, needsMore } from '../words.js';
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
  const isAt = (y: number) => (other: number) => Math.abs(other - y) <= SAME_PLACE;
  const repeats = (line: Line): boolean => {
    if ((seen.get(shapeOf(line)) ?? []).filter(isAt(line.y)).length >= needed) return true;
    // On pages in columns the parts of a head are lines of their own.
    let rest = shapeOf(line);
    for (const [shape, heights] of seen)
      if (/\p{L}/u.test(shape) && rest.includes(shape) && heights.filter(isAt(line.y)).length >= needed)
        rest = rest.replace(shape, '');
    return !/[\p{L}\p{N}]/u.test(rest) && rest !== shapeOf(line);
  };

  return pages.map((lines) => {
    const byHeight = [...lines].sort((a, b) => a.y - b.y);
    const dropped = new Set([...peel(byHeight, repeats, 'head'), ...peel(byHeight.reverse(), repeats, 'foot')]);
    return lines.filter((line) => !dropped.has(line));
  });
};

/** From the page's edge inwards up to the first line of text: what repeats further in is the text's own. */
const peel = (lines: readonly Line[], repeats: (line: Line) => boolean, edge: 'head' | 'foot'): readonly Line[] => {
  const dropped: Line[] = [];
  let isNumbered = false;
  for (const [index, line] of lines.slice(0, EDGE_LINES).entries()) {
    const isNumber = PAGE_NUMBER.test(line.text);
    const isPageNumber = isNumber && !isNumbered && !endsText(line, edge === 'foot' ? lines[index + 1] : undefined);
    if (!isPageNumber && !FILE_PATH.test(line.text) && !repeats(line)) break;
    isNumbered ||= /\d/.test(line.text);
    dropped.push(line);
  }
  return dropped;
};

/** Points, as a share of the font's size: what stands closer goes on from the line above. */
const NEAR = 2;

/** A year or a figure that a paragraph ends with, alone on its last line: `…held on June 14 and 15,` `2010.` */
const endsText = (line: Line, above: Line | undefined): boolean =>
  /^[\d.,]+\.$/.test(line.text) ||
  (above !== undefined &&
    Math.abs(line.y - above.y) <= above.size * NEAR &&
    (needsMore(above.text) || !endsSentence(above.text)) &&
    Math.abs(line.size - above.size) < above.size * 0.05 &&
    Math.abs(line.x - above.x) < above.size);

/** Digits differ from page to page (numbers, dates), words do not. */
const shapeOf = (line: Line): string => line.text.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ');

const edgesOf = (lines: readonly Line[]): readonly Line[] => {
  const byHeight = [...lines].sort((a, b) => a.y - b.y);
  return byHeight.length <= EDGE_LINES * 2
    ? byHeight
    : [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)];
};
