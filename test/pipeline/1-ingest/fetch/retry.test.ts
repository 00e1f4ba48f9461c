import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FetchError } from '../../../../pipeline/1-ingest/fetch/fetch-error.js';
import { openPace } from '../../../../pipeline/1-ingest/fetch/pace.js';
import { readRetryAfter, withRetries } from '../../../../pipeline/1-ingest/fetch/retry.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const signal = new AbortController().signal;

describe('a task that fails in passing', () => {
  const failing = (errors: readonly Error[]) => {
    const left = [...errors];
    return vi.fn(async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'done';
    });
  };
  const passing = new FetchError('the server answered 503', { fault: 'no_answer', next: 'retry' });
  const lasting = new FetchError('the server answered 404', { fault: 'not_there', next: 'give up' });
  const retries = { attempts: 4, firstMs: 1, longestMs: 20 };
  const run = (errors: readonly Error[]) => {
    const task = failing(errors);
    return { task, ended: withRetries(task, { retries, random: () => 0, signal }) };
  };

  it('is tried again until it succeeds', async () => {
    const { task, ended } = run([passing, passing, passing]);
    expect(await ended).toBe('done');
    expect(task).toHaveBeenCalledTimes(4);
  });

  it('is given up after its attempts, with the last reason', async () => {
    const { task, ended } = run(Array(9).fill(passing));
    await expect(ended).rejects.toBe(passing);
    expect(task).toHaveBeenCalledTimes(4);
  });

  it.each([
    ['fails for good', lasting],
    ['is told to wait for too long', new FetchError('429', { fault: 'no_answer', next: 'retry', waitMs: 21 })],
    ['fails as nobody foresaw', new TypeError('x')],
  ])('and then %s is given up at once', async (_name, error) => {
    const { task, ended } = run([passing, error]);
    await expect(ended).rejects.toBe(error);
    expect(task).toHaveBeenCalledTimes(2);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', 0],
  ])('"%s" is %s ms', (header, expected) => {
    // What `Date.parse` makes of a negative number is some day long ago: no wait.
    expect(readRetryAfter(header, NOW)).toBe(expected);
  });

  it('of any text is undefined or a number that is not negative', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const wait = readRetryAfter(header, NOW);
        expect(wait === undefined || wait >= 0).toBe(true);
      }),
    );
  });
});

describe('the pace of a host', () => {
  it('does not wait longer than the gap when the clock is set back', async () => {
    let at = NOW.getTime();
    const pace = openPace({ gapMs: 20, now: () => new Date(at), signal });
    await pace.run('a', async () => undefined);
    at -= 3_600_000;
    const began = performance.now();
    await pace.run('a', async () => undefined);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('is its own, and a task that fails does not keep the next from its turn', async () => {
    const pace = openPace({ gapMs: 0, now: () => NOW, signal });
    const order: string[] = [];
    const slow = pace.run('a', async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push('a1');
      throw new Error('failed');
    });
    const next = pace.run('a', async () => order.push('a2'));
    await pace.run('b', async () => order.push('b'));
    await expect(slow).rejects.toThrow('failed');
    await next;
    expect(order).toEqual(['b', 'a1', 'a2']);
  });
});
