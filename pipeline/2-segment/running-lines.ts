/** Running headers and footers, known by their repetition. */
import { isDigit, isWhite } from './characters.js';
import type { Line } from './lines.js';

const SHORTEST = 8;
const LONGEST = 120;
const REPEATS = 3;

/** The line occurs at least three times, page numbers at its ends aside, and begins like a header. */
export const RUNNING = 1;
/** It occurs as often, but may be part of a sentence by chance. */
const REPEATED = 2;

/** `RUNNING`, `REPEATED` or 0 for each line. */
export const findRunningLines = (text: string, lines: readonly Line[]): Uint8Array => {
  const running = new Uint8Array(lines.length);
  const seen = new Map<string, number>();
  for (const pass of [1, 2]) {
    for (const [index, line] of lines.entries()) {
      if (!isCandidate(line)) continue;
      const key = withoutNumbers(text, line);
      if (pass === 1) seen.set(key, (seen.get(key) ?? 0) + 1);
      else if (key.length >= SHORTEST && (seen.get(key) ?? 0) >= REPEATS)
        running[index] = line.opens === 'lower' ? REPEATED : RUNNING;
    }
  }
  return running;
};

const isCandidate = (line: Line): boolean => {
  const length = line.end - line.start;
  return length >= SHORTEST && length <= LONGEST && line.kind === 'text';
};

const withoutNumbers = (text: string, line: Line): string => {
  let start = line.start;
  let end = line.end;
  while (start < end && isNumberUnit(text.charCodeAt(start))) start++;
  while (end > start && isNumberUnit(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
};

const isNumberUnit = (unit: number): boolean => isDigit(unit) || isWhite(unit);
