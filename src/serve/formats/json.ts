import { Readable } from 'node:stream';
import { ByteWriter } from '../byte-writer.js';
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

const [COMMA_BYTE, CLOSE_BYTE] = [0x2c, 0x7d];

const toRows = ({ table: { heads }, metrics }: Page, rows: Uint32Array): Buffer => {
  const keys = metrics.map(({ name }) => Buffer.from(`,${JSON.stringify(name)}:`));
  const most = metrics.reduce((sum, { longest }, at) => sum + longest + (keys[at]?.length ?? 0), heads.longest + 2);
  const writer = new ByteWriter(most * rows.length);
  for (const [at, row] of rows.entries()) {
    if (at > 0) writer.byte(COMMA_BYTE);
    writer.copy(heads.bytes, heads.ends[row] ?? 0, heads.ends[row + 1] ?? 0);
    for (let index = 0; index < metrics.length; index += 1) {
      const [metric, key] = [metrics[index], keys[index]];
      if (metric === undefined || key === undefined) continue;
      const code = metric.codes[row] ?? 0;
      writer.copy(key, 0, key.length);
      writer.copy(metric.texts, metric.ends[code] ?? 0, metric.ends[code + 1] ?? 0);
    }
    writer.byte(CLOSE_BYTE);
  }
  return writer.written();
};
