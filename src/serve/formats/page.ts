import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Manifest } from '../../snapshot/manifest.js';
import type { DocumentTable } from '../document-table.js';
import type { KeptRows } from '../kept-rows.js';
import type { MetricColumn } from '../metric-column.js';

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

/** Rows that are written at a time: what a slow reader makes us hold. */
export const ROWS_AT_ONCE = 250;

/** Pieces that are written before others get their turn: the socket of a fast reader takes one after the other at once. */
const PIECES_A_TURN = 4;

export const streamed = (pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Readable =>
  Readable.from(inTurns(pieces), { objectMode: false, highWaterMark: 1 });

const inTurns = async function* (pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = PIECES_A_TURN;
  for await (const piece of pieces) {
    if (left === 0) {
      left = PIECES_A_TURN;
      await setImmediate();
    }
    left -= 1;
    yield piece;
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
