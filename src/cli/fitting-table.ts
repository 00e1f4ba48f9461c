/** A table for people that is no wider than their terminal. */
import Table from 'cli-table3';

export interface FittingTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns that may be left out, in this order; `--json` has them all. */
  readonly dispensable: readonly string[];
  /** Of the terminal; undefined where there is none, and lines may have any length. */
  readonly columns: number | undefined;
}

export const fittingTable = ({ head, rows, dispensable, columns }: FittingTable): string => {
  const without = (gone: readonly string[]) => {
    const kept = (cells: readonly string[]): string[] => cells.filter((_, at) => !gone.includes(head[at] ?? ''));
    const table = new Table({ head: kept(head), style: { head: [], border: [], compact: true } });
    table.push(...rows.map(kept));
    return table;
  };
  const fits = (gone: readonly string[]): boolean => columns === undefined || without(gone).width <= columns;
  const gone = dispensable.map((_, at) => dispensable.slice(0, at)).find(fits) ?? dispensable;
  const said = gone.length === 0 ? '' : `Not shown, for the terminal is narrow: ${gone.join(', ')}; --json has all.\n`;
  return `${without(gone).toString()}\n${said}`;
};
