/**
 * What a page prints around its text: its number, running headers and footers, notices. Known by where pages end, and by
 * returning there, so that no publisher's form has to be known.
 */
import { isDigit, isWhite } from './characters.js';
import type { Line } from './lines.js';
import { isFurniture } from './page-furniture.js';
import { findPageNumbers } from './page-numbers.js';

/** Lines on either side of the end of a page that may be printed around it. */
const REACH = 10;
/** A notice may be as long as a line can be before it is a paragraph. */
const LONGEST = 320;

/** A place where one page ends and the next begins: between the lines `before` and `behind`. */
interface PageEnd {
  readonly before: number;
  readonly behind: number;
  /** What it was known by. Distances are compared among those of one kind. */
  readonly by: 'number' | 'feed';
}

/** A line is printed that returns at its distance from so large a share of the ends of pages: headers of left and right pages take turns. */
const SHARE = 0.3;
/** And so many times at least. A form feed is the end of a page for certain, a number only in a row of them. */
const LEAST = { number: 3, feed: 2 } as const;

/** 1 for each line that a page prints around its text; it is no part of the sentence that goes on across it. */
export const findPageEdges = (text: string, lines: readonly Line[]): Uint8Array => {
  const edges = findPageNumbers(text, lines);
  const ends = findPageEnds(lines, edges);
  const returns = new Map<string, number>();
  for (const end of ends)
    for (const side of SIDES)
      for (const { line, distance } of outwards(lines, end, side)) {
        const key = keyOf(text, line, end, side * distance);
        returns.set(key, (returns.get(key) ?? 0) + 1);
      }
  for (const by of ['number', 'feed'] as const) {
    const ofKind = ends.filter((end) => end.by === by);
    const enough = Math.max(LEAST[by], Math.floor(ofKind.length * SHARE));
    for (const side of SIDES) {
      const printed = ofKind.map((end) => {
        const places: Place[] = [];
        for (const place of outwards(lines, end, side)) {
          const { index, line, distance } = place;
          const key = keyOf(text, line, end, side * distance);
          if (edges[index] !== 1 && (returns.get(key) ?? 0) < enough && !isFurniture(text, line)) break;
          if (side === 1 && distance === 1 && isMidSentence(text, line)) break;
          places.push(place);
        }
        while (side === -1 && places.length > 0 && isMidSentence(text, places.at(-1)?.line)) places.pop();
        return places;
      });
      // As many lines as a page may print, and no text among them yet: it is the text that says the same on every page.
      if (printed.filter(({ length }) => length === REACH).length > 1) continue;
      for (const { index } of printed.flat()) edges[index] = 1;
    }
  }
  return edges;
};

const findPageEnds = (lines: readonly Line[], numbers: Uint8Array): PageEnd[] => {
  const ends: PageEnd[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.newPage) ends.push({ before: index - 1, behind: index, by: 'feed' });
    if (numbers[index] === 1) ends.push({ before: index - 1, behind: index + 1, by: 'number' });
  }
  if (ends.some(({ by }) => by === 'feed'))
    ends.push({ before: -1, behind: 0, by: 'feed' }, { before: lines.length - 1, behind: lines.length, by: 'feed' });
  return ends;
};

const SIDES = [-1, 1] as const;

interface Place {
  readonly index: number;
  readonly line: Line;
  /** In lines from the end of the page, from 1. */
  readonly distance: number;
}

/** The lines on one side of the end of a page, as far as they may be printed around it. */
const outwards = function* (lines: readonly Line[], { before, behind }: PageEnd, side: -1 | 1): Generator<Place> {
  for (let distance = 1; distance <= REACH; distance++) {
    const index = side === -1 ? before + 1 - distance : behind - 1 + distance;
    const line = lines[index];
    if (line === undefined || !mayBePrinted(line)) return;
    yield { index, line, distance };
  }
};

/** Nothing that a page prints begins so; a line of a notice may, behind another. */
const isMidSentence = (text: string, line: Line | undefined): boolean =>
  line?.opens === 'lower' && /\s/.test(text.slice(line.start, line.end));

const keyOf = (text: string, line: Line, { by }: PageEnd, distance: number): string =>
  `${by} ${distance} ${withoutDigits(text, line)}`;

const mayBePrinted = (line: Line): boolean =>
  (line.kind === 'text' || line.kind === 'number') && line.end - line.start <= LONGEST;

/** Numbers and dates differ from page to page, and so may the spaces that set left and right apart. */
const withoutDigits = (text: string, line: Line): string => {
  let masked = '';
  let last = '';
  for (let at = line.start; at < line.end; at++) {
    const unit = text.charCodeAt(at);
    const next = isDigit(unit) ? '#' : isWhite(unit) ? ' ' : text.charAt(at);
    if (next !== last || (next !== '#' && next !== ' ')) masked += next;
    last = next;
  }
  return masked;
};
