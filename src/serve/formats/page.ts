import { Readable } from 'node:stream';
import type { Manifest } from '../../snapshot/manifest.js';
import type { AnswerMemory } from '../answer-memory.js';
import type { DocumentTable } from '../document-table.js';
import type { KeptRows } from '../kept-rows.js';
import type { MetricColumn } from '../metric-column.js';
import type { Turns } from '../turns.js';

/** A page of documents: which rows, and which metrics beside the columns that every row has. */
export interface Page {
  readonly table: DocumentTable;
  readonly rows: Uint32Array;
  readonly metrics: readonly MetricColumn[];
  /** Names and types of the columns before the metrics. */
  readonly columns: Manifest['tables'][string]['columns'];
  /** Its rows as JSON, where they have every metric. */
  readonly kept?: KeptRows | undefined;
}

/** What an answer is made with. */
export interface Means {
  readonly memory: AnswerMemory;
  readonly turns: Turns;
}

/** Rows that are written at a time, at most: what a slow reader makes us hold, and others wait for. */
export const ROWS_AT_ONCE = 250;

/** Bytes that are written at a time, unless a single row has more. */
const BYTES_AT_ONCE = 256 * 1024;

/** Pieces of a stream that are in memory at a time: the one that its socket has and the one that comes next. */
const PIECES_HELD = 2;

/** What is written at a time of rows that have so many bytes at most. */
export const pieceOf = (longestRow: number): { readonly rows: number; readonly bytes: number } => {
  const rows = Math.min(ROWS_AT_ONCE, Math.max(1, Math.floor(BYTES_AT_ONCE / longestRow)));
  return { rows, bytes: rows * longestRow };
};

/**
 * An answer that is written while it is read. Its pieces are made in turn with those of others, each when its reader has
 * taken the last: of many readers, all would be made before anything else is looked at.
 *
 * @param bytes of a piece, at most; room for as many of them as are held is reserved
 */
export const streamed = (
  pieces: Iterator<Buffer> | AsyncIterator<Buffer>,
  bytes: number,
  { memory, turns }: Means,
): Readable => {
  memory.reserve(PIECES_HELD * bytes);
  return Readable.from(inTurns(pieces, turns), { objectMode: false, highWaterMark: 1 });
};

const inTurns = async function* (
  pieces: Iterator<Buffer> | AsyncIterator<Buffer>,
  turns: Turns,
): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await turns(async () => pieces.next());
    if (next.done === true) return;
    yield next.value;
  }
};

/** A row's columns before the metrics. */
export const headOf = (
  { table: { heads } }: Pick<Page, 'table'>,
  row: number,
): Readonly<Record<string, string | number | null>> => {
  const text = heads.bytes.toString('utf8', heads.ends[row], heads.ends[row + 1]);
  return JSON.parse(`${text}}`) as Record<string, string | number | null>;
};
