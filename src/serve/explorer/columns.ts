/** The documents on the charts as rows and columns: what the table shows and the CSV file holds. */
import type { Document } from '../../client/types.js';
import { csvCell } from './csv-cell.js';
import { dayText } from './days.js';
import { numberOf, placeOf, type Series } from './series.js';
import { metricName, subjectName } from './words.js';

export type Cell = string | number | null;

export interface Column {
  /** As the file names it. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'text' | 'count' | 'number';
  readonly of: (document: Document) => Cell;
  /** As the page shows it, where that is not the value. */
  readonly shown?: (value: string | number) => string;
}

export interface Order {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** Rows in an order, those that are equal by time; what is null comes last either way. */
export const sorted = (
  documents: readonly Document[],
  columns: readonly Column[],
  { column, direction }: Order,
): readonly Document[] => {
  const of = columns.find(({ id }) => id === column)?.of ?? (() => null);
  const sign = direction === 'ascending' ? 1 : -1;
  return [...documents].sort((a, b) => {
    const [left, right] = [of(a), of(b)];
    if (left === right) {
      const [earlier, later] = [placeOf(a) ?? 0, placeOf(b) ?? 0];
      return (earlier - later) * sign || (a.document_id < b.document_id ? -1 : 1);
    }
    if (left === null || right === null) return left === null ? 1 : -1;
    return (left < right ? -1 : 1) * sign;
  });
};

/** RFC 4180 with a header, CRLF after every record; numbers in full, null as nothing. */
export const toCsv = (documents: readonly Document[], columns: readonly Column[]): string =>
  [columns.map(({ id }) => csvCell(id)), ...documents.map((row) => columns.map(({ of }) => csvCell(of(row))))]
    .map((record) => `${record.join(',')}\r\n`)
    .join('');

/**
 * The columns of a view. A call is named by its fiscal quarter first, because its day may not be known.
 *
 * @param by the column of the bank or ticker
 * @param smooth over how many documents the means are; 1 where there are none
 * @param series what is on the charts, for its means
 * @param documents the rows: where no call has a day, there is no column of days
 */
export const columnsOf = (
  by: string,
  metrics: readonly string[],
  smooth: number,
  series: readonly Series[],
  documents: readonly Document[],
): readonly Column[] => {
  const isDated = documents.some(({ date }) => date !== null);
  const means = new Map(
    series.flatMap(({ metric, points }) =>
      points.map(({ document, line }) => [`${metric} ${document.document_id}`, line] as const),
    ),
  );
  const plain = (id: string, title: string, kind: Column['kind'], shown?: Column['shown']): Column => ({
    id,
    title,
    kind,
    of: (row) => row[id] ?? null,
    ...(shown === undefined ? {} : { shown }),
  });
  const when: readonly Column[] =
    by === 'ticker'
      ? [
          plain('year', 'Fiscal year', 'text'),
          plain('quarter', 'Quarter', 'text', (value) => `Q${value}`),
          ...(isDated ? [plain('date', 'Date of call', 'text', (value) => dayText(String(value)))] : []),
        ]
      : [plain('date', 'Date', 'text', (value) => dayText(String(value)))];
  return [
    ...when,
    plain(
      by,
      by === 'ticker' ? 'Ticker' : 'Bank',
      'text',
      by === 'ticker' ? undefined : (value) => subjectName(String(value)),
    ),
    ...metrics.flatMap((metric): readonly Column[] => [
      { id: metric, title: metricName(metric), kind: 'number', of: (row) => numberOf(row, metric) },
      ...(smooth === 1
        ? []
        : [
            {
              id: `${metric}_mean_${smooth}`,
              title: `Mean of ${smooth}`,
              kind: 'number' as const,
              of: (row: Document) => means.get(`${metric} ${row.document_id}`) ?? null,
            },
          ]),
    ]),
    plain('sentence_count', 'Sentences', 'count'),
    plain('document_id', 'Document', 'text'),
  ];
};
