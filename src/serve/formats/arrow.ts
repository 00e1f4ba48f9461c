import { DateDay, Float64, Int32, Table, tableToIPC, Utf8, type Vector, vectorFromArray } from 'apache-arrow';
import { headOf, type Page } from './page.js';

/** An Arrow IPC stream of one record batch. */
export const toArrow = (page: Page): Buffer => {
  const heads = Array.from(page.rows, (row) => headOf(page, row));
  const vectors: Record<string, Vector> = {};
  for (const { name, type } of page.columns) {
    const values = heads.map((head) => head[name] ?? null);
    vectors[name] = toVector(type, values);
  }
  for (const { name, codes, numbers } of page.metrics) {
    const values = Array.from(page.rows, (row) => {
      const code = codes[row] ?? 0;
      return code === 0 ? null : (numbers[code] ?? null);
    });
    vectors[name] = vectorFromArray(values, new Float64());
  }
  return Buffer.from(tableToIPC(new Table(vectors), 'stream'));
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
