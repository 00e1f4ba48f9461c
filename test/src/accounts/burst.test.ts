import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBursts } from '../../../src/accounts/burst.js';
import { TIER_NAMES, TIERS } from '../../../src/accounts/tiers.js';

const START = Date.parse('2026-11-20T12:00:00Z');
const later = (ms: number): Date => new Date(START + ms);

describe('the burst limit', () => {
  it.each(TIER_NAMES)('of %s is full again within 7 seconds, and never told to wait longer', (tier) => {
    const limit = TIERS[tier].burst;
    const bursts = openBursts();
    for (let taken = 0; taken < limit.atOnce; taken += 1) expect(bursts.take('k', limit, later(0))).toBeUndefined();
    expect(bursts.take('k', limit, later(0))).toMatchObject({
      granted: false,
      which: 'burst',
      limit: limit.atOnce,
      retryAfterSeconds: 1,
      resetsAt: '2026-11-20T12:00:01Z',
    });
    expect(limit.atOnce / limit.perSecond).toBeLessThanOrEqual(7);
    for (let taken = 0; taken < limit.atOnce; taken += 1) expect(bursts.take('k', limit, later(7000))).toBeUndefined();
  });

  it('lets everyone through who was refused and waits 1, 2 and 4 seconds, as the documented clients do', () => {
    const limit = TIERS.free.burst;
    const bursts = openBursts();
    let waiting = limit.atOnce * 2;
    for (const wait of [0, 1000, 3000, 7000]) {
      let refused = 0;
      for (let request = 0; request < waiting; request += 1) {
        if (bursts.take('k', limit, later(wait)) !== undefined) refused += 1;
      }
      waiting = refused;
    }
    expect(waiting).toBe(0);
  });

  it('never grants more than the bucket and what came back to it, whatever the clock does', () => {
    const limit = { atOnce: 5, perSecond: 2 };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 1500 }), { maxLength: 60 }), (steps) => {
        const bursts = openBursts();
        let at = 0;
        let forward = 0;
        let granted = 0;
        for (const step of steps) {
          at += step;
          forward += Math.max(0, step);
          if (bursts.take('k', limit, later(at)) === undefined) granted += 1;
          expect(granted).toBeLessThanOrEqual(limit.atOnce + (forward / 1000) * limit.perSecond + 1e-9);
        }
      }),
    );
  });

  it('waits as long as it says, no longer', () => {
    const bursts = openBursts();
    const slow = { atOnce: 1, perSecond: 0.25 };
    bursts.take('k', slow, later(0));
    expect(bursts.take('k', slow, later(1000))?.retryAfterSeconds).toBe(3);
    expect(bursts.take('k', slow, later(4000))).toBeUndefined();
  });

  it('of one key is not that of another, and full buckets are forgotten', () => {
    const bursts = openBursts();
    const limit = { atOnce: 1, perSecond: 1 };
    for (let key = 0; key < 25_000; key += 1) expect(bursts.take(`k${key}`, limit, later(key))).toBeUndefined();
    expect(bursts.take('k24999', limit, later(25_000))).toBeDefined();
    expect(bursts.take('k0', limit, later(25_000))).toBeUndefined();
    expect(bursts.size()).toBeLessThanOrEqual(10_001);
  });
});
