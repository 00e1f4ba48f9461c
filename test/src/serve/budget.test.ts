import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/serve/budget.js';

describe('a budget', () => {
  it('is spent at once and comes back in a share of the time, up to what it was', () => {
    let ms = 0;
    const { wait, spend } = createBudget({ seconds: 10, share: 0.25, now: () => ms });
    spend(4);
    expect(wait()).toBe(0);
    spend(7);
    expect(wait()).toBeCloseTo(4);
    ms += 3000;
    expect(wait()).toBeCloseTo(1);
    ms += 2000;
    expect(wait()).toBe(0);
    ms += 1_000_000;
    spend(11);
    expect(wait()).toBeCloseTo(4);
  });

  it('owes no more than it has', () => {
    let ms = 0;
    const { wait, spend } = createBudget({ seconds: 10, share: 0.25, now: () => ms });
    spend(1000);
    expect(wait()).toBeCloseTo(40);
    ms += 40_001;
    expect(wait()).toBe(0);
  });
});
