import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segment } from '../../../pipeline/2-segment/segment.js';
import { packagePath } from '../../../src/package-root.js';
import { CORPORA, loadBoundaryPassages } from './boundaries.js';
import { loadPassages, type Passage, type Score, scoreBoundaries } from './score.js';

const folder = packagePath('..', 'shared', 'eval', 'segmentation');
const isThere = existsSync(folder);

const score = (passages: readonly Passage[]): Score =>
  scoreBoundaries(passages, (text) =>
    segment(text, { kind: 'detect' }).map(({ start, end }) => text.slice(start, end)),
  );

/** What has been reached, less a little room for a change that trades one passage for another. */
const FLOORS: Readonly<Record<string, { readonly f1: number; readonly exact: number }>> = {
  dev: { f1: 0.995, exact: 0.98 },
  golden48: { f1: 1, exact: 1 },
  golden_extra4: { f1: 1, exact: 1 },
};

describe(`boundaries of ${folder}${isThere ? '' : ' (not there: nothing is scored)'}`, () => {
  for (const [set, floor] of Object.entries(FLOORS))
    it.skipIf(!isThere)(`of ${set} are found as well as before`, () => {
      const { f1, exact } = score(loadPassages(join(folder, `${set}.jsonl`)));
      expect(f1).toBeGreaterThanOrEqual(floor.f1);
      expect(exact).toBeGreaterThanOrEqual(floor.exact);
    });
});

const PASSAGE_FLOORS = { seen: { f1: 0.99, exact: 0.96 }, unseen: { f1: 0.98, exact: 0.95 } } as const;

describe(`boundaries of passages of ${CORPORA}${existsSync(CORPORA) ? '' : ' (not there: nothing is scored)'}`, () => {
  for (const half of ['seen', 'unseen'] as const)
    it.skipIf(!existsSync(CORPORA))(`are found as well as before in the ${half} half`, () => {
      const { f1, exact } = score(loadBoundaryPassages(half));
      expect(f1).toBeGreaterThanOrEqual(PASSAGE_FLOORS[half].f1);
      expect(exact).toBeGreaterThanOrEqual(PASSAGE_FLOORS[half].exact);
    });
});
