import type { Readable } from 'node:stream';
import { csvCell as cell } from '../explorer/csv-cell.js';
import { LONGEST_NUMBER } from '../metric-column.js';
import { headOf, type Means, type Page, pieceOf, ROWS_AT_ONCE, streamed } from './page.js';

/** RFC 4180 with a header, CRLF after every record. A text that a spreadsheet would run gets a leading `'`. */
export const toCsv = (page: Page, means: Means): Buffer | Readable => {
  if (page.rows.length <= ROWS_AT_ONCE) return Buffer.concat([...pieces(page, ROWS_AT_ONCE)]);
  // Quoted and escaped, a cell is no longer than it is in JSON with its name.
  const { rows, bytes } = pieceOf(page.table.heads.longest + page.metrics.length * (LONGEST_NUMBER + 1));
  return streamed(pieces(page, rows), bytes, means);
};

const pieces = function* (page: Page, rowsAtOnce: number): Generator<Buffer> {
  const names = [...page.columns, ...page.metrics].map(({ name }) => name);
  yield Buffer.from(`${names.map(cell).join(',')}\r\n`);
  for (let from = 0; from < page.rows.length; from += rowsAtOnce)
    yield toLines(page, page.rows.subarray(from, from + rowsAtOnce));
};

const toLines = (page: Page, rows: Uint32Array): Buffer => {
  const lines = Array.from(rows, (row) => {
    const head = headOf(page, row);
    return [
      ...page.columns.map(({ name }) => cell(head[name] ?? null)),
      ...page.metrics.map((metric) => metric.cell(metric.codes[row] ?? 0)),
    ].join(',');
  });
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
};
