/** Boundary scoring: a boundary is the number of characters before it that are neither white nor marks nor rule lines. */
import { readFileSync } from 'node:fs';

export interface Passage {
  readonly id: string;
  readonly text: string;
  readonly sentences: readonly string[];
  readonly cat?: string;
  readonly track?: string;
  readonly source?: string;
}

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of passages without a wrong boundary. */
  readonly exact: number;
  readonly passages: number;
}

export const loadPassages = (path: string): Passage[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Passage);

export const scoreBoundaries = (passages: readonly Passage[], segment: (text: string) => string[]): Score => {
  let hits = 0;
  let surplus = 0;
  let missed = 0;
  let exact = 0;
  for (const passage of passages) {
    const wanted = boundariesOf(passage.text, passage.sentences);
    const found = boundariesOf(passage.text, segment(passage.text));
    const shared = [...found].filter((boundary) => wanted.has(boundary)).length;
    hits += shared;
    surplus += found.size - shared;
    missed += wanted.size - shared;
    if (shared === found.size && shared === wanted.size) exact++;
  }
  const precision = hits + surplus === 0 ? 1 : hits / (hits + surplus);
  const recall = hits + missed === 0 ? 1 : hits / (hits + missed);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, exact: exact / passages.length, passages: passages.length };
};

export const wrongPassages = (
  passages: readonly Passage[],
  segment: (text: string) => string[],
): { passage: Passage; sentences: string[] }[] =>
  passages
    .map((passage) => ({ passage, sentences: segment(passage.text) }))
    .filter(({ passage, sentences }) => {
      const wanted = boundariesOf(passage.text, passage.sentences);
      const found = boundariesOf(passage.text, sentences);
      return wanted.size !== found.size || [...wanted].some((boundary) => !found.has(boundary));
    });

const RULE_LINE = /^[ \t\u00a0]*[-_.*=|:~ ]{3,}[ \t\u00a0]*$/gm;
const DROPPED = /[\s\u200b\ufeff]/u;

/** The boundaries of sentences whose characters follow each other in the text, with nothing between but white space. */
const boundariesOf = (text: string, sentences: readonly string[]): Set<number> => {
  const dropped = new Uint8Array(text.length);
  for (const match of text.matchAll(RULE_LINE)) dropped.fill(1, match.index, match.index + match[0].length);
  const characters: string[] = [];
  const counts = [0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (DROPPED.test(character)) continue;
    characters.push(character);
    counts.push((counts.at(-1) ?? 0) + (dropped[at] === 1 || '*_#'.includes(character) ? 0 : 1));
  }
  const stream = characters.join('');
  const boundaries = new Set<number>();
  let position = 0;
  for (const sentence of sentences) {
    const wanted = [...sentence].filter((character) => !DROPPED.test(character)).join('');
    if (wanted === '') continue;
    const found = stream.startsWith(wanted, position) ? position : stream.indexOf(wanted, position);
    position = (found < 0 ? position : found) + wanted.length;
    boundaries.add(counts[Math.min(position, stream.length)] ?? 0);
  }
  boundaries.delete(0);
  boundaries.delete(counts.at(-1) ?? 0);
  return boundaries;
};
