import { describe, expect, it } from 'vitest';
import { createShares } from '../../../src/serve/shares.js';

describe('shares', () => {
  it('are of an account and of all, and give back what they held, and no more', () => {
    const shares = createShares({ all: 10, account: 6 });
    const [a, b, c, d] = [shares.open('a'), shares.open('b'), shares.open('c'), shares.open('d')];
    expect([a(6), b(4)]).toEqual([true, true]);
    expect([shares.open('a')(1), c(1)]).toEqual([false, false]);
    expect([shares.held(), shares.held('a'), shares.held('c')]).toEqual([10, 6, 0]);
    a(0);
    a(0);
    expect(shares.held()).toBe(4);
    expect([a(5), shares.open('a')(2)]).toEqual([true, false]);
    a(0);
    b(0);
    expect([c(6), d(4), shares.open('d')(1)]).toEqual([true, true, false]);
  });

  it('become larger where there is room and smaller always', () => {
    const shares = createShares({ all: 10, account: 6 });
    const [first, second] = [shares.open('a'), shares.open('a')];
    expect([first(4), second(2), first(5), shares.held('a')]).toEqual([true, true, false, 6]);
    expect([second(1), first(5), shares.held('a')]).toEqual([true, true, 6]);
  });

  it('are had whole by who is alone, however much it is', () => {
    const shares = createShares({ all: 10, account: 6 });
    const [a, b] = [shares.open('a'), shares.open('b')];
    expect([a(20), shares.open('a')(1), b(1)]).toEqual([true, false, false]);
    expect([a(7), b(3), shares.open('c')(1)]).toEqual([true, true, false]);
  });
});
