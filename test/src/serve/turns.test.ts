import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, type Block, createBlocks } from '../../../src/serve/blocks.js';
import { createTurns } from '../../../src/serve/turns.js';

describe('turns', () => {
  it('come in order, a few at a time, and to others between them', async () => {
    const turns = createTurns(3);
    const begun: number[] = [];
    let [now, most, between] = [0, 0, 0];
    const works = Array.from({ length: 12 }, (_, at) =>
      turns(async () => {
        begun.push(at);
        now += 1;
        most = Math.max(most, now);
        if (at % 2 === 0) await sleep(2);
        now -= 1;
        return at;
      }),
    );
    let over = false;
    const other = (async () => {
      while (!over) {
        await setImmediate();
        between += 1;
      }
    })();
    expect(await Promise.all(works)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    over = true;
    await other;
    expect(begun).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(most).toBe(3);
    expect(between).toBeGreaterThanOrEqual(4);
  });

  it('go on after one that failed', async () => {
    const turns = createTurns(1);
    const failing = turns(async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await turns(async () => 'yes')).toBe('yes');
  });
});

describe('blocks', () => {
  it('are as many as they may be, and nobody has one that another still fills or sends', () => {
    const blocks = createBlocks(3);
    const sent: (() => void)[] = [];
    const lend = (): Block | undefined => blocks.lend((then) => sent.push(then));
    const lent = [lend(), lend(), lend()];
    expect(new Set(lent.map((block) => block?.bytes.buffer)).size).toBe(3);
    expect(lent.map((block) => block?.bytes.length)).toEqual([BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES]);
    expect(lend()).toBeUndefined();
    // Filled, and not yet sent.
    lent[0]?.filled();
    expect(lend()).toBeUndefined();
    // Whoever asked is gone, and it is still filled.
    sent[1]?.();
    expect(lend()).toBeUndefined();
    sent[0]?.();
    expect(lend()?.bytes).toBe(lent[0]?.bytes);
    expect(lend()).toBeUndefined();
    lent[1]?.filled();
    expect(lend()?.bytes).toBe(lent[1]?.bytes);
    expect(lend()).toBeUndefined();
  });
});
