import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { together } from '../../src/together.js';

describe('work done together', () => {
  it('gives every result in its place', async () => {
    expect(await together([pause(10, 'late'), Promise.resolve(1)])).toEqual(['late', 1]);
  });

  it('throws what failed first in the list, after the rest has ended', async () => {
    const ended: string[] = [];
    const slow = async (name: string): Promise<void> => {
      await pause(30);
      ended.push(name);
    };
    const failing = together([
      slow('a'),
      Promise.reject(new Error('one')),
      slow('b'),
      Promise.reject(new Error('two')),
    ]);
    await expect(failing).rejects.toThrow('one');
    expect(ended).toEqual(['a', 'b']);
  });
});
