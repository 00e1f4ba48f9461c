/** What holds for counting in every store. */
import { describe, expect, it } from 'vitest';
import { type AccountsRig, at, EMAIL, enterprise, grantsOf, times } from './accounts-rig.js';

export const describeQuotas = ({ open, openAccount, startProcess }: AccountsRig): void => {
  describe('quotas', () => {
    it('with 100 left and 400 at once, 100 are granted, each with its own place', async () => {
      const { takeAll, take, used } = await openAccount(enterprise(150));
      await takeAll(50);
      const grants = await takeAll(400);
      expect(grants.map(({ quota }) => quota.used).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, i) => 51 + i),
      );
      expect(grants.every(({ quota }) => quota.remaining === 150 - quota.used)).toBe(true);
      expect(await take()).toEqual({
        granted: false,
        which: 'month',
        limit: 150,
        windowSeconds: 30 * 86_400,
        used: 150,
        resetsAt: '2026-12-01T00:00:00Z',
        retryAfterSeconds: 10 * 86_400 + 43_200,
      });
      expect(await used()).toBe(150);
    });

    it('with 100 left and 400 at once from 4 processes, 100 are granted', async () => {
      const { key, takeAll, used } = await openAccount(enterprise(150), new Date());
      await takeAll(50);
      const processes = Array.from({ length: 4 }, () => startProcess(key, 'take', 100));
      const granted = await Promise.all(processes.map(async ({ ended }) => Number(await ended)));
      expect(granted.reduce((sum, count) => sum + count, 0)).toBe(100);
      expect(await used(new Date())).toBe(150);
    });

    it('processes that come and go while others of one process hold the store change nothing', async () => {
      const { key, takeAll, used } = await openAccount(enterprise(1000), new Date());
      const second = await open();
      expect(Number(await startProcess(key, 'take', 5).ended)).toBe(5);
      expect(await takeAll(1, new Date())).toHaveLength(1);
      await second.close();
      expect(Number(await startProcess(key, 'take', 5).ended)).toBe(5);
      expect(await used(new Date())).toBe(11);
    });

    it('kill -9 loses nothing that was acknowledged', async () => {
      const { key, used } = await openAccount(enterprise(1_000_000), new Date());
      let acknowledged = 0;
      const AT_ONCE = 8;
      const ROUNDS = 3;
      for (let round = 0; round < ROUNDS; round += 1) {
        const writer = startProcess(key, 'keep', AT_ONCE);
        await writer.says('.'.repeat(20 + round * 37));
        writer.child.kill('SIGKILL');
        acknowledged += (await writer.ended).length;
      }
      const counted = await used(new Date());
      expect(counted).toBeGreaterThanOrEqual(acknowledged);
      // What was under way when it was killed may be counted: all that were asked for at a time, and not yet told.
      expect(counted - acknowledged).toBeLessThanOrEqual(AT_ONCE * ROUNDS);
    });

    it('what is given back can be taken again; twice is once', async () => {
      const { accounts, take, takeAll, used } = await openAccount(enterprise(3));
      const [first] = await takeAll(3);
      if (first === undefined) throw new Error('Nothing was granted.');
      expect((await take()).granted).toBe(false);
      await Promise.all([accounts.giveBack(first), accounts.giveBack(first)]);
      await accounts.giveBack(first);
      expect(await used()).toBe(2);
      expect(await takeAll(5)).toHaveLength(1);
    });

    it('the month turns at 00:00 UTC on the first; what began before it is given back to it', async () => {
      const [before, after] = [at('2026-12-31T23:59:59.999Z'), at('2027-01-01T00:00:00Z')];
      const { accounts, account, take, takeAll, used } = await openAccount(enterprise(2), before);
      const [grant] = await takeAll(2, before);
      expect(grant?.quota).toMatchObject({ resetsAt: '2027-01-01T00:00:00Z', resetsInSeconds: 1 });
      expect(await take(before)).toMatchObject({ granted: false, retryAfterSeconds: 1, windowSeconds: 31 * 86_400 });
      expect(await take(after)).toMatchObject({ granted: true, quota: { used: 1, resetsAt: '2027-02-01T00:00:00Z' } });
      if (grant !== undefined) await accounts.giveBack(grant);
      expect([await used(before), await used(after)]).toEqual([1, 1]);
      expect((await accounts.usage(account, 2, after)).daily_usage).toEqual({ '2026-12-31': 1, '2027-01-01': 1 });
    });

    it('too many at once are refused for seconds, and not counted', async () => {
      const { take, takeAll, used } = await openAccount({ email: EMAIL, tier: 'pro' });
      const answers = await times(10_050, () => take());
      expect(grantsOf(answers)).toHaveLength(10_000);
      expect(answers.find(({ granted }) => !granted)).toMatchObject({
        which: 'burst',
        limit: 10_000,
        retryAfterSeconds: 1,
      });
      expect(await used()).toBe(10_000);
      expect(await takeAll(50, at('2026-11-20T12:00:01Z'))).toHaveLength(50);
    });
  });
};
