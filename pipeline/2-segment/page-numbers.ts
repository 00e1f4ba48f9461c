/** Numbers of pages that stand between two lines of a text, alone or in a footer, known by counting. */
import type { Line } from './lines.js';
import { isFurniture } from './page-furniture.js';

/** As many in a row, each one more than the last, are no figures of a table. */
const IN_A_ROW = 3;
/** A page has text: lines between one number and the next. */
const MIN_LINES = 8;

/** 1 for each line that numbers a page. A figure alone on its line, such as the cell of a table, does not count on. */
export const findPageNumbers = (text: string, lines: readonly Line[]): Uint8Array => {
  const found = new Uint8Array(lines.length);
  const counts = new Map<string, Count>();
  const close = ({ run }: Count): void => {
    if (run.length >= IN_A_ROW) for (const index of run) found[index] = 1;
  };
  for (const [index, line] of lines.entries()) {
    const numbered = readNumbered(text, line);
    if (numbered === undefined) continue;
    const count = counts.get(numbered.footer) ?? { run: [], last: Number.NaN };
    counts.set(numbered.footer, count);
    const before = count.run.at(-1);
    if (numbered.number === count.last + 1 && index - (before ?? index) > MIN_LINES) count.run.push(index);
    else if (before === undefined || index - before > MIN_LINES || count.run.length < IN_A_ROW) {
      close(count);
      count.run = [index];
    } else continue;
    count.last = numbered.number;
  }
  for (const count of counts.values()) close(count);
  return found;
};

interface Count {
  run: number[];
  last: number;
}

/** `3`, `Page 3 of 8`, `Page | 3`, `Northwind | 3`, `3 | Northwind`: the number, and what it stands in. */
const readNumbered = (text: string, line: Line): { number: number; footer: string } | undefined => {
  const isAlone = line.kind === 'number';
  if (!isAlone && (line.kind !== 'text' || line.end - line.start > LONGEST_FOOTER)) return undefined;
  const slice = text.slice(line.start, line.end);
  const found = isAlone ? /\d+/.exec(slice) : FOOTER.exec(slice);
  const digits = found?.find((group, place) => group !== undefined && (place > 0 || isAlone));
  if (found === null || digits === undefined || YEAR.test(digits)) return undefined;
  if (isAlone) return { number: Number(digits), footer: '' };
  if (!FOOTER_PART.test(slice) && !isFurniture(text, line)) return undefined;
  return { number: Number(digits), footer: slice.replace(digits, '#') };
};

/** Years count on too, above what is said of each. */
const YEAR = /^(?:19|20)\d\d$/;
const LONGEST_FOOTER = 120;
/** A number at the end or at the beginning of a line. */
const FOOTER = /^(\d{1,4})\s.*\D$|^\D.*[\s|](\d{1,4})$/;
/** Beside a number, what no sentence and no heading has. */
const FOOTER_PART = /\||\b[Pp]age\b/;
