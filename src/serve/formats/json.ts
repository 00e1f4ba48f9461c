import { Readable } from 'node:stream';
import { type Page, ROWS_AT_ONCE } from './page.js';

/** `{…envelope, "documents":[…]}` as UTF-8, written while it is read. */
export const toJson = (envelope: Readonly<Record<string, unknown>>, page: Page): Buffer | Readable => {
  const open = Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"documents":[`);
  const { rows } = page;
  if (rows.length <= ROWS_AT_ONCE) return Buffer.concat([open, toRows(page, rows), CLOSE]);
  return Readable.from(pieces(open, page), { objectMode: false, highWaterMark: 1 });
};

const CLOSE = Buffer.from(']}');

const pieces = function* (open: Buffer, page: Page): Generator<Buffer> {
  yield open;
  for (let from = 0; from < page.rows.length; from += ROWS_AT_ONCE) {
    const rows = toRows(page, page.rows.subarray(from, from + ROWS_AT_ONCE));
    yield from === 0 ? rows : Buffer.concat([COMMA, rows]);
  }
  yield CLOSE;
};

const COMMA = Buffer.from(',');

/** Every character is one byte of the UTF-8 text. */
const toRows = ({ table, metrics }: Page, rows: Uint32Array): Buffer => {
  const texts: string[] = [];
  for (const row of rows) {
    let text = table.head(row);
    for (const metric of metrics) text += metric.member(row);
    texts.push(`${text}}`);
  }
  return Buffer.from(texts.join(','), 'latin1');
};
