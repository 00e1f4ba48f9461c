import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openCounter } from '../../../src/accounts/counter.js';
import type { Place } from '../../../src/accounts/store.js';

const PLACE = { accountId: 'acc_1', day: '2026-11-20', limit: 10 };

/** A store that notes what it was asked, and takes its time. */
const openNotes = (fail: (call: number) => boolean = () => false) => {
  const calls: (Place & { readonly wanted: number; readonly returned: number })[] = [];
  const used = new Map<string, number>();
  const counter = openCounter(async (place, wanted, returned) => {
    const { accountId, limit } = place;
    calls.push({ ...place, wanted, returned });
    await setTimeout(5);
    if (fail(calls.length)) throw new Error('gone');
    const before = (used.get(accountId) ?? 0) - returned;
    const granted = Math.max(0, Math.min(wanted, limit - before));
    used.set(accountId, before + granted);
    return { granted, used: before + granted };
  });
  const takeAll = (count: number, place = PLACE) =>
    Promise.all(Array.from({ length: count }, () => counter.take(place)));
  return { calls, counter, takeAll };
};

describe('counting together', () => {
  it('requests that come together are one transaction, those that come meanwhile the next', async () => {
    const { calls, takeAll } = openNotes();
    const first = takeAll(4);
    await setTimeout(2);
    const second = [takeAll(3), takeAll(5)];
    const answers = [...(await first), ...(await Promise.all(second)).flat()];
    expect(calls.map(({ wanted }) => wanted)).toEqual([4, 8]);
    expect(answers.filter(({ granted }) => granted).map(({ used }) => used)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(answers.filter(({ granted }) => !granted)).toHaveLength(2);
  });

  it('what is given back makes room in the same transaction', async () => {
    const { calls, counter, takeAll } = openNotes();
    await takeAll(10);
    const [, answers] = await Promise.all([counter.giveBack(PLACE), takeAll(2)]);
    expect(answers.map(({ granted }) => granted)).toEqual([true, false]);
    expect(calls.at(-1)).toEqual({ ...PLACE, wanted: 2, returned: 1 });
  });

  it('one account does not wait for another', async () => {
    const { calls, takeAll } = openNotes();
    await Promise.all([takeAll(1), takeAll(1, { ...PLACE, accountId: 'acc_2' })]);
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ accountId }) => accountId)).size).toBe(2);
  });

  it('each is counted on its own day and against its own limit, also across midnight', async () => {
    const { calls, counter } = openNotes();
    const tomorrow = { ...PLACE, day: '2026-11-21' };
    await Promise.all([counter.take(PLACE), counter.take(tomorrow), counter.giveBack(PLACE)]);
    await counter.take({ ...PLACE, limit: 11 });
    expect(calls.map(({ day, limit, wanted, returned }) => [day, limit, wanted, returned])).toEqual([
      ['2026-11-20', 10, 1, 1],
      ['2026-11-21', 10, 1, 0],
      ['2026-11-20', 11, 1, 0],
    ]);
  });

  it('a failure is that of those who asked together, and of nobody after', async () => {
    const { counter, takeAll } = openNotes((call) => call === 1);
    const failed = await Promise.allSettled([counter.take(PLACE), counter.take(PLACE), counter.giveBack(PLACE)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await takeAll(1)).toEqual([{ granted: true, used: 1 }]);
  });

  it('is drained when everyone has an answer', async () => {
    const { counter, takeAll } = openNotes();
    let answered = false;
    void takeAll(3).then(() => {
      answered = true;
    });
    await counter.drain();
    expect(answered).toBe(true);
    await counter.drain();
  });
});
