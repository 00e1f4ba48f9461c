import { describe, expect, it } from 'vitest';
import { watchCounting } from '../../../src/accounts/counting.js';

const PLACE = { accountId: 'acc_1', day: '2026-11-20', limit: 10 };

/** A store that notes what it was asked. */
const openStore = () => {
  const store = { fails: false, used: 0, calls: [] as (readonly number[])[] };
  const counting = watchCounting(async ({ limit }, wanted, returned) => {
    store.calls.push([wanted, returned]);
    if (store.fails && (wanted === 0 || returned > 0 || store.used < limit)) throw new Error('full');
    const granted = Math.min(wanted, limit - store.used);
    store.used += granted - returned;
    return { granted, used: store.used };
  });
  return { store, ...counting };
};

describe('whether requests can be counted', () => {
  it('is not tried while nothing failed', async () => {
    const { store, count, check } = openStore();
    await count(PLACE, 1, 0);
    await check();
    expect(store.calls).toEqual([[1, 0]]);
  });

  it('is tried once counting failed, by counting nothing, until that works', async () => {
    const { store, count, check } = openStore();
    store.fails = true;
    await expect(count(PLACE, 1, 0)).rejects.toThrow('full');
    for (let look = 0; look < 2; look += 1) await expect(check()).rejects.toThrow('full');
    store.fails = false;
    for (let look = 0; look < 2; look += 1) await check();
    expect(store.calls).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('is not shown by a request that is refused because its quota is spent', async () => {
    const { store, count, check } = openStore();
    await count(PLACE, 10, 0);
    store.fails = true;
    await expect(count(PLACE, 0, 1)).rejects.toThrow('full');
    expect(await count(PLACE, 1, 0)).toEqual({ granted: 0, used: 10 });
    await expect(check()).rejects.toThrow('full');
  });
});
