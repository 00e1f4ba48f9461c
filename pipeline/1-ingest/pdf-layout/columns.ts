/** From pieces of text with places on a page to its lines in the order in which they are read, column by column. */
import { type Line, type Piece, toColumn, toRows } from './lines.js';

export interface PagePieces {
  readonly pieces: readonly Piece[];
  /** Points. */
  readonly width: number;
}

/** Pages with columns at one place that make it the document's layout. */
const MIN_COLUMN_PAGES = 2;

/** The lines of each page, top to bottom, column by column. */
export const toLines = (pages: readonly PagePieces[]): readonly (readonly Line[])[] => {
  const runs = pages.map(({ pieces }) => toRuns(pieces));
  const own = pages.map(({ width }, index) => findGutter(runs[index] ?? [], width, SHARES, BESIDE));
  const shares = own.flatMap((gutter, index) => (gutter === undefined ? [] : [gutter / (pages[index]?.width ?? 1)]));
  const usual = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)];
  return pages.map(({ pieces, width }, index) => {
    const page = runs[index] ?? [];
    const isUsual = usual !== undefined && shares.length >= MIN_COLUMN_PAGES;
    const gutter = own[index] ?? (isUsual ? findGutter(page, width, [usual], BESIDE_IN_COLUMNS) : undefined);
    return gutter === undefined ? toColumn(pieces) : toBands(page, gutter);
  });
};

/** What crosses the gutter (a heading, a wide table) parts the page into bands, each read left, then right. */
const toBands = (runs: readonly Run[], gutter: number): readonly Line[] => {
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

/** Points. Wider than a space of justified text, narrower than what parts columns. */
const MIN_GUTTER = 9;

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

const MAX_CROSSING_SHARE = 0.15;
/** Where gutters are looked for, as shares of the page's width. */
const SHARES: readonly number[] = [0.5, 0.48, 0.52, 0.46, 0.54, 0.44, 0.56];

/** What makes a column. */
interface Beside {
  /** Full lines of prose, where there are as many on the other side; and where there are not. */
  readonly prose: number;
  readonly charts: number;
  /** Of its lines. */
  readonly fullShare: number;
  /** Of the page's characters. */
  readonly minShare: number;
}
const BESIDE: Beside = { prose: 4, charts: 8, fullShare: 0.5, minShare: 0.25 };
/** On a page of a document that is set in columns elsewhere. */
const BESIDE_IN_COLUMNS: Beside = { prose: 2, charts: 4, fullShare: 0, minShare: 0.1 };

/** The middle of an empty stripe that parts a column of running text from another or from charts, or undefined. */
const findGutter = (
  runs: readonly Run[],
  pageWidth: number,
  shares: readonly number[],
  { prose, charts, fullShare, minShare }: Beside,
): number | undefined => {
  const characters = (chosen: readonly Run[]) => chosen.reduce((sum, run) => sum + run.characters, 0);
  const all = characters(runs);
  if (all < 400) return undefined;
  for (const share of shares) {
    const at = pageWidth * share;
    const crosses = (run: Run) => run.x < at && run.right > at;
    if (characters(runs.filter(crosses)) > all * MAX_CROSSING_SHARE) continue;
    const left = runs.filter((run) => run.right <= at);
    const right = runs.filter((run) => run.x >= at);
    if (Math.min(characters(left), characters(right)) < all * minShare) continue;
    const full = [left, right].map((side) => countProse(toColumn(piecesOf(side)), fullShare));
    if (Math.min(...full) >= prose || Math.max(...full) >= charts) return at;
  }
  return undefined;
};

/** Lines of prose that fill their column, where enough do. Columns of a table have short lines of many lengths. */
const countProse = (lines: readonly Line[], fullShare: number): number => {
  const isFull = (line: Line) => line.right - line.x > (line.column.right - line.column.left) * 0.75;
  const full = lines.filter(isFull);
  if (full.length < lines.length * fullShare) return 0;
  return full.filter((line) => /\p{L}{2,} \p{L}{2,} /u.test(line.text)).length;
};
