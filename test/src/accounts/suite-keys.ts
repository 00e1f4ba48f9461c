/** What holds for keys in every store. */
import { describe, expect, it } from 'vitest';
import type { Accounts, NewAccount } from '../../../src/accounts/accounts.js';
import { makeKey } from '../../../src/accounts/keys.js';
import { UsageError } from '../../../src/errors.js';
import { type AccountsRig, at, EMAIL, enterprise, grantsOf, NOON, times } from './accounts-rig.js';

export const describeKeys = ({ open, openAccount, startProcess, createAddress }: AccountsRig): void => {
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
};
