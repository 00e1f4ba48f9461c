/** Accounts in any store against a plain model of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../src/accounts/accounts.js';
import { type AccountsRig, at, enterprise, grantsOf, NOON, times } from './accounts-rig.js';

export const describeModel = ({ open }: AccountsRig): void => {
  describe('against a plain model', () => {
    const HOUR_MS = 3_600_000;
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ does: fc.constant('take' as const), count: fc.integer({ min: 1, max: 6 }) }),
      },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('give back' as const), which: fc.nat(50) }) },
      {
        weight: 2,
        arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 900 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ does: fc.constant('read' as const), days: fc.integer({ min: 1, max: 365 }) }),
      },
    );

    it('any order of requests, returns and days counts as by hand', async () => {
      const accounts = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 12 }), async (steps, limit) => {
          let now = at('2027-12-30T22:00:00Z');
          const { key } = await accounts.create(enterprise(limit), now);
          const account = await accounts.findByKey(key, now);
          if (account === undefined) throw new Error('A key just made is not found.');
          const counted: { grant: Grant; day: string }[] = [];
          const inMonth = (): number =>
            counted.filter(({ day }) => day.startsWith(now.toISOString().slice(0, 7))).length;

          for (const one of [...steps, { does: 'read' as const, days: 365 }]) {
            if (one.does === 'wait') now = new Date(now.getTime() + one.hours * HOUR_MS);
            else if (one.does === 'take') {
              const room = limit - inMonth();
              const grants = grantsOf(await times(one.count, () => accounts.take(account, now)));
              expect(grants).toHaveLength(Math.min(one.count, room));
              counted.push(...grants.map((grant) => ({ grant, day: now.toISOString().slice(0, 10) })));
            } else if (one.does === 'give back') {
              const [gone] = counted.splice(one.which % Math.max(1, counted.length), 1);
              if (gone !== undefined) await accounts.giveBack(gone.grant);
            } else {
              const record = await accounts.usage(account, one.days, now);
              expect(record.quota.used).toBe(inMonth());
              expect(record.lifetime.total_requests).toBe(counted.length);
              for (const [date, requests] of Object.entries(record.daily_usage)) {
                expect(requests).toBe(counted.filter(({ day }) => day === date).length);
              }
            }
          }
        }),
        { numRuns: 25 },
      );
    });

    it('requests and returns at the same time, by two openers, never pass the limit and end in their difference', async () => {
      const [one, other] = [await open(), await open()];
      const plan = fc.record({
        limit: fc.integer({ min: 1, max: 40 }),
        first: fc.nat(60),
        second: fc.nat(60),
        returns: fc.nat(40),
      });
      await fc.assert(
        fc.asyncProperty(plan, async ({ limit, first, second, returns }) => {
          const { key } = await one.create(enterprise(limit), NOON);
          const account = await one.findByKey(key, NOON);
          if (account === undefined) throw new Error('A key just made is not found.');
          const held = grantsOf(await times(first, () => one.take(account, NOON)));
          expect(held).toHaveLength(Math.min(first, limit));
          const given = held.slice(0, returns);
          const [taken] = await Promise.all([
            Promise.all(Array.from({ length: second }, (_, i) => (i % 2 === 0 ? one : other).take(account, NOON))),
            Promise.all(given.map((grant) => other.giveBack(grant))),
          ]);
          const more = grantsOf(taken);
          expect(more.length).toBeGreaterThanOrEqual(Math.min(second, limit - held.length));
          expect(more.length).toBeLessThanOrEqual(Math.min(second, limit - held.length + given.length));
          expect((await one.usage(account, 1, NOON)).quota.used).toBe(held.length - given.length + more.length);
        }),
        { numRuns: 25 },
      );
    });
  });
};
