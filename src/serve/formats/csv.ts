import type { Readable } from 'node:stream';
import { csvCell as cell } from '../explorer/csv-cell.js';
import { headOf, type Page, ROWS_AT_ONCE, streamed } from './page.js';

/** RFC 4180 with a header, CRLF after every record. A text that a spreadsheet would run gets a leading `'`. */
export const toCsv = (page: Page): Buffer | Readable => {
  if (page.rows.length <= ROWS_AT_ONCE) return Buffer.concat([...pieces(page)]);
  return streamed(pieces(page));
};

const pieces = function* (page: Page): Generator<Buffer> {
  const names = [...page.columns, ...page.metrics].map(({ name }) => name);
  yield Buffer.from(`${names.map(cell).join(',')}\r\n`);
  for (let from = 0; from < page.rows.length; from += ROWS_AT_ONCE)
    yield toLines(page, page.rows.subarray(from, from + ROWS_AT_ONCE));
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
