/** What holds for the usage record in every store. */
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/accounts/accounts.js';
import { type AccountsRig, at, EMAIL, enterprise, NOON } from './accounts-rig.js';

export const describeUsage = ({ openAccount }: AccountsRig): void => {
  describe('usage', () => {
    it('is the record of the interface, zero days included, also when the quota is spent', async () => {
      const { accounts, account, takeAll } = await openAccount(
        { ...enterprise(9), org: 'Bank' },
        at('2026-11-18T08:30:00Z'),
      );
      await takeAll(2, at('2026-11-18T23:59:59Z'));
      await takeAll(20, at('2026-11-20T00:00:00Z'));
      expect(await accounts.usage(account, 4, NOON)).toEqual({
        email: EMAIL,
        tier: 'enterprise',
        org: 'Bank',
        quota: {
          monthly_limit: 9,
          used: 9,
          remaining: 0,
          usage_percent: 100,
          resets_at: '2026-12-01T00:00:00Z',
          period: '2026-11',
        },
        daily_usage: { '2026-11-17': 0, '2026-11-18': 2, '2026-11-19': 0, '2026-11-20': 7 },
        period_days: 4,
        total_requests_period: 9,
        lifetime: { total_requests: 9, member_since: '2026-11-18T08:30:00Z' },
      });
    });

    it('of an account that asked for nothing is nothing', async () => {
      const { accounts, account } = await openAccount();
      const record = await accounts.usage(account, 1, NOON);
      expect(record).toMatchObject({ daily_usage: { '2026-11-20': 0 }, total_requests_period: 0 });
      expect(record.quota).toMatchObject({ used: 0, remaining: 1000, usage_percent: 0 });
      expect(record.lifetime.total_requests).toBe(0);
    });

    it('covers 1 to 365 days, oldest first, leap days too', async () => {
      const { accounts, account, takeAll } = await openAccount(enterprise(50), at('2027-01-01T00:00:00Z'));
      const today = at('2028-03-01T10:00:00Z');
      await takeAll(1, at('2027-03-02T00:00:00Z'));
      await takeAll(2, at('2027-03-03T00:00:00Z'));
      await takeAll(3, at('2028-02-29T12:00:00Z'));
      for (const days of [1, 2, 30, 365]) {
        const { daily_usage, period_days, total_requests_period, lifetime } = await accounts.usage(
          account,
          days,
          today,
        );
        const dates = Object.keys(daily_usage);
        expect(dates).toHaveLength(days);
        expect([...dates].sort()).toEqual(dates);
        expect(dates.at(-1)).toBe('2028-03-01');
        expect(period_days).toBe(days);
        expect(total_requests_period).toBe({ 1: 0, 2: 3, 30: 3, 365: 5 }[days]);
        expect(lifetime.total_requests).toBe(6);
      }
      expect((await accounts.usage(account, 2, today)).daily_usage).toEqual({ '2028-02-29': 3, '2028-03-01': 0 });
      for (const days of [0, 366, 1.5, -1, Number.NaN]) {
        await expect(accounts.usage(account, days, today)).rejects.toThrow(RangeError);
      }
    });

    it('has a percentage of two decimals and never less than nothing left', async () => {
      const { accounts, account, takeAll } = await openAccount(enterprise(700));
      await takeAll(5);
      expect((await accounts.usage(account, 1, NOON)).quota.usage_percent).toBe(0.71);
      const lowered: Account = { ...account, monthlyLimit: 3 };
      expect((await accounts.usage(lowered, 1, NOON)).quota).toMatchObject({
        used: 5,
        remaining: 0,
        usage_percent: 166.67,
      });
      expect(await accounts.take(lowered, NOON)).toMatchObject({ granted: false, used: 5, limit: 3 });
    });
  });
};
