import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segment } from '../../../pipeline/2-segment/segment.js';
import { packagePath } from '../../../src/package-root.js';
import { loadPassages, type Score, scoreBoundaries } from './score.js';

const folder = packagePath('..', 'shared', 'eval', 'segmentation');
const isThere = existsSync(folder);

const score = (set: string): Score =>
  scoreBoundaries(loadPassages(join(folder, `${set}.jsonl`)), (text) =>
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
      const { f1, exact } = score(set);
      expect(f1).toBeGreaterThanOrEqual(floor.f1);
      expect(exact).toBeGreaterThanOrEqual(floor.exact);
    });
});
