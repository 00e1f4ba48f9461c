import type { Manifest } from '../../snapshot/manifest.js';
import type { DocumentTable } from '../document-table.js';
import type { MetricColumn } from '../metric-column.js';

/** A page of documents: which rows, and which metrics beside the columns that every row has. */
export interface Page {
  readonly table: DocumentTable;
  readonly rows: Uint32Array;
  readonly metrics: readonly MetricColumn[];
  /** Names and types of the columns before the metrics. */
  readonly columns: Manifest['tables'][string]['columns'];
}

/** Rows that are written at a time: what a slow reader makes us hold. */
export const ROWS_AT_ONCE = 250;

/** A row's columns before the metrics. */
export const headOf = ({ table: { heads } }: Page, row: number): Readonly<Record<string, string | number | null>> => {
  const text = heads.bytes.toString('utf8', heads.ends[row], heads.ends[row + 1]);
  return JSON.parse(`${text}}`) as Record<string, string | number | null>;
};
