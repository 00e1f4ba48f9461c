import type { Readable } from 'node:stream';
import {
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { MetricColumn } from '../metric-column.js';
import { headOf, type Means, type Page, pieceOf, ROWS_AT_ONCE, streamed } from './page.js';

/** An Arrow IPC stream: one record batch, or several that are written while they are read. */
export const toArrow = (page: Page, means: Means): Buffer | Readable => {
  if (page.rows.length <= ROWS_AT_ONCE) return toStream(page, page.rows);
  const { rows, bytes } = pieceOf(longestRow(page));
  return streamed(pieces(page, rows), bytes, means);
};

/** A stream of one batch is the schema, the batch and the end: those behind the first leave the schema out, and the end comes once. */
const pieces = function* (page: Page, rowsAtOnce: number): Generator<Buffer> {
  for (let from = 0; from < page.rows.length; from += rowsAtOnce) {
    const stream = toStream(page, page.rows.subarray(from, from + rowsAtOnce));
    const isLast = from + rowsAtOnce >= page.rows.length;
    yield stream.subarray(from === 0 ? 0 : lengthOfSchema(stream), isLast ? stream.length : -END_BYTES);
  }
};

/**
 * Bytes of the message that a stream begins with: a mark, the length of what follows, and that. A schema has no body.
 *
 * @see https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
 */
const lengthOfSchema = (stream: Buffer): number => 8 + stream.readInt32LE(4);

/** The mark, and the length 0. */
const END_BYTES = 8;

/** Bytes of a row and of its part of what describes the batch: a number, its mark for null, and some for each text. */
const longestRow = ({ table: { heads }, columns, metrics }: Page): number =>
  heads.longest + 16 * columns.length + 12 * metrics.length;

const toStream = (page: Page, rows: Uint32Array): Buffer => {
  const heads = Array.from(rows, (row) => headOf(page, row));
  const columns = [
    ...page.columns.map(({ name, type }) => {
      const values = heads.map((head) => head[name] ?? null);
      return { name, vector: toVector(type, values) };
    }),
    ...page.metrics.map((metric) => ({ name: metric.name, vector: toNumbers(metric, rows) })),
  ];
  // The same schema for every batch, whether it has a null or not.
  const fields = columns.map(({ name, vector }) => new Field<DataType>(name, vector.type, true));
  const children = columns.flatMap(({ vector }) => vector.data);
  const batch = makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children });
  const schema = new Schema(fields);
  const { buffer, byteOffset, byteLength } = tableToIPC(new Table(schema, new RecordBatch(schema, batch)), 'stream');
  return Buffer.from(buffer, byteOffset, byteLength);
};

/** Put in place as they are: made from a list of values, they take several times as long. */
const toNumbers = ({ codes, numbers }: MetricColumn, rows: Uint32Array): Vector<Float64> => {
  const data = new Float64Array(rows.length);
  const nullBitmap = new Uint8Array(Math.ceil(rows.length / 8));
  let nullCount = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const code = codes[rows[at] ?? 0] ?? 0;
    if (code === 0) {
      nullCount += 1;
      continue;
    }
    data[at] = numbers[code] ?? 0;
    nullBitmap[at >> 3] = (nullBitmap[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return new Vector([makeData({ type: new Float64(), length: rows.length, nullCount, data, nullBitmap })]);
};

const toVector = (type: string, values: readonly (string | number | null)[]): Vector => {
  switch (type) {
    case 'INTEGER':
      return vectorFromArray(values, new Int32());
    case 'DATE':
      return vectorFromArray(
        values.map((value) => (value === null ? null : new Date(`${value}T00:00:00Z`))),
        new DateDay(),
      );
    default:
      return vectorFromArray(values, new Utf8());
  }
};
