/** Numbers of pages that stand between two lines of a text, known by counting. */
import type { Line } from './lines.js';

/** As many in a row, each one more than the last, are no figures of a table. */
const IN_A_ROW = 3;
/** A page has text: lines between one number and the next. */
const MIN_LINES = 8;

/** For each line whether it is the number of a page. A figure alone on its line, such as the cell of a table, does not count on. */
export const findPageNumbers = (text: string, lines: readonly Line[]): Uint8Array => {
  const found = new Uint8Array(lines.length);
  let run: number[] = [];
  let last = Number.NaN;
  const close = (): void => {
    if (run.length >= IN_A_ROW) for (const index of run) found[index] = 1;
  };
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'number') continue;
    const digits = /\d+/.exec(text.slice(line.start, line.end))?.[0];
    if (digits === undefined) continue;
    const number = Number(digits);
    if (number === last + 1 && index - (run.at(-1) ?? index) > MIN_LINES) run.push(index);
    else if (index - (run.at(-1) ?? Number.NEGATIVE_INFINITY) > MIN_LINES || run.length < IN_A_ROW) {
      close();
      run = [index];
    } else continue;
    last = number;
  }
  close();
  return found;
};
