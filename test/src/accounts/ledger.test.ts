import { describe, expect, it } from 'vitest';
import { hashKey, lookupOf, makeKey } from '../../../src/accounts/keys.js';
import { openLedger } from '../../../src/accounts/ledger.js';
import type { KeyRow, Store } from '../../../src/accounts/store.js';

const NOW = new Date('2026-11-20T12:00:00Z');

const rowOf = (keyId: string, hash: string): KeyRow => ({
  key_id: keyId,
  hash,
  prefix: 'ftx_live_abcd',
  key_created_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  account_id: 'acc_1',
  email: 'name@example.org',
  org: '',
  tier: 'free',
  monthly_limit: null,
  batch_size: null,
  member_since: '2026-01-01T00:00:00.000Z',
});

const ledgerOver = (rows: readonly KeyRow[]) => {
  const asked: string[] = [];
  const nothing = async (): Promise<never> => {
    throw new Error('Not asked for here.');
  };
  const store: Store = {
    findByLookup: async (lookup) => {
      asked.push(lookup);
      return rows;
    },
    findById: nothing,
    list: nothing,
    count: nothing,
    readUsage: nothing,
    addAccount: nothing,
    revoke: nothing,
    replace: nothing,
    check: nothing,
    close: async () => undefined,
  };
  return { accounts: openLedger(store), asked };
};

describe('looking a key up', () => {
  it('tells keys apart whose hashes begin alike', async () => {
    const key = makeKey();
    const hash = hashKey(key);
    const twin = lookupOf(hash) + hash.slice(16).split('').reverse().join('');
    const { accounts, asked } = ledgerOver([rowOf('key_twin', twin), rowOf('key_own', hash)]);
    expect((await accounts.findByKey(key, NOW))?.keyId).toBe('key_own');
    expect(asked).toEqual([lookupOf(hash)]);
    expect(await ledgerOver([rowOf('key_twin', twin)]).accounts.findByKey(key, NOW)).toBeUndefined();
  });

  it('does not trouble the store with a slip of the pen', async () => {
    const { accounts, asked } = ledgerOver([]);
    const key = makeKey();
    await accounts.findByKey(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'), NOW);
    await accounts.findByKey('', NOW);
    expect(asked).toEqual([]);
  });
});
