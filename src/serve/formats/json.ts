import type { Readable } from 'node:stream';
import { BLOCK_BYTES } from '../blocks.js';
import { LONGEST_NUMBER } from '../metric-column.js';
import { type Means, type Page, pieceOf, streamed } from './page.js';

/** `{…envelope, "documents":[…]}` as UTF-8: in one piece where it fits into a block, else written while it is read. */
export const toJson = async (
  envelope: Readonly<Record<string, unknown>>,
  page: Page,
  means: Means,
): Promise<Buffer | Readable> => {
  const open = Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"documents":[`);
  const most = open.length + longestRow(page) * page.rows.length + CLOSE.length;
  if (most <= SMALL) return putList(open, page, Buffer.allocUnsafeSlow(most));
  const block = most <= BLOCK_BYTES ? means.memory.lend() : undefined;
  if (block === undefined) {
    const { rows, bytes } = pieceOf(longestRow(page));
    return streamed(pieces(open, page, rows), bytes, means);
  }
  try {
    return await putList(open, page, block.bytes);
  } finally {
    block.filled();
  }
};

const putList = async (open: Buffer, page: Page, bytes: Buffer): Promise<Buffer> => {
  const begin = open.copy(bytes);
  const end = begin + (await putRows(page, page.rows, bytes, begin));
  // The comma behind the last row makes way for what closes the list.
  const close = page.rows.length === 0 ? end : end - 1;
  return bytes.subarray(0, close + CLOSE.copy(bytes, close));
};

/** Makes rows with a comma behind each, and says in `ends` where each ends. What it gave is written over by the next. */
export const createRowMaker = (from: RowSource): ((rows: Uint32Array, ends: Float64Array) => Buffer) => {
  let bytes = Buffer.of();
  return (rows, ends) => {
    const most = longestRow(from) * rows.length;
    if (bytes.length < most) bytes = Buffer.allocUnsafeSlow(most);
    return bytes.subarray(0, makeRows(from, rows, bytes, 0, ends));
  };
};

type RowSource = Pick<Page, 'table' | 'metrics'>;

/** Bytes of an answer that is not worth a block. */
const SMALL = 64 * 1024;

const CLOSE = Buffer.from(']}');

const pieces = async function* (open: Buffer, page: Page, rowsAtOnce: number): AsyncGenerator<Buffer> {
  yield open;
  for (let from = 0; from < page.rows.length; from += rowsAtOnce) {
    const rows = page.rows.subarray(from, from + rowsAtOnce);
    const bytes = Buffer.allocUnsafeSlow(longestRow(page) * rows.length);
    const length = await putRows(page, rows, bytes, 0);
    yield bytes.subarray(0, from + rows.length < page.rows.length ? length : length - 1);
  }
  yield CLOSE;
};

/** Bytes that a row takes at most, with what comes behind it. */
const longestRow = ({ table: { heads }, metrics }: RowSource): number =>
  metrics.reduce((sum, { name }) => sum + name.length + LONGEST_NUMBER + 4, heads.longest + 2);

const putRows = async (page: Page, rows: Uint32Array, bytes: Buffer, at: number): Promise<number> =>
  (await page.kept?.read(rows, bytes, at)) ?? makeRows(page, rows, bytes, at);

/** A row is joined from its texts, one character a byte, and copied: measured against other ways, the fastest. */
const makeRows = (
  { table: { heads }, metrics }: RowSource,
  rows: Uint32Array,
  bytes: Buffer,
  begin: number,
  ends?: Float64Array,
): number => {
  const parts = new Array<string>(metrics.length + 2);
  parts[metrics.length + 1] = '},';
  let length = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    parts[0] = heads.bytes.toString('latin1', heads.ends[row], heads.ends[row + 1]);
    for (let index = 0; index < metrics.length; index += 1) {
      const metric = metrics[index];
      if (metric !== undefined) parts[index + 1] = metric.member(metric.codes[row] ?? 0);
    }
    length += bytes.write(parts.join(''), begin + length, 'latin1');
    if (ends !== undefined) ends[at] = length;
  }
  return length;
};
