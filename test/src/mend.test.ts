import { describe, expect, it } from 'vitest';
import { type Damage, howToMend } from '../../src/snapshot/mend.js';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string];
const served = (...moves: readonly (readonly [snapshot: string, by: 'publish' | 'rollback' | 'found'])[]) =>
  moves.map(([snapshot, by]) => ({ snapshot, by, at: '2026-01-01T00:00:00Z' }));
const mend = (damage: Partial<Damage>): string =>
  howToMend({ history: [], current: undefined, whole: [], rebuild: 'REBUILD', rollback: 'ROLLBACK', ...damage });

const PUBLISHED = served([A, 'publish'], [B, 'publish']);
const ROLLED_BACK = served([A, 'publish'], [B, 'publish'], [C, 'publish'], [B, 'rollback']);

describe('what mends what is served', () => {
  it('is a rebuild where what was published is damaged, or going back to what is whole', () => {
    expect(mend({ history: PUBLISHED, current: B, whole: [A] })).toBe(
      `REBUILD publishes ${B} again, or what has changed since; ROLLBACK --to ${A} points to a whole one`,
    );
    expect(mend({ history: PUBLISHED, current: B })).toBe(`REBUILD publishes ${B} again, or what has changed since`);
  });

  it('is no rebuild where what was rolled back to is damaged, but the whole one before it, or else what was rolled back from', () => {
    const never = 'no rebuild makes again what was rolled back to';
    expect(mend({ history: ROLLED_BACK, current: B, whole: [C, A] })).toBe(
      `ROLLBACK --to ${A} points to a whole one; ${never}`,
    );
    expect(mend({ history: ROLLED_BACK, current: B, whole: [C] })).toBe(
      `ROLLBACK --to ${C} points to a whole one, the one that was rolled back from; ${never}`,
    );
    expect(mend({ history: ROLLED_BACK, current: B })).toBe(
      'no kept snapshot is whole: REBUILD makes the newest one again, then ROLLBACK --to <snapshot> points to it',
    );
  });

  it('is a rebuild also where what was published was pointed to again after the pointer was lost', () => {
    const again = `REBUILD publishes ${B} again, or what has changed since; ROLLBACK --to ${A} points to a whole one`;
    const pointedAgain = served([A, 'publish'], [B, 'publish'], [B, 'rollback']);
    expect(mend({ history: pointedAgain, current: B, whole: [A] })).toBe(again);
    const twice = served([A, 'publish'], [B, 'publish'], [B, 'rollback'], [B, 'rollback']);
    expect(mend({ history: twice, current: B, whole: [A] })).toBe(again);
  });

  it('is no rebuild where what was rolled back to was pointed to again after the pointer was lost', () => {
    const history = served([A, 'publish'], [B, 'publish'], [C, 'publish'], [B, 'rollback'], [B, 'rollback']);
    expect(mend({ history, current: B, whole: [C, A] })).toBe(
      `ROLLBACK --to ${A} points to a whole one; no rebuild makes again what was rolled back to`,
    );
  });

  it('is pointing again to what was served last where the pointer is lost, and that is whole', () => {
    expect(mend({ history: PUBLISHED, whole: [B, A] })).toBe(`ROLLBACK --to ${B} points again to what was served last`);
    expect(mend({ history: ROLLED_BACK, whole: [C, B, A] })).toContain(`ROLLBACK --to ${B} points again`);
    expect(mend({ history: PUBLISHED, whole: [A] })).toBe(
      `REBUILD publishes again; ROLLBACK --to ${A} points to a whole one`,
    );
    expect(mend({ history: ROLLED_BACK, whole: [C] })).toMatch(`^ROLLBACK --to ${C} points to a whole one, `.slice(1));
  });
});
