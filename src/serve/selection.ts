/** Which documents a request is about: the filters of the interface over the dimensions in memory. */
import { ABSENT, type DocumentTable } from './document-table.js';

/** Filters as the request stated them; a document must meet all that stand. Days are `YYYY-MM-DD`. */
export interface Filters {
  readonly bank_name?: readonly string[] | undefined;
  readonly ticker?: readonly string[] | undefined;
  readonly year?: readonly number[] | undefined;
  readonly quarter?: readonly number[] | undefined;
  readonly date?: string | undefined;
  /** From this day on; a document without a date is in no range. */
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Documents in the order of the listing, as rows of the table. */
export type Selection = Uint32Array;

export const selectDocuments = (table: DocumentTable, filters: Filters): Selection =>
  toNarrowings(table, filters).reduce<Selection>((rows, narrow) => narrow(rows), table.all);

/** Leaves out rows; a loop over one column each, which is what makes it fast. */
type Narrow = (rows: Selection) => Selection;

const toNarrowings = (table: DocumentTable, filters: Filters): readonly Narrow[] => [
  ...among(table, 'ticker', filters.ticker),
  ...among(table, 'bank_name', filters.bank_name),
  ...among(table, 'year', filters.year),
  ...among(table, 'quarter', filters.quarter),
  ...within(table, filters.date, filters.date),
  ...within(table, filters.start_date, filters.end_date),
];

const among = (
  table: DocumentTable,
  name: string,
  wanted: readonly (string | number)[] | undefined,
): readonly Narrow[] => {
  if (wanted === undefined) return [];
  const { values, codeOf } = column(table, name);
  const codes = wanted.map((value) => (typeof value === 'number' ? value : codeOf(value)));
  const set = new Set(codes.filter((code) => code !== ABSENT));
  const [only = ABSENT] = set;
  if (set.size > 1) return [(rows) => rows.filter((row) => set.has(values[row] ?? ABSENT))];
  return [(rows) => (set.size === 0 ? rows.subarray(0, 0) : between(values, rows, only, only))];
};

const within = (table: DocumentTable, start: string | undefined, end: string | undefined): readonly Narrow[] => {
  if (start === undefined && end === undefined) return [];
  const { values } = column(table, 'date');
  // One above the mark for null: a document without a date is in no range, however wide.
  const [first, last] = [start === undefined ? ABSENT + 1 : toDay(start), end === undefined ? -ABSENT : toDay(end)];
  return [(rows) => between(values, rows, first, last)];
};

const between = (values: Int32Array, rows: Selection, least: number, most: number): Selection => {
  const found = new Uint32Array(rows.length);
  let length = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const value = values[row] ?? ABSENT;
    if (value >= least && value <= most) {
      found[length] = row;
      length += 1;
    }
  }
  return found.slice(0, length);
};

const column = (table: DocumentTable, name: string) => {
  const found = table.dimensions.get(name);
  if (found === undefined) throw new Error(`The documents have no ${name}.`);
  return found;
};

const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
