import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../../../src/client/types.js';
import { columnsOf, sorted, toCsv } from '../../../../src/serve/explorer/columns.js';
import { decimal, metricName, signed, subjectName } from '../../../../src/serve/explorer/words.js';

const rows: readonly Document[] = [
  { document_id: '=1+1', year: 2020, date: '2020-01-01', bank_name: 'bank_of_japan', stance: 0, sentence_count: 3 },
  { document_id: 'b,"x"', year: 2020, date: null, bank_name: 'bank_of_japan', stance: null, sentence_count: 3 },
  { document_id: 'c', year: 2020, date: '2020-03-01', bank_name: 'bank_of_japan', stance: -1 / 3, sentence_count: 3 },
];
const columns = columnsOf('bank_name', ['stance'], 1, [], rows);

describe('the file', () => {
  it('has numbers in full, nothing for null, and no text that a spreadsheet runs', () => {
    const text = toCsv(rows, columns);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(parse(text)).toEqual([
      ['date', 'bank_name', 'stance', 'sentence_count', 'document_id'],
      ['2020-01-01', 'bank_of_japan', '0', '3', "'=1+1"],
      ['', 'bank_of_japan', '', '3', 'b,"x"'],
      ['2020-03-01', 'bank_of_japan', String(-1 / 3), '3', 'c'],
    ]);
  });

  it('of calls names the fiscal quarter, and the day only where one is known', () => {
    const call: Document = { document_id: 'X', year: 2020, quarter: 2, date: null, ticker: 'X', m: 1 };
    const ids = (row: Document): readonly string[] => columnsOf('ticker', ['m'], 1, [], [row]).map(({ id }) => id);
    expect(ids(call)).toEqual(['year', 'quarter', 'ticker', 'm', 'sentence_count', 'document_id']);
    expect(ids({ ...call, date: '2020-05-01' })).toContain('date');
  });
});

describe('the rows', () => {
  it('come in an order, what is missing last either way', () => {
    const order = (column: string, direction: 'ascending' | 'descending'): readonly string[] =>
      sorted(rows, columns, { column, direction }).map(({ document_id: id }) => id);
    expect(order('stance', 'ascending')).toEqual(['c', '=1+1', 'b,"x"']);
    expect(order('stance', 'descending')).toEqual(['=1+1', 'c', 'b,"x"']);
    expect(order('date', 'descending')).toEqual(['c', '=1+1', 'b,"x"']);
  });

  it('that are equal come in the order of time', () => {
    const calls = [1, 3, 2].map(
      (quarter): Document => ({ document_id: `Q${quarter}`, year: 2020, quarter, date: null }),
    );
    const years = columnsOf('ticker', [], 1, [], calls);
    const order = (direction: 'ascending' | 'descending'): readonly string[] =>
      sorted(calls, years, { column: 'year', direction }).map(({ document_id: id }) => id);
    expect(order('ascending')).toEqual(['Q1', 'Q2', 'Q3']);
    expect(order('descending')).toEqual(['Q3', 'Q2', 'Q1']);
  });
});

describe('numbers and names', () => {
  it('show a zero as zero and nothing else as zero', () => {
    expect([0, -0, 0.0004, -0.00004, 0.1234, -1].map((value) => decimal(value))).toEqual([
      '0.000',
      '0.000',
      '0.0004',
      '−0.00004',
      '0.123',
      '−1.000',
    ]);
    expect([0, 0.5, -0.5, 0.1 + 0.2 - 0.3].map((value) => signed(value))).toEqual([
      '0.000',
      '+0.500',
      '−0.500',
      '0.000',
    ]);
  });

  it('are those that people use', () => {
    expect(['bank_of_england', 'federal_reserve_system', 'czech_national_bank'].map(subjectName)).toEqual([
      'Bank of England',
      'Federal Reserve',
      'Czech National Bank',
    ]);
    expect(
      ['stance', 'ec_growth_metric', 'ec_growth_metric_given_labor', 'ec_in_claim_given_cyber'].map(metricName),
    ).toEqual(['Stance', 'Growth', 'Growth given labor', 'In claim given cyber']);
  });
});
