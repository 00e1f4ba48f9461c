/** Cuts that no full stop tells: headings glued to text, lists within a line, units that are too long. */
import { isLineEnd, isLower, isUpper, isWhite, skipWhite, trimWhite } from './characters.js';
import { isContinuing, starterStrength } from './starters.js';
import { tokenStart, wordAt } from './words.js';

const GLUED_CAPITALS = /^[*_#\s]*(?:[\p{Lu}\d&,/()-]+\s+){0,12}[\p{Lu}-]{3,}\p{Lu}(?=\p{Lu}\p{Ll})/u;

/** `POLICY DECISIONThe Board`: where the text begins, or 0. */
export const splitGluedHeading = (text: string, start: number, end: number): number => {
  if (!isUpper(text.charCodeAt(start + 1)) && !isUpper(text.charCodeAt(start + 2))) return 0;
  const match = GLUED_CAPITALS.exec(text.slice(start, Math.min(end, start + 160)));
  if (match === null) return 0;
  const cut = start + match[0].length;
  return starterStrength(wordAt(text, cut, end)) === 'none' ? 0 : cut;
};

const STARTER = /(?:The|These|This|Those|However|In|Thank)\s/g;
const NAME_WITHIN = /^(?:Linked|Built|Plug|Check|Sign)$/;

/** `Committee Policy ActionIn their discussion`: adds where a sentence begins within a word; `LinkedIn` is a name. */
export const addGluedSentences = (text: string, start: number, end: number, stops: number[]): number[] => {
  const block = text.slice(start, end);
  let added = false;
  STARTER.lastIndex = 3;
  for (let match = STARTER.exec(block); match !== null; match = STARTER.exec(block)) {
    const at = match.index;
    if (!isLower(block.charCodeAt(at - 1)) || !/\p{L}\p{Ll}{2}$/u.test(block.slice(at - 3, at))) continue;
    if (NAME_WITHIN.test(block.slice(tokenStart(block, at, 0), at))) continue;
    stops.push(start + at);
    added = true;
  }
  return added ? stops.sort((a, b) => a - b) : stops;
};

/** The numbers and letters of a list that runs on within its line: `1) The first item 2) The second item`. */
const ITEM = /(?:(\d{1,2})(\.\)|\)|\.)|([a-z])(\.\)|\)|\.)|([•⁃●▪])\s?(?:\d{1,2}\.)?)\s?(?=\p{Lu})/uy;

/** Adds the items of lists within a line to the boundaries that stops made. */
export const splitInlineList = (text: string, start: number, end: number, stops: number[]): readonly number[] => {
  const first = readItem(text, start);
  if (first === undefined || first.order > 1) return stops;
  const cuts: { at: number; end: number }[] = [];
  let expected = first;
  for (let at = first.end; at < end; at++) {
    if (!isWhite(text.charCodeAt(at - 1))) continue;
    const item = readItem(text, at);
    if (item === undefined || item.style !== expected.style || item.end >= end) continue;
    if (item.style !== '•' && (item.order !== expected.order + 1 || isContinuing(wordEnding(text, start, at))))
      continue;
    cuts.push({ at, end: item.end });
    expected = item;
    at = item.end;
  }
  if (cuts.length === 0) return stops;
  let next = 0;
  const within = stops.filter((stop) => {
    while ((cuts[next]?.end ?? Number.POSITIVE_INFINITY) < stop) next++;
    return stop < (cuts[next]?.at ?? Number.POSITIVE_INFINITY);
  });
  return [...within, ...cuts.map(({ at }) => at)].sort((a, b) => a - b);
};

interface Item {
  readonly order: number;
  readonly style: string;
  readonly end: number;
}

const readItem = (text: string, position: number): Item | undefined => {
  ITEM.lastIndex = position;
  const match = ITEM.exec(text);
  if (match === null) return undefined;
  const end = ITEM.lastIndex;
  if (match[1] !== undefined) return { order: Number(match[1]), style: `1${match[2]}`, end };
  if (match[3] !== undefined) return { order: match[3].charCodeAt(0) - 0x60, style: `a${match[4]}`, end };
  return { order: 1, style: '•', end };
};

const wordEnding = (text: string, start: number, position: number): string => {
  const end = trimWhite(text, start, position);
  let at = end;
  while (at > start && end - at < 24 && !isWhite(text.charCodeAt(at - 1))) at--;
  return text.slice(at, end);
};

/** No unit is longer than this, in UTF-16 code units. */
const LONGEST_UNIT = 2000;
const SHORTEST_PIECE = 200;

/** Cuts a span that is too long where it hurts least: behind a line, a semicolon, a comma, a word. */
export const splitLong = (text: string, start: number, end: number): readonly (readonly [number, number])[] => {
  if (end - start <= LONGEST_UNIT) return [[start, end]];
  const pieces: (readonly [number, number])[] = [];
  let from = start;
  while (end - from > LONGEST_UNIT) {
    const cut = bestCut(text, from, from + LONGEST_UNIT);
    pieces.push([from, trimWhite(text, from, cut)]);
    from = skipWhite(text, cut, end);
  }
  if (from < end) pieces.push([from, end]);
  return pieces;
};

/** How well a unit can be cut behind a character: a line end best, then a semicolon, a stop, a comma, white space. */
const rankOf = (unit: number): number => {
  if (isLineEnd(unit)) return 5;
  if (unit === 0x3b) return 4;
  if (unit === 0x2e || unit === 0x3a || unit === 0x3f || unit === 0x21) return 3;
  if (unit === 0x2c) return 2;
  return isWhite(unit) ? 1 : 0;
};

const bestCut = (text: string, from: number, to: number): number => {
  let best = 0;
  let cut = 0;
  for (let at = to - 1; at >= from + SHORTEST_PIECE; at--) {
    const rank = rankOf(text.charCodeAt(at));
    if (rank <= best) continue;
    if (at + 1 < to && !isWhite(text.charCodeAt(at)) && !isWhite(text.charCodeAt(at + 1))) continue;
    best = rank;
    cut = at + 1;
  }
  if (cut > 0) return cut;
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff ? to - 1 : to;
};
