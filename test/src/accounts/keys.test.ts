import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashKey,
  isSameHash,
  isWellFormed,
  lookupOf,
  makeId,
  makeKey,
  shownPrefix,
} from '../../../src/accounts/keys.js';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a key', () => {
  it('begins readably, carries more than 128 random bits, and is what it says', () => {
    const key = makeKey();
    expect(key).toMatch(/^ftx_live_[0-9A-Za-z]{36}$/);
    expect(30 * Math.log2(LETTERS.length)).toBeGreaterThan(128);
    expect(isWellFormed(key)).toBe(true);
    expect(shownPrefix(key)).toBe(key.slice(0, 13));
  });

  it('is never made twice, and draws every letter alike', () => {
    const keys = Array.from({ length: 2000 }, makeKey);
    expect(new Set(keys).size).toBe(keys.length);
    const counts = new Map<string, number>();
    for (const letter of keys.flatMap((key) => [...key.slice(9, 39)]))
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    // 60,000 letters, 968 of each expected, deviation 31: six deviations.
    expect(counts.size).toBe(LETTERS.length);
    for (const count of counts.values()) expect(Math.abs(count - 968)).toBeLessThan(186);
  });

  it('with any one letter changed is seen without a look-up', () => {
    const letter = fc.constantFrom(...LETTERS);
    fc.assert(
      fc.property(fc.constant(null).map(makeKey), fc.integer({ min: 0, max: 44 }), letter, (key, place, other) => {
        const changed = key.slice(0, place) + other + key.slice(place + 1);
        expect(isWellFormed(changed)).toBe(changed === key);
      }),
    );
  });

  it('with two neighbours swapped, shortened or with something around it is none', () => {
    fc.assert(
      fc.property(fc.constant(null).map(makeKey), fc.integer({ min: 9, max: 43 }), (key, place) => {
        const [a, b] = [key.charAt(place), key.charAt(place + 1)];
        const swapped = key.slice(0, place) + b + a + key.slice(place + 2);
        expect(isWellFormed(swapped)).toBe(a === b);
        expect(isWellFormed(key.slice(0, place))).toBe(false);
        for (const around of [` ${key}`, `${key}\n`, `"${key}"`, key.toLowerCase()])
          expect(isWellFormed(around)).toBe(false);
      }),
    );
  });

  it('any other text is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormed(text) && !isWellFormed(`ftx_live_${text}`)),
    );
  });

  it('is stored as its sha256, found by the first 64 bits of it', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(lookupOf(hashKey('abc'))).toBe('ba7816bf8f01cfea');
  });

  it('has an id that is no secret and fits a command line', () => {
    expect(makeId('key')).toMatch(/^key_[0-9A-Za-z]{12}$/);
    expect(makeId('acc')).toMatch(/^acc_[0-9A-Za-z]{12}$/);
  });
});

describe('comparing hashes', () => {
  it('is true for equal ones only', () => {
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(hash, hash, (one, other) => isSameHash(one, one) && isSameHash(one, other) === (one === other)),
    );
  });

  it('is false, not an error, for what is no sha256', () => {
    for (const text of ['', 'ab', 'x'.repeat(64), hashKey('a').slice(2)]) {
      expect(isSameHash(text, text)).toBe(false);
      expect(isSameHash(hashKey('a'), text)).toBe(false);
    }
  });
});
