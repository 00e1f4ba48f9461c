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

export const selectDocuments = (table: DocumentTable, filters: Filters): Selection => {
  const [narrowest, ...others] = toParts(table, filters).sort((a, b) => a.rows.length - b.rows.length);
  if (narrowest === undefined) return table.all;
  return others.reduce<Selection>((rows, { has }) => rows.filter((row) => has(row)), narrowest.rows);
};

/** What one filter leaves: rows in their order, and whether a row is one of them. */
interface Part {
  readonly rows: Selection;
  readonly has: (row: number) => boolean;
}

const toParts = (table: DocumentTable, filters: Filters): Part[] => [
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
): readonly Part[] => {
  if (wanted === undefined) return [];
  const { values, codeOf, rowsOf } = column(table, name);
  const codes = wanted.map((value) => (typeof value === 'number' ? value : codeOf(value)));
  const set = new Set(codes.filter((code) => code !== ABSENT));
  const lists = [...set].map(rowsOf);
  return [
    { rows: lists.length === 1 ? (lists[0] ?? NONE) : merged(lists), has: (row) => set.has(values[row] ?? ABSENT) },
  ];
};

const NONE = new Uint32Array();

const merged = (lists: readonly Selection[]): Selection => {
  const rows = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const list of lists) {
    rows.set(list, length);
    length += list.length;
  }
  return rows.sort();
};

const within = (table: DocumentTable, start: string | undefined, end: string | undefined): readonly Part[] => {
  if (start === undefined && end === undefined) return [];
  const { values } = column(table, 'date');
  // A document without a date is in no range, however wide: those come last.
  const from = start === undefined ? 0 : findRow(values, toDay(start));
  const to = end === undefined ? findRow(values, Number.POSITIVE_INFINITY) : findRow(values, toDay(end) + 1);
  return [{ rows: table.all.subarray(from, to), has: (row) => row >= from && row < to }];
};

/** The first row of that day or later: the order of the listing is by date, unknown ones last. */
const findRow = (days: Int32Array, day: number): number => {
  let [from, to] = [0, days.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const found = days[middle] ?? ABSENT;
    if (found === ABSENT || found >= day) to = middle;
    else from = middle + 1;
  }
  return from;
};

const column = (table: DocumentTable, name: string) => {
  const found = table.dimensions.get(name);
  if (found === undefined) throw new Error(`The documents have no ${name}.`);
  return found;
};

const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
