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

/** A line is printed that returns at its distance from so large a share of the ends of pages: headers of left and right pages take turns. */
const SHARE = 0.3;
/** And so many times at least. A form feed is the end of a page for certain, a number only in a row of them; a whole sentence may be said again. */
const LEAST = { number: 3, feed: 2, sentence: 5 } as const;

/** 1 for each line that a page prints around its text; it is no part of the sentence that goes on across it. */
export const findPageEdges = (text: string, lines: readonly Line[]): Uint8Array => {
  const edges = findReturning(text, lines);
  for (const [index, { isPrinted }] of lines.entries()) if (isPrinted) edges[index] = 1;
  return edges;
};

const findReturning = (text: string, lines: readonly Line[]): Uint8Array => {
  const numbers = findPageNumbers(text, lines);
  const edges = findPrinted(text, lines, numbers);
  if (lines.some(({ newPage }) => newPage) || !numbers.includes(1) || cutsSentence(lines, numbers, edges)) return edges;
  // A row of figures alone on their lines that cuts no sentence numbers paragraphs.
  for (const [index, { kind, start, end }] of lines.entries())
    if (kind === 'number' && /^\d+$/.test(text.slice(start, end))) numbers[index] = 0;
  return findPrinted(text, lines, numbers);
};

/** Whether a sentence stands open above the number of a page, and goes on below it. */
const cutsSentence = (lines: readonly Line[], numbers: Uint8Array, edges: Uint8Array): boolean =>
  numbers.some((number, index) => {
    if (number !== 1) return false;
    let above = index;
    while (edges[above] === 1) above--;
    let below = index;
    while (edges[below] === 1) below++;
    return lines[above]?.kind === 'text' && lines[above]?.closes !== 'stop' && lines[below]?.opens === 'lower';
  });

/** A place where one page ends and the next begins: between the lines `before` and `behind`. */
interface PageEnd {
  readonly before: number;
  readonly behind: number;
  /** What it was known by. Distances are compared among those of one kind. */
  readonly by: 'number' | 'feed';
}

const findPrinted = (text: string, lines: readonly Line[], numbers: Uint8Array): Uint8Array => {
  const edges = Uint8Array.from(numbers);
  const ends = findPageEnds(lines, numbers);
  for (const by of ['number', 'feed'] as const) {
    const ofKind = ends.filter((end) => end.by === by);
    for (const side of SIDES) {
      const returns = countReturns(text, lines, ofKind, side);
      const printed = ofKind.map((end) => {
        const places: Place[] = [];
        for (const place of outwards(lines, end, side)) {
          const { index, line, distance } = place;
          const least = isSentence(line) ? LEAST.sentence : LEAST[by];
          const enough = returns(place) >= Math.max(least, Math.floor(ofKind.length * SHARE));
          if (edges[index] !== 1 && !enough && !isFurniture(text, line)) break;
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
  keepSentences(text, lines, numbers, edges);
  return edges;
};

/** Where a sentence ends above what is printed, and text in lower case stands below, the next one began in what is printed. */
const keepSentences = (text: string, lines: readonly Line[], numbers: Uint8Array, edges: Uint8Array): void => {
  for (let start = 0; start < edges.length; start++) {
    if (edges[start] !== 1) continue;
    let end = start;
    while (edges[end] === 1) end++;
    if (lines[start - 1]?.closes === 'stop' && isMidSentence(text, lines[end]))
      for (let index = start; index < end; index++) edges[index] = numbers[index] ?? 0;
    start = end;
  }
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

const mayBePrinted = (line: Line): boolean =>
  (line.kind === 'text' || line.kind === 'number') && line.end - line.start <= LONGEST;

/** How often what stands at a place stands at the same distance from ends of pages. */
const countReturns = (
  text: string,
  lines: readonly Line[],
  ends: readonly PageEnd[],
  side: -1 | 1,
): ((place: Place) => number) => {
  // Each text has a number, so that a line is read once, however many ends lie near it.
  const texts = new Map<string, number>();
  const ofLine = new Map<number, number>();
  const keyOf = ({ index, line, distance }: Place): number => {
    let known = ofLine.get(index);
    if (known === undefined) {
      const asPrinted = isSentence(line) ? text.slice(line.start, line.end) : withoutDigits(text, line);
      known = texts.get(asPrinted) ?? texts.size;
      texts.set(asPrinted, known);
      ofLine.set(index, known);
    }
    return known * REACH + distance - 1;
  };
  const counts = new Map<number, number>();
  for (const end of ends)
    for (const place of outwards(lines, end, side)) counts.set(keyOf(place), (counts.get(keyOf(place)) ?? 0) + 1);
  return (place) => counts.get(keyOf(place)) ?? 0;
};

/** A whole sentence, or the end of one that begins with a figure: its figures are no numbers of pages. */
const isSentence = (line: Line): boolean => line.closes === 'stop' && line.opens !== 'lower';

/** Nothing that a page prints begins so, an address aside; a line of a notice may, behind another. */
const isMidSentence = (text: string, line: Line | undefined): boolean =>
  line?.opens === 'lower' && (line.closes === 'stop' || /\s/.test(text.slice(line.start, line.end)));

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
