import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLookup } from '../../../src/accounts/lookup.js';
import type { KeyRow } from '../../../src/accounts/store.js';

const ROW: KeyRow = {
  key_id: 'key_1',
  hash: '',
  prefix: '',
  key_created_at: '',
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  account_id: 'acc_1',
  email: '',
  org: '',
  tier: 'free',
  monthly_limit: null,
  batch_size: null,
  member_since: '',
};

const openNotes = (answer: (call: number) => readonly KeyRow[]) => {
  let calls = 0;
  const lookup = openLookup(async () => {
    calls += 1;
    const call = calls;
    await setTimeout(5);
    return answer(call);
  });
  return { ...lookup, calls: () => calls };
};

describe('remembering keys', () => {
  it('those who ask together, or soon after, ask once', async () => {
    const { find, calls } = openNotes(() => [ROW]);
    await Promise.all([find('a'), find('a'), find('a')]);
    expect(await find('a')).toEqual([ROW]);
    expect(calls()).toBe(1);
    await find('b');
    expect(calls()).toBe(2);
  });

  it('is for less than a second, even for one that is asked for all the time', async () => {
    const { find } = openNotes((call) => (call === 1 ? [ROW] : []));
    const start = performance.now();
    while ((await find('a')).length > 0) await setTimeout(10);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('ends when a key is changed here', async () => {
    const { find, forget, calls } = openNotes(() => [ROW]);
    await find('a');
    forget();
    await find('a');
    expect(calls()).toBe(2);
  });

  it('is not of what is not there, nor of a failure', async () => {
    const { find, calls } = openNotes((call) => {
      if (call === 2) throw new Error('gone');
      return call < 3 ? [] : [ROW];
    });
    expect(await find('a')).toEqual([]);
    await expect(find('a')).rejects.toThrow('gone');
    expect(await find('a')).toEqual([ROW]);
    expect(calls()).toBe(3);
  });
});
