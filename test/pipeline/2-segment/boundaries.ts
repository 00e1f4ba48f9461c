/** Passages of real documents whose boundaries are kept here and whose text is not: it is read where it lies. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../../../src/package-root.js';
import type { Passage } from './score.js';

const FIXTURE = packagePath('test', 'pipeline', '2-segment', 'fixtures', 'boundaries.jsonl');

/** Where the public corpora lie, beside the project. */
export const CORPORA = packagePath('..', 'shared', 'corpora');

/**
 * `seen`: the rules have learned from these passages. `unseen`: cut, like the others by a language model, before any output was looked at, and scored once before
 * the rules learned from them too: F1 0.982, 92.2% of the passages without an error.
 */
type Half = 'seen' | 'unseen';

interface BoundaryRecord {
  readonly id: string;
  /** Path below the corpora. */
  readonly source: string;
  /** Of the passage in its source, in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
  readonly cat: string;
  readonly half: Half;
  /** Of the passage, so that another version of its source is noticed. */
  readonly sha256: string;
  /** Offsets in the passage at which a sentence ends and another follows. */
  readonly boundaries: readonly number[];
}

/** The passages of one half; empty where the corpora are not there. */
export const loadBoundaryPassages = (half: Half): Passage[] => {
  if (!existsSync(CORPORA)) return [];
  return readFileSync(FIXTURE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BoundaryRecord)
    .filter((record) => record.half === half)
    .map(toPassage);
};

const toPassage = ({ id, source, offset, length, cat, sha256, boundaries }: BoundaryRecord): Passage => {
  const text = readFileSync(join(CORPORA, source), 'utf8').slice(offset, offset + length);
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error(
      `${source} holds another text at ${offset} than the one whose boundaries are known (passage ${id}).`,
    );
  const cuts = [0, ...boundaries, length];
  const sentences = cuts.slice(1).map((end, index) => text.slice(cuts[index], end).trim());
  return { id, source, cat, text, sentences };
};
