/**
 * Lines to blocks. A block is a stretch of text in which a line break means no more than a space: a paragraph that was
 * wrapped, or a heading, list item, table row, roster line or page number on its own.
 */
import { runsOn } from './joints.js';
import type { Line } from './lines.js';
import { findPageEdges } from './page-edges.js';
import { findRunningLines, RUNNING } from './running-lines.js';
import type { Rule } from './sentence-text.js';
import { measureWrap } from './wrap.js';

/** Only `text` has sentences inside. `edge`: what a page prints around its text; `speaker`: a line that only names one. */
export type BlockKind = 'text' | 'row' | 'number' | 'speaker' | 'edge';

export interface Block {
  readonly start: number;
  readonly end: number;
  readonly kind: BlockKind;
  /** Rule lines inside, to be left out. */
  readonly rules: readonly Rule[];
}

/** Joins lines to blocks. Rule lines are left out, and the edges of pages within a sentence; a sentence goes on across them. */
export const toBlocks = (text: string, lines: readonly Line[]): Block[] => {
  const blocks: Block[] = [];
  const wrap = measureWrap(text, lines);
  const running = findRunningLines(text, lines);
  const edges = findPageEdges(text, lines);
  let opening: Line | undefined;
  let previous: Line | undefined;
  let previousIndex = -1;
  let gap = 0;
  let rules: Rule[] = [];
  let rulesSince: Rule[] = [];
  const close = (): void => {
    if (opening === undefined || previous === undefined) return;
    const kind = edges[previousIndex] === 1 ? 'edge' : kindOf(opening);
    blocks.push({ start: opening.start, end: previous.end, kind, rules });
    rules = [];
  };
  /** Where the sentence that stands open at the first line of a page's edge goes on behind it; that line itself if it does not. */
  const behindPageEnd = (index: number): number => {
    if (opening === undefined || (previous?.kind !== 'text' && previous?.kind !== 'turn')) return index;
    let behind = index;
    while (edges[behind] === 1 || lines[behind]?.kind === 'rule') behind++;
    const next = lines[behind];
    if (next?.kind !== 'text' || !(next.opens === 'lower' || isUnfinished(previous))) return index;
    const goesOn =
      rules.length + rulesSince.length + behind - index <= MOST_RULES &&
      mayFollow(running[previousIndex], running[behind]) &&
      runsOn({ text, opening, previous, next, gap: 0, wrap: wrap(behind) });
    return goesOn ? behind : index;
  };
  let resumes = -1;
  for (const [index, next] of lines.entries()) {
    gap += next.gap;
    if (next.kind === 'rule') {
      gap++;
      rulesSince.push(next);
      continue;
    }
    if (edges[index] === 1 && edges[previousIndex] !== 1 && index >= resumes) resumes = behindPageEnd(index);
    if (index < resumes) {
      rulesSince.push({ start: next.start, end: next.end, isEdge: true });
      continue;
    }
    // Blank lines around the end of a page say nothing.
    if (index === resumes) gap = 0;
    const goesOn =
      opening !== undefined &&
      previous !== undefined &&
      rules.length + rulesSince.length <= MOST_RULES &&
      edges[previousIndex] === edges[index] &&
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

/** Lines left out of a paragraph: across more rule lines than this it is none, and it goes on over the ends of a few pages. */
const MOST_RULES = 64;

/** A running header neither goes on in the text around it nor is gone on with; lines that are repeated together go together. */
const mayFollow = (previous: number | undefined, next: number | undefined): boolean =>
  previous === RUNNING ? next !== 0 : previous !== 0 || next !== RUNNING;

const isUnfinished = ({ closes }: Line): boolean => closes === 'word' || closes === 'open' || closes === 'hyphen';

const kindOf = ({ kind }: Line): BlockKind =>
  kind === 'row' || kind === 'number' || kind === 'speaker' ? kind : 'text';
