/** What holds for accounts in every store: run by `embedded.test.ts` and `postgres.test.ts`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account, Accounts, Grant, NewAccount, Refusal } from '../../../src/accounts/accounts.js';
import { AccountsUnavailable } from '../../../src/accounts/accounts.js';
import { makeKey } from '../../../src/accounts/keys.js';
import { openAccounts } from '../../../src/accounts/open.js';
import { UsageError } from '../../../src/errors.js';
import { entryPoint, packagePath } from '../../../src/package-root.js';

const at = (text: string): Date => new Date(text);
const NOON = at('2026-11-20T12:00:00Z');
const EMAIL = 'name@example.org';
const enterprise = (monthlyLimit: number): NewAccount => ({ email: EMAIL, tier: 'enterprise', monthlyLimit });

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
const isGrant = (answer: Grant | Refusal): answer is Grant => answer.granted;
const grantsOf = (answers: readonly (Grant | Refusal)[]): Grant[] => answers.filter(isGrant);

/** @param createAddress makes an empty store */
export const describeAccounts = (createAddress: () => Promise<string>): void => {
  const opened: Accounts[] = [];
  const children: ChildProcess[] = [];
  let shared: string;

  beforeAll(async () => {
    shared = await createAddress();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const accounts of opened.splice(0)) await accounts.close();
  });

  const open = async (address = shared): Promise<Accounts> => {
    const accounts = await openAccounts(address);
    opened.push(accounts);
    return accounts;
  };

  const openAccount = async (wanted: NewAccount = enterprise(1000), now = NOON) => {
    const accounts = await open();
    const { key, record } = await accounts.create(wanted, now);
    const account = await accounts.findByKey(key, now);
    if (account === undefined) throw new Error('A key just made is not found.');
    const take = (when = now) => accounts.take(account, when);
    const takeAll = async (count: number, when = now): Promise<Grant[]> =>
      grantsOf(await times(count, () => take(when)));
    const used = async (when = now): Promise<number> => (await accounts.usage(account, 1, when)).quota.used;
    return { accounts, key, record, account, take, takeAll, used };
  };

  const startProcess = (key: string, action: 'take' | 'keep' | 'watch', count = 1) => {
    const script = packagePath('test', 'support', 'accounts-process.mjs');
    const module = pathToFileURL(entryPoint('src/accounts/open')).href;
    const child = spawn(process.execPath, [script, module, shared, key, action, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    return {
      child,
      ended: once(child, 'close').then(() => output),
      says: async (text: string): Promise<void> => {
        while (!output.includes(text)) await once(child.stdout, 'data');
      },
    };
  };

  describe('keys', () => {
    it('a key opens its account, with the limits of its tier', async () => {
      const { account } = await openAccount({ email: EMAIL, org: 'Bank', tier: 'free' });
      expect(account).toMatchObject({ email: EMAIL, org: 'Bank', tier: 'free', monthlyLimit: 1000, batchSize: 128 });
      expect(account.memberSince).toBe('2026-11-20T12:00:00Z');
      expect((await openAccount({ email: EMAIL, tier: 'pro' })).account).toMatchObject({
        org: '',
        monthlyLimit: 100_000,
        batchSize: 128,
      });
    });

    it('an enterprise account has limits of its own', async () => {
      const { account } = await openAccount({ ...enterprise(7_000_000_000), batchSize: 512 });
      expect(account).toMatchObject({ tier: 'enterprise', monthlyLimit: 7_000_000_000, batchSize: 512 });
      expect((await openAccount(enterprise(1))).account.batchSize).toBe(128);
    });

    it.each<[string, Partial<NewAccount>]>([
      ['no address', { email: 'name' }],
      ['a control character', { email: 'na\u001bme@example.org' }],
      ['an organization of two lines', { org: 'a\nb' }],
      ['a limit for a tier that has its own', { tier: 'pro', monthlyLimit: 5 }],
      ['a batch size for a tier that has its own', { tier: 'free', monthlyLimit: undefined, batchSize: 5 }],
      ['enterprise without a limit', { monthlyLimit: undefined }],
      ['a limit of nothing', { monthlyLimit: 0 }],
      ['half a request', { monthlyLimit: 1.5 }],
      ['a batch of nothing', { batchSize: 0 }],
      ['an end before the beginning', { expiresAt: NOON }],
    ])('no account is made with %s', async (_what, part) => {
      const accounts = await open();
      await expect((async () => accounts.create({ ...enterprise(9), ...part }, NOON))()).rejects.toThrow(UsageError);
    });

    it('what is no key, or the key of nobody, opens nothing', async () => {
      const { accounts, key } = await openAccount();
      const last = key.at(-1) === 'a' ? 'b' : 'a';
      const wrong = [
        '',
        'x',
        makeKey(),
        key.slice(1),
        key.slice(0, -1),
        key.slice(0, -1) + last,
        `${key} `,
        `${key}\0`,
      ];
      wrong.push(key.toUpperCase(), "' OR 1=1 --", `${key}${key}`, 'ftx_live_', 'é'.repeat(45), 'a'.repeat(1_000_000));
      for (const text of wrong) expect(await accounts.findByKey(text, NOON)).toBeUndefined();
      expect(await accounts.findByKey(key, NOON)).toBeDefined();
    });

    it('a key works until the instant of its expiry', async () => {
      const expiresAt = at('2026-12-01T00:00:00Z');
      const { accounts, key, record } = await openAccount({ ...enterprise(5), expiresAt });
      expect(await accounts.findByKey(key, at('2026-11-30T23:59:59.999Z'))).toBeDefined();
      expect(await accounts.findByKey(key, expiresAt)).toBeUndefined();
      const listed = (await accounts.list(expiresAt)).find(({ keyId }) => keyId === record.keyId);
      expect(listed).toMatchObject({
        state: 'expired',
        expiresAt: '2026-12-01T00:00:00Z',
      });
    });

    it('a revoked key is refused at once here, and revoking again changes nothing', async () => {
      const { accounts, key, record } = await openAccount();
      expect(await accounts.revoke(record.keyId, NOON)).toMatchObject({
        state: 'revoked',
        revokedAt: '2026-11-20T12:00:00Z',
      });
      expect(await accounts.findByKey(key, NOON)).toBeUndefined();
      const later = await accounts.revoke(record.keyId, at('2026-11-21T12:00:00Z'));
      expect(later.revokedAt).toBe('2026-11-20T12:00:00Z');
      await expect(accounts.revoke('key_nobody', NOON)).rejects.toThrow(UsageError);
    });

    it('a revocation is seen by another process within a second', async () => {
      const { accounts, key, record } = await openAccount();
      const watcher = startProcess(key, 'watch');
      await watcher.says('known');
      await accounts.revoke(record.keyId, new Date());
      const revoked = performance.now();
      await watcher.says('gone');
      expect(performance.now() - revoked).toBeLessThan(1000);
    });

    it('a rotated key and its successor work side by side on one quota, then the old one ends', async () => {
      const { accounts, key, record, account, takeAll } = await openAccount(enterprise(10));
      await takeAll(4);
      const {
        key: second,
        record: newer,
        replaced,
      } = await accounts.rotate(record.keyId, { overlapSeconds: 3600 }, NOON);
      expect(second).not.toBe(key);
      expect(newer).toMatchObject({ accountId: account.accountId, state: 'active', expiresAt: null, used: 4 });
      expect(replaced).toMatchObject({
        keyId: record.keyId,
        replacedBy: newer.keyId,
        expiresAt: '2026-11-20T13:00:00Z',
      });

      const [before, after] = [at('2026-11-20T12:59:59Z'), at('2026-11-20T13:00:00Z')];
      expect(await accounts.findByKey(key, before)).toBeDefined();
      expect(await accounts.findByKey(key, after)).toBeUndefined();
      const successor = await accounts.findByKey(second, after);
      if (successor === undefined) throw new Error('The successor is not found.');
      expect(grantsOf(await times(20, () => accounts.take(successor, after)))).toHaveLength(6);
    });

    it('a rotation without overlap ends the old key at once; a contract’s end goes over to the new key', async () => {
      const expiresAt = at('2026-11-25T00:00:00Z');
      const { accounts, key, record } = await openAccount({ ...enterprise(10), expiresAt });
      const { key: second, record: newer } = await accounts.rotate(record.keyId, { overlapSeconds: 0 }, NOON);
      expect(await accounts.findByKey(key, NOON)).toBeUndefined();
      expect(newer.expiresAt).toBe('2026-11-25T00:00:00Z');
      const third = await accounts.rotate(newer.keyId, { overlapSeconds: 30 * 86_400 }, NOON);
      expect(third.replaced.expiresAt).toBe('2026-11-25T00:00:00Z');
      expect(await accounts.findByKey(second, expiresAt)).toBeUndefined();
    });

    it('a key is rotated once, also by two at the same time; one that has ended not at all', async () => {
      const { accounts, record } = await openAccount();
      const other = await open();
      const rotate = (by: Accounts) => by.rotate(record.keyId, { overlapSeconds: 60 }, NOON);
      const both = await Promise.allSettled([rotate(accounts), rotate(other)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(rotate(accounts)).rejects.toThrow(/rotated before, to key_/);
      const mine = (await accounts.list(NOON)).filter(({ accountId }) => accountId === record.accountId);
      expect(mine).toHaveLength(2);

      await accounts.revoke(record.keyId, NOON);
      await expect(rotate(accounts)).rejects.toThrow(/is revoked/);
      await expect(accounts.rotate('key_nobody', { overlapSeconds: 60 }, NOON)).rejects.toThrow(UsageError);
    });

    it('a list is in the order of making, and holds no secret', async () => {
      const accounts = await open(await createAddress());
      expect(await accounts.list(NOON)).toEqual([]);
      const issued = [];
      for (const minute of [3, 1, 2])
        issued.push(await accounts.create(enterprise(9), at(`2026-11-20T12:0${minute}:00Z`)));
      const listed = await accounts.list(NOON);
      expect(listed.map(({ createdAt }) => createdAt.slice(14, 16))).toEqual(['01', '02', '03']);
      for (const { key, record } of issued) {
        expect(listed).toContainEqual(record);
        expect(key.startsWith(record.prefix)).toBe(true);
        expect(JSON.stringify(listed)).not.toContain(key.slice(record.prefix.length, -6));
      }
    });
  });

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
      const ROUNDS = 4;
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

  describe('opening and closing', () => {
    it('many open an empty store at once', async () => {
      const address = await createAddress();
      const all = await times(6, () => open(address));
      const { key } = await (all[0] ?? (await open(address))).create(enterprise(5), NOON);
      for (const accounts of all) expect(await accounts.findByKey(key, NOON)).toBeDefined();
    });

    it('closing waits for what is under way; after it nothing is granted', async () => {
      const { accounts, account, take } = await openAccount(enterprise(50));
      const under = times(20, () => take());
      await accounts.close();
      expect(grantsOf(await under)).toHaveLength(20);
      await expect(take()).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.check()).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.close()).resolves.toBeUndefined();
      const again = await open();
      await expect(again.check()).resolves.toBeUndefined();
      expect((await again.usage(account, 1, NOON)).quota.used).toBe(20);
    });
  });
};
