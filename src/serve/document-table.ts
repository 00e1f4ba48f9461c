/**
 * The documents of a snapshot in memory, a column each: what lists and summaries are made from, so that a page costs the
 * copying of its bytes and not a scan. A metric takes few values (ratios of small counts), so a column is a code a
 * document and one number and one text a code.
 */
import type { DuckDBConnection } from 'duckdb';
import { RunError } from '../errors.js';
import { MetricBuilder, type MetricColumn } from './metric-column.js';
import { type DocumentScan, documentOrder, scanDocuments } from './sql.js';

/** Values to filter by: numbers as they are (dates as days since 1970), texts as codes. `ABSENT` stands for null. */
export interface DimensionColumn {
  readonly values: Int32Array;
  /** The value of a text; `ABSENT` where no document has it. */
  readonly codeOf: (text: string) => number;
  /** The rows that hold a value, in their order. */
  readonly rowsOf: (value: number) => Uint32Array;
}

export interface DocumentTable {
  readonly length: number;
  readonly columns: readonly string[];
  readonly metrics: ReadonlyMap<string, MetricColumn>;
  readonly dimensions: ReadonlyMap<string, DimensionColumn>;
  /** The served columns of each document as an open JSON object, `{"document_id":"…","year":2024`, in UTF-8. */
  readonly heads: Heads;
  /** Every row, in the order of the listing. */
  readonly all: Uint32Array;
  /** Where the document lies in the database. */
  readonly rowid: (row: number) => number;
}

/** Texts behind one another: that of a row from `ends[row]` to `ends[row + 1]`. */
export interface Heads {
  readonly bytes: Buffer;
  readonly ends: Float64Array;
  /** Bytes of the longest. */
  readonly longest: number;
}

export const ABSENT = -2_147_483_648;

/**
 * Reads the table, a few thousand rows at a time.
 *
 * @throws RunError when a row cannot be what the manifest says
 */
export const loadDocuments = async (
  connection: DuckDBConnection,
  shape: Omit<DocumentScan, 'ordered'>,
): Promise<DocumentTable> => {
  const [facts] = (await connection.runAndReadAll(documentOrder().sql)).getRowObjects();
  const length = Number(facts?.documents ?? 0);
  const heads = new HeadBuilder(length);
  const rowids = new Int32Array(length);
  const dimensions = shape.dimensions.map(() => new DimensionBuilder(length));
  const metrics = shape.metrics.map((name) => new MetricBuilder(name, length));

  const ordered = facts?.ordered === true;
  const scan = scanDocuments({ ...shape, ordered });
  const result = await connection.stream(scan.sql);
  let row = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    // Asked once: each time is a call into the database.
    const count = chunk?.rowCount ?? 0;
    if (chunk === null || count === 0) break;
    const [places, texts] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let at = 0; at < count; at += 1) {
      const place = Number(places.getItem(at));
      if (ordered && place !== row + at) throw new RunError(`Row ${row + at} of documents was read as row ${place}.`);
      rowids[row + at] = place;
      heads.add(row + at, String(texts.getItem(at)));
    }
    for (const [index, column] of [...dimensions, ...metrics].entries()) {
      const vector = chunk.getColumnVector(2 + index);
      for (let at = 0; at < count; at += 1) column.set(row + at, vector.getItem(at));
    }
    row += count;
  }
  if (row !== length) throw new RunError(`The table documents has ${length} rows and gave ${row}.`);

  return {
    length,
    columns: shape.columns,
    metrics: new Map(metrics.map((builder) => [builder.name, builder.build()])),
    dimensions: new Map(shape.dimensions.map(({ name }, at) => [name, toDimensionColumn(dimensions[at])])),
    heads: heads.build(),
    all: Uint32Array.from({ length }, (_, at) => at),
    rowid: (at) => rowids[at] ?? -1,
  };
};

/** Texts behind one another in one buffer, outside the heap. */
class HeadBuilder {
  readonly #ends: Float64Array;
  readonly #blocks: Buffer[] = [];
  #open: string[] = [];
  #bytes = 0;
  #longest = 0;

  constructor(length: number) {
    this.#ends = new Float64Array(length + 1);
  }

  add(row: number, text: string): void {
    // Without its closing brace: the metrics follow.
    const open = text.slice(0, -1);
    this.#open.push(open);
    const bytes = Buffer.byteLength(open);
    this.#bytes += bytes;
    this.#longest = Math.max(this.#longest, bytes);
    this.#ends[row + 1] = this.#bytes;
    if (this.#open.length >= 2048) this.#flush();
  }

  build(): Heads {
    this.#flush();
    return { bytes: Buffer.concat(this.#blocks), ends: this.#ends, longest: this.#longest };
  }

  #flush(): void {
    this.#blocks.push(Buffer.from(this.#open.join('')));
    this.#open = [];
  }
}

class DimensionBuilder {
  readonly values: Int32Array;
  readonly codes = new Map<string, number>();

  constructor(length: number) {
    this.values = new Int32Array(length).fill(ABSENT);
  }

  set(row: number, value: unknown): void {
    if (typeof value === 'number') this.values[row] = value;
    else if (typeof value === 'string') {
      const code = this.codes.get(value) ?? this.codes.size;
      this.codes.set(value, code);
      this.values[row] = code;
    }
  }
}

const toDimensionColumn = (builder: DimensionBuilder | undefined): DimensionColumn => {
  if (builder === undefined) throw new Error('A dimension was not read.');
  const { values, codes } = builder;
  return { values, codeOf: (text) => codes.get(text) ?? ABSENT, rowsOf: indexOf(values) };
};

/** Rows by value, sorted when first asked for; those of one value in their order. */
const indexOf = (values: Int32Array): DimensionColumn['rowsOf'] => {
  let index: { readonly rows: Uint32Array; readonly spans: ReadonlyMap<number, readonly [number, number]> } | undefined;
  return (value) => {
    index ??= sortByValue(values);
    const [from, to] = index.spans.get(value) ?? [0, 0];
    return index.rows.subarray(from, to);
  };
};

const sortByValue = (values: Int32Array) => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const spans = new Map<number, [number, number]>();
  let end = 0;
  for (const [value, count] of counts) {
    spans.set(value, [end, end]);
    end += count;
  }
  const rows = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const span = spans.get(values[row] ?? ABSENT);
    if (span === undefined) continue;
    rows[span[1]] = row;
    span[1] += 1;
  }
  return { rows, spans };
};
