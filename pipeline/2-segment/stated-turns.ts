/** Turns that the file format stated, as speaker lines: with the line above each that names its speaker. */
import type { Turn } from '../document.js';
import type { Line } from './lines.js';
import { roleOfTitle } from './roles.js';
import type { SpeakerLine } from './speakers.js';

export interface StatedTurn extends SpeakerLine {
  readonly turn: Turn;
  /** Index of the line that only names the speaker, -1 where there is none. */
  readonly named: number;
}

const LONGEST_NAME_LINE = 240;

/** In order of their starts. The line before a turn that belongs to no turn names its speaker. */
export const readStatedTurns = (text: string, lines: readonly Line[], turns: readonly Turn[]): StatedTurn[] => {
  const stated: StatedTurn[] = [];
  let index = 0;
  let previousEnd = 0;
  for (const turn of [...turns].sort((a, b) => a.start - b.start)) {
    while (index < lines.length && (lines[index]?.end ?? 0) <= turn.start) index++;
    const above = lines[index - 1];
    const isName =
      above !== undefined &&
      above.start >= previousEnd &&
      above.end - above.start <= LONGEST_NAME_LINE &&
      above.end <= turn.start;
    const heading = isName ? text.slice(above.start, above.end) : '';
    const name = turn.speaker ?? '';
    const title = heading.startsWith(name) ? heading.slice(name.length).replace(/^[\s,–—-]+/, '') : '';
    stated.push({
      turn,
      named: isName ? index - 1 : -1,
      line: index,
      start: isName ? above.start : turn.start,
      shape: 'colon',
      proof: 'strong',
      name,
      title,
      role: turn.role ?? (title === '' ? undefined : roleOfTitle(title)),
    });
    previousEnd = turn.end;
  }
  return stated;
};
