/** From pieces of text with places on a page to its lines, in the order in which they are read. */

/** A run of characters of one font. Coordinates in points from the top left corner; `y` is the baseline. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Height of the font in points. */
  readonly size: number;
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

/** The lines of one page, top to bottom, column by column. */
export const toLines = (pieces: readonly Piece[], pageWidth: number): readonly Line[] => {
  const runs = toRuns(pieces);
  const gutter = findGutter(runs, pageWidth);
  if (gutter === undefined) return toColumn(pieces);

  // What crosses the gutter (a heading, a wide table) parts the page into bands, each read left, then right.
  const crossing = toColumn(piecesOf(runs.filter((run) => run.x < gutter && run.right > gutter)));
  const lines: Line[] = [];
  let top = Number.NEGATIVE_INFINITY;
  const band = (bottom: number): void => {
    const inside = runs.filter((run) => run.y > top && run.y <= bottom);
    lines.push(...toColumn(piecesOf(inside.filter((run) => run.right <= gutter))));
    lines.push(...toColumn(piecesOf(inside.filter((run) => run.x >= gutter))));
    top = bottom;
  };
  for (const line of crossing) {
    band(line.y - line.size * 0.5);
    lines.push(line);
  }
  band(Number.POSITIVE_INFINITY);
  return lines;
};

/** Pieces of a line that stand a word's gap apart or less: some programs write each word for itself. */
interface Run {
  readonly pieces: Piece[];
  readonly x: number;
  readonly y: number;
  right: number;
  characters: number;
}

const toRuns = (pieces: readonly Piece[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const row of toRows(pieces)) {
    let open: Run | undefined;
    for (const piece of [...row.pieces].sort((a, b) => a.x - b.x)) {
      const right = piece.x + piece.width;
      const characters = piece.text.trim().length;
      if (open === undefined || piece.x - open.right > MIN_GUTTER) {
        open = { pieces: [piece], x: piece.x, y: row.y, right, characters };
        runs.push(open);
      } else {
        open.pieces.push(piece);
        open.right = Math.max(open.right, right);
        open.characters += characters;
      }
    }
  }
  return runs;
};

const piecesOf = (runs: readonly Run[]): readonly Piece[] => runs.flatMap((run) => run.pieces);

/** Points. Wider than a space of justified text, narrower than what parts columns. */
const MIN_GUTTER = 9;
const MAX_CROSSING_SHARE = 0.15;
const MIN_COLUMN_SHARE = 0.25;

/** The middle of an empty stripe that parts two columns of running text, or undefined. */
const findGutter = (runs: readonly Run[], pageWidth: number): number | undefined => {
  const characters = (chosen: readonly Run[]) => chosen.reduce((sum, run) => sum + run.characters, 0);
  const all = characters(runs);
  if (all < 400) return undefined;
  for (const share of [0.5, 0.48, 0.52, 0.46, 0.54, 0.44, 0.56]) {
    const at = pageWidth * share;
    const crosses = (run: Run) => run.x < at && run.right > at;
    if (characters(runs.filter(crosses)) > all * MAX_CROSSING_SHARE) continue;
    const left = runs.filter((run) => run.right <= at);
    const right = runs.filter((run) => run.x >= at);
    if (Math.min(characters(left), characters(right)) < all * MIN_COLUMN_SHARE) continue;
    if (isProse(toColumn(piecesOf(left))) && isProse(toColumn(piecesOf(right)))) return at;
  }
  return undefined;
};

/** Columns of a table have short lines of many lengths; prose fills its column. */
const isProse = (lines: readonly Line[]): boolean => {
  const full = lines.filter((line) => line.right - line.x > (line.column.right - line.column.left) * 0.75);
  return (
    full.length >= lines.length * 0.5 && full.filter((line) => /\p{L}{2,} \p{L}{2,} /u.test(line.text)).length >= 4
  );
};

/** Baselines closer than this share of the larger font are one line: raised and lowered marks stay with their words. */
const SAME_LINE = 0.45;

const toColumn = (pieces: readonly Piece[]): readonly Line[] => {
  const column = edgesOf(pieces);
  return toRows(pieces).map((row) => toLine(row.pieces, row.y, column));
};

interface Row {
  readonly pieces: Piece[];
  y: number;
  size: number;
}

const toRows = (pieces: readonly Piece[]): readonly Row[] => {
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
  return rows.sort((a, b) => a.y - b.y);
};

/** Where most lines begin and end: a lone number in the margin does not widen the column. */
const edgesOf = (pieces: readonly Piece[]): Line['column'] => {
  const lefts = pieces.map((piece) => piece.x).sort((a, b) => a - b);
  const rights = pieces.map((piece) => piece.x + piece.width).sort((a, b) => a - b);
  return { left: lefts[Math.floor(lefts.length * 0.02)] ?? 0, right: rights[Math.floor(rights.length * 0.98)] ?? 0 };
};

/** A gap of this share of the font's height is a space. */
const SPACE = 0.15;
const CELL_GAP = 2.2;

const toLine = (unsorted: readonly Piece[], y: number, column: Line['column']): Line => {
  const pieces = [...unsorted].sort((a, b) => a.x - b.x);
  const size = mainSize(pieces);
  const gaps = pieces.map((piece, index) => {
    const before = pieces[index - 1];
    return before === undefined ? 0 : (piece.x - before.x - before.width) / Math.max(1, size);
  });
  const isRow = gaps.filter((gap) => gap > CELL_GAP).length >= 2;
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (isNoteMark(piece, text, y, size)) continue;
    const gap = gaps[index] ?? 0;
    if (isRow && gap > CELL_GAP) text += ' | ';
    else if (gap > SPACE && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += ' ';
    text += piece.text;
  }
  const first = pieces[0];
  const right = pieces.reduce((most, piece) => Math.max(most, piece.x + piece.width), 0);
  return { text: clean(text), x: first?.x ?? 0, right, y, size, column, isRow };
};

/** A small raised number or star after a word: the mark of a footnote. After a digit it is a power or a fraction. */
const isNoteMark = (piece: Piece, before: string, y: number, size: number): boolean =>
  piece.size < size * 0.8 &&
  piece.y < y - size * 0.15 &&
  /^\s*(\d{1,3}|[*†‡]{1,3})\s*$/.test(piece.text) &&
  /[\p{L}.,;:!?)”’"'%]\s*$/u.test(before);

const mainSize = (pieces: readonly Piece[]): number => {
  const bySize = new Map<number, number>();
  for (const { size, text } of pieces) bySize.set(size, (bySize.get(size) ?? 0) + text.trim().length);
  return [...bySize].reduce((best, each) => (each[1] > best[1] ? each : best), [0, -1])[0];
};

const clean = (text: string): string =>
  text
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/[\uf0b7\uf0a7\uf076\uf0d8\u25cf\u25aa\u25a0]/g, '•')
    .replace(/[\u200b\u2060\ufeff\p{Co}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu, '')
    .replace(/[\s\p{Cc}\u00a0\u2000-\u200a\u202f\u205f\u3000]+/gu, ' ')
    .trim();
