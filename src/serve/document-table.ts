/**
 * The documents of a snapshot in memory, a column each: what lists and summaries are made from, so that a page costs the
 * copying of its bytes and not a scan. A metric takes few values (ratios of small counts), so a column is a code a
 * document and one number and one text a code.
 */
import type { DuckDBConnection } from 'duckdb';
import { RunError } from '../errors.js';
import { type DocumentScan, documentOrder, scanDocuments } from './sql.js';

export interface MetricColumn {
  readonly name: string;
  readonly codes: Codes;
  /** By code; code 0 is null and holds NaN. */
  readonly numbers: Float64Array;
  /** The value of a document as a member of a JSON object: `,"stance":0.25`. */
  readonly member: (row: number) => string;
  /** The same value alone: `0.25`, empty for null. */
  readonly cell: (row: number) => string;
}

/** Values to filter by: numbers as they are (dates as days since 1970), texts as codes. `ABSENT` stands for null. */
export interface DimensionColumn {
  readonly values: Int32Array;
  /** The value of a text; `ABSENT` where no document has it. */
  readonly codeOf: (text: string) => number;
}

export interface DocumentTable {
  readonly length: number;
  readonly columns: readonly string[];
  readonly metrics: ReadonlyMap<string, MetricColumn>;
  readonly dimensions: ReadonlyMap<string, DimensionColumn>;
  /** The served columns of a document as an open JSON object, `{"document_id":"…","year":2024`: UTF-8 bytes, one a character. */
  readonly head: (row: number) => string;
  /** Every row, in the order of the listing. */
  readonly all: Uint32Array;
  /** Where the document lies in the database. */
  readonly rowid: (row: number) => number;
}

export const ABSENT = -2_147_483_648;

type Codes = Uint16Array | Uint32Array;

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
  const heads = new Heads(length);
  const rowids = new Int32Array(length);
  const dimensions = shape.dimensions.map(() => new DimensionBuilder(length));
  const metrics = shape.metrics.map(() => new MetricBuilder(length));

  const ordered = facts?.ordered === true;
  const scan = scanDocuments({ ...shape, ordered });
  const result = await connection.stream(scan.sql);
  let row = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    const [places, texts] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let at = 0; at < chunk.rowCount; at += 1) {
      const place = Number(places.getItem(at));
      if (ordered && place !== row + at) throw new RunError(`Row ${row + at} of documents was read as row ${place}.`);
      rowids[row + at] = place;
      heads.add(row + at, String(texts.getItem(at)));
    }
    for (const [index, column] of [...dimensions, ...metrics].entries()) {
      const vector = chunk.getColumnVector(2 + index);
      for (let at = 0; at < chunk.rowCount; at += 1) column.set(row + at, vector.getItem(at));
    }
    row += chunk.rowCount;
  }
  if (row !== length) throw new RunError(`The table documents has ${length} rows and gave ${row}.`);

  return {
    length,
    columns: shape.columns,
    metrics: new Map(shape.metrics.map((name, at) => [name, toMetricColumn(name, metrics[at])])),
    dimensions: new Map(shape.dimensions.map(({ name }, at) => [name, toDimensionColumn(dimensions[at])])),
    head: heads.close(),
    all: Uint32Array.from({ length }, (_, at) => at),
    rowid: (at) => rowids[at] ?? -1,
  };
};

/** Texts behind one another in one buffer, outside the heap. */
class Heads {
  readonly #ends: Float64Array;
  readonly #blocks: Buffer[] = [];
  #open: string[] = [];
  #bytes = 0;

  constructor(length: number) {
    this.#ends = new Float64Array(length + 1);
  }

  add(row: number, text: string): void {
    // Without its closing brace: the metrics follow.
    const open = text.slice(0, -1);
    this.#open.push(open);
    this.#bytes += Buffer.byteLength(open);
    this.#ends[row + 1] = this.#bytes;
    if (this.#open.length >= 2048) this.#flush();
  }

  close(): (row: number) => string {
    this.#flush();
    const bytes = Buffer.concat(this.#blocks);
    const ends = this.#ends;
    return (row) => bytes.toString('latin1', ends[row] ?? 0, ends[row + 1] ?? 0);
  }

  #flush(): void {
    this.#blocks.push(Buffer.from(this.#open.join('')));
    this.#open = [];
  }
}

class MetricBuilder {
  readonly numbers: number[] = [Number.NaN];
  codes: Codes;
  readonly #known = new Map<number, number>();

  constructor(length: number) {
    this.codes = new Uint16Array(length);
  }

  set(row: number, value: unknown): void {
    if (value === null) return;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new RunError(`A metric holds ${String(value)}.`);
    let code = this.#known.get(value);
    if (code === undefined) {
      code = this.numbers.push(value) - 1;
      this.#known.set(value, code);
      if (code === 0x10000) this.codes = Uint32Array.from(this.codes);
    }
    this.codes[row] = code;
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
  return { values, codeOf: (text) => codes.get(text) ?? ABSENT };
};

const toMetricColumn = (name: string, builder: MetricBuilder | undefined): MetricColumn => {
  if (builder === undefined) throw new Error(`The metric ${name} was not read.`);
  const { codes } = builder;
  const numbers = Float64Array.from(builder.numbers);
  const key = `,${JSON.stringify(name)}:`;
  // Written when first asked for: a number is turned into text once for all documents that share it.
  const members = new Array<string | undefined>(numbers.length).fill(undefined);
  const member = (row: number): string => {
    const code = codes[row] ?? 0;
    const known = members[code];
    if (known !== undefined) return known;
    const text = key + (code === 0 ? 'null' : JSON.stringify(numbers[code]));
    members[code] = text;
    return text;
  };
  return {
    name,
    codes,
    numbers,
    member,
    cell: (row) => ((codes[row] ?? 0) === 0 ? '' : member(row).slice(key.length)),
  };
};
