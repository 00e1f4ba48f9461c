/** The rows of a manifest's text, one at a time. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { messageOf } from '../../../src/errors.js';

/** A row as it stands, or why it is none. `place` is for messages: `row 3 (line 4)`, rows counted from 1 without the header. */
export type ManifestRow = { readonly place: string } & (
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly wrong: string }
);

/** Comma, semicolon or tab, whichever the header has most of. Column names are trimmed and in lower case. */
export const readCsvRows = async function* (text: string): AsyncGenerator<ManifestRow> {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (mark: string) => header.split(mark).length;
  const delimiter = [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const skipped: { readonly line: number; readonly wrong: string }[] = [];
  const parser = Readable.from([text]).pipe(
    parse({
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      bom: true,
      // A quote in the wrong place spoils its own cell, which is then refused, and no other row.
      relax_quotes: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        const line = typeof error?.lines === 'number' ? error.lines : 0;
        skipped.push({ line, wrong: `it cannot be read: ${messageOf(error)}` });
        return undefined;
      },
    }),
  );

  let columns: readonly string[] | undefined;
  let number = 0;
  const placeOf = (line: number): string => {
    number += 1;
    return `row ${number} (line ${line})`;
  };
  for await (const each of parser) {
    const { record, info } = each as { readonly record: readonly string[]; readonly info: { readonly lines: number } };
    // The parser reads ahead, so that faults further down may be known by now.
    while (skipped[0] !== undefined && skipped[0].line < info.lines) yield* toWrong(skipped.shift(), placeOf);
    if (columns === undefined) columns = record.map((column) => column.trim().toLowerCase());
    else yield toCsvRow(placeOf(info.lines), columns, record, delimiter);
  }
  for (const fault of skipped) yield* toWrong(fault, placeOf);
};

const toWrong = function* (
  fault: { readonly line: number; readonly wrong: string } | undefined,
  placeOf: (line: number) => string,
): Generator<ManifestRow> {
  if (fault !== undefined) yield { place: placeOf(fault.line), wrong: fault.wrong };
};

const toCsvRow = (
  place: string,
  columns: readonly string[],
  record: readonly string[],
  delimiter: string,
): ManifestRow =>
  record.length > columns.length
    ? {
        place,
        wrong: `it has ${record.length} cells and the header ${columns.length}; quote a cell that holds ${delimiter}`,
      }
    : { place, fields: Object.fromEntries(columns.map((column, index) => [column, record[index] ?? ''])) };

/** One JSON object a line; empty lines are skipped. */
export const readJsonRows = function* (text: string): Generator<ManifestRow> {
  let line = 0;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const raw = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    line += 1;
    if (raw === '') continue;
    number += 1;
    yield { place: `row ${number} (line ${line})`, ...readJsonRow(raw) };
  }
};

const readJsonRow = (
  raw: string,
): { readonly fields: Readonly<Record<string, unknown>> } | { readonly wrong: string } => {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { fields: { ...value } };
    return { wrong: 'it is no JSON object' };
  } catch {
    // What the parser says quotes the row, which may hold a password, and changes with Node's version.
    return { wrong: 'it is no JSON' };
  }
};
