/** From pieces of text with places in a column to its lines, top to bottom. */
import { endsSentence } from '../words.js';
import { SPACE } from './false-spaces.js';

/** A run of characters of one font. Coordinates in points from the top left corner; `y` is the baseline. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Names the font within its document. */
  readonly font: string;
  /** Height of the font in points. */
  readonly size: number;
  /** A space stands before it. */
  readonly isAfterSpace: boolean;
}

export interface Line {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  /** Of most of its characters. */
  readonly size: number;
  /** Left and right edge of the column of text that it stands in. */
  readonly column: { readonly left: number; readonly right: number };
  /** Cells far apart: a row of a table. */
  readonly isRow: boolean;
}

/** Baselines closer than this share of the larger font are one line: raised and lowered marks stay with their words. */
const SAME_LINE = 0.45;

export const toColumn = (pieces: readonly Piece[]): readonly Line[] => {
  const column = edgesOf(pieces);
  // Rules and boxes are drawn with signs that are no text.
  const lines = toRows(pieces)
    .map((row) => toLine(row.pieces, row.y, column))
    .filter(({ text }) => text !== '');
  return lines.map((line, index) => (isSpacedOut(line, lines[index - 1]) ? withoutCells(line) : line));
};

/** A line that was stretched to fill its column, in the middle of a sentence: no row of a table. */
const isSpacedOut = (line: Line, before: Line | undefined): boolean =>
  line.isRow &&
  before !== undefined &&
  !before.isRow &&
  Math.abs(line.size - before.size) < 0.1 &&
  line.y - before.y < line.size * MAX_LEADING &&
  fillsColumn(line) &&
  fillsColumn(before) &&
  !endsSentence(before.text);

const MAX_LEADING = 3;

const fillsColumn = ({ x, right, size, column }: Line): boolean =>
  x - column.left < size * 3 && column.right - right < size * 0.5;

const withoutCells = (line: Line): Line => ({ ...line, text: line.text.replaceAll(CELL, ' '), isRow: false });

export interface Row {
  readonly pieces: Piece[];
  y: number;
  size: number;
}

export const toRows = (pieces: readonly Piece[]): readonly Row[] => {
  const rows: Row[] = [];
  const sorted = pieces.filter((piece) => piece.text.trim() !== '').sort((a, b) => a.y - b.y || a.x - b.x);
  for (const piece of sorted) {
    const row = rows.slice(-3).find(({ y, size }) => Math.abs(piece.y - y) <= SAME_LINE * Math.max(piece.size, size));
    if (row === undefined) rows.push({ pieces: [piece], y: piece.y, size: piece.size });
    else {
      row.pieces.push(piece);
      if (piece.size > row.size * 1.1) Object.assign(row, { y: piece.y, size: piece.size });
    }
  }
  return attachRaised(rows.sort((a, b) => a.y - b.y));
};

/** More pieces in a row are a line of their own. */
const MAX_RAISED = 20;

/** A small mark or ordinal ending set higher than the line may be (`18th`, a note's number) belongs to the word that it touches. */
const attachRaised = (rows: readonly Row[]): readonly Row[] => {
  const kept: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const below = rows[index + 1];
    const isRaised =
      below !== undefined &&
      row.pieces.length <= MAX_RAISED &&
      below.y - row.y <= below.size * 0.75 &&
      row.pieces.every((piece) => piece.size <= below.size * 0.8 && touches(piece, below));
    if (isRaised) below.pieces.push(...row.pieces);
    else kept.push(row);
  }
  return kept;
};

const touches = ({ text, x, width }: Piece, { pieces, size }: Row): boolean =>
  text.trim().length <= 4 &&
  pieces.some((piece) => {
    const after = x - (piece.x + piece.width);
    const before = piece.x - (x + width);
    return (after > -size * 0.3 && after < size * 0.4) || (before > -size * 0.3 && before < size * 0.8);
  });

/** Where most lines begin and end: a lone number in the margin does not widen the column. */
const edgesOf = (pieces: readonly Piece[]): Line['column'] => {
  const lefts = pieces.map((piece) => piece.x).sort((a, b) => a - b);
  const rights = pieces.map((piece) => piece.x + piece.width).sort((a, b) => a - b);
  return { left: lefts[Math.floor(lefts.length * 0.02)] ?? 0, right: rights[Math.floor(rights.length * 0.98)] ?? 0 };
};

/** Stands at the end of the word before it, also where a narrow space was set between. */
const CLOSES = /^[.,;:!?)]/;
const CELL_GAP = 2.2;
/** Parts the cells of a row. */
const CELL = ' | ';

const toLine = (unsorted: readonly Piece[], y: number, column: Line['column']): Line => {
  const pieces = [...unsorted].sort((a, b) => a.x - b.x);
  const size = mainSize(pieces);
  const gaps = pieces.map((piece, index) => {
    const before = pieces[index - 1];
    return before === undefined ? 0 : (piece.x - before.x - before.width) / Math.max(1, size);
  });
  const wide = gaps.filter((gap, index) => gap > CELL_GAP && !isEnumerator(pieces[index - 1]));
  const isRow = wide.length >= 2;
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (isNoteMark(piece, text, y, size)) continue;
    const gap = gaps[index] ?? 0;
    if (isRow && gap > CELL_GAP) text += CELL;
    else if (
      (gap > SPACE || (piece.isAfterSpace && !CLOSES.test(piece.text))) &&
      !/\s$/.test(text) &&
      !/^\s/.test(piece.text)
    )
      text += ' ';
    text += isBullet(piece, pieces[index + 1], gaps[index + 1]) && index === 0 ? '•' : piece.text;
  }
  const first = pieces[0];
  const right = pieces.reduce((most, piece) => Math.max(most, piece.x + piece.width), 0);
  return { text: clean(text), x: first?.x ?? 0, right, y, size, column, isRow };
};

/** Bullets are often drawn with the letters of a font of signs: one apart at the start of a line, in a font of its own. */
const isBullet = (piece: Piece, next: Piece | undefined, gap = 0): boolean =>
  next !== undefined && next.font !== piece.font && gap > 0.5 && /^[a-zßÿ?§¨·]$/.test(piece.text.trim());

/** What a list's item starts with stands off from it as cells do. */
const isEnumerator = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  /^\s*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|[^\p{L}\p{N}]|[\d.]+\.)\s*$/u.test(piece.text);

/** A small raised number or star after a word or a year: the mark of a footnote. After other digits it is a power or a fraction. */
const isNoteMark = (piece: Piece, before: string, y: number, size: number): boolean =>
  piece.size < size * 0.8 &&
  piece.y < y - size * 0.15 &&
  /^\s*(\d{1,3}|[*†‡]{1,3})\s*$/.test(piece.text) &&
  /(?:[\p{L}.,;:!?)”’"'%]|(?<!\d)(?:19|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?)\s*$/u.test(before);

const mainSize = (pieces: readonly Piece[]): number => {
  const bySize = new Map<number, number>();
  for (const { size, text } of pieces) bySize.set(size, (bySize.get(size) ?? 0) + text.trim().length);
  return [...bySize].reduce((best, each) => (each[1] > best[1] ? each : best), [0, -1])[0];
};

/** Ligatures that some printers of PDFs name by letters which English does not have: `conƟnued`, `CommiƩee`. */
const MISNAMED: Readonly<Record<string, string>> = { Ɵ: 'ti', Ʃ: 'tt' };

const clean = (text: string): string =>
  text
    .replace(/(?<=[A-Za-z])[ƟƩ]|[ƟƩ](?=[a-z])/g, (letter) => MISNAMED[letter] ?? letter)
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/[\uf0b7\uf0a7\uf076\uf0d8\u25cf\u25aa\u25a0]/g, '•')
    .replace(/[\u200b\u2060\ufeff\p{Co}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu, '')
    .replace(/[\s\p{Cc}\u00a0\u2000-\u200a\u202f\u205f\u3000]+/gu, ' ')
    .trim();
