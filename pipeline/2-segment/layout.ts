/**
 * Lines to blocks. A block is a stretch of text in which a line break means no more than a space: a paragraph that was
 * wrapped, or a heading, list item, table row, roster line or page number on its own.
 */
import { runsOn } from './joints.js';
import type { Line } from './lines.js';
import { findPageNumbers } from './page-numbers.js';
import { findRunningLines, RUNNING } from './running-lines.js';
import type { Rule } from './sentence-text.js';
import { measureWrap } from './wrap.js';

export interface Block {
  readonly start: number;
  readonly end: number;
  /** A row, speaker line or page number has no sentences inside. */
  readonly kind: 'text' | 'single';
  /** Rule lines inside, to be left out. */
  readonly rules: readonly Rule[];
}

/** Joins lines to blocks. Rule lines are left out, and page numbers within a sentence; a sentence goes on across them. */
export const toBlocks = (text: string, lines: readonly Line[]): Block[] => {
  const blocks: Block[] = [];
  const wrap = measureWrap(text, lines);
  const running = findRunningLines(text, lines);
  const pageNumbers = findPageNumbers(text, lines);
  let opening: Line | undefined;
  let previous: Line | undefined;
  let previousIndex = -1;
  let gap = 0;
  let rules: Rule[] = [];
  let rulesSince: Rule[] = [];
  const close = (): void => {
    if (opening === undefined || previous === undefined) return;
    blocks.push({ start: opening.start, end: previous.end, kind: isSingle(opening) ? 'single' : 'text', rules });
    rules = [];
  };
  for (const [index, next] of lines.entries()) {
    gap += next.gap;
    if (next.kind === 'rule') {
      gap++;
      rulesSince.push(next);
      continue;
    }
    if (pageNumbers[index] === 1 && opening !== undefined && (previous?.kind === 'text' || previous?.kind === 'turn')) {
      const behind = lines[index + 1];
      const isWithin =
        behind?.kind === 'text' &&
        behind.opens === 'lower' &&
        mayFollow(running[previousIndex], running[index + 1]) &&
        runsOn({ text, opening, previous, next: behind, gap: 0, wrap: wrap(index + 1) });
      if (isWithin) {
        rulesSince.push(next);
        // Blank lines around the end of a page say nothing.
        gap = -behind.gap;
        continue;
      }
    }
    const goesOn =
      opening !== undefined &&
      previous !== undefined &&
      rules.length + rulesSince.length <= MOST_RULES &&
      mayFollow(running[previousIndex], running[index]) &&
      runsOn({ text, opening, previous, next, gap, wrap: wrap(index) });
    if (!goesOn) {
      close();
      opening = next;
    } else rules.push(...rulesSince);
    if (rulesSince.length > 0) rulesSince = [];
    previous = next;
    previousIndex = index;
    gap = 0;
  }
  close();
  return blocks;
};

/** A sentence across more rule lines than this is none. */
const MOST_RULES = 16;

/** A running header neither goes on in the text around it nor is gone on with; lines that are repeated together go together. */
const mayFollow = (previous: number | undefined, next: number | undefined): boolean =>
  previous === RUNNING ? next !== 0 : previous !== 0 || next !== RUNNING;

const isSingle = (line: Line): boolean => line.kind === 'row' || line.kind === 'number' || line.kind === 'speaker';
