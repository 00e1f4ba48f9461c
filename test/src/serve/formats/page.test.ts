import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import type { AnswerMemory } from '../../../../src/serve/answer-memory.js';
import { pieceOf, ROWS_AT_ONCE, streamed } from '../../../../src/serve/formats/page.js';
import { createTurns } from '../../../../src/serve/turns.js';

const memory = (reserved: number[] = []): AnswerMemory => ({
  lend: () => undefined,
  reserve: (bytes) => reserved.push(bytes),
  reserveBody: () => undefined,
});

describe('a long answer', () => {
  it('of many readers is made a few pieces at a time', async () => {
    const turns = createTurns(2);
    let [made, most] = [0, 0];
    let goOn = true;
    const look = (): void => {
      most = Math.max(most, made);
      made = 0;
      if (goOn) setImmediate(look);
    };
    setImmediate(look);
    const pieces = function* (): Generator<Buffer> {
      for (let piece = 0; piece < 5; piece += 1) {
        made += 1;
        yield Buffer.from('piece');
      }
    };
    const readers = Array.from({ length: 20 }, async () => {
      const taken = await streamed(pieces(), 5, { memory: memory(), turns }).toArray();
      expect(Buffer.concat(taken as Buffer[]).toString()).toBe('piece'.repeat(5));
    });
    await Promise.all(readers);
    goOn = false;
    // Two that waited, and the two behind them.
    expect(most).toBeLessThanOrEqual(4);
  });

  it('gives others their turn while its reader takes everything at once, and comes whole', async () => {
    const pieces = Array.from({ length: 40 }, (_, at) => Buffer.from(`${at},`));
    let turns = 0;
    let goOn = true;
    const count = (): void => {
      turns += 1;
      if (goOn) setImmediate(count);
    };
    setImmediate(count);
    const taken: Buffer[] = [];
    const reader = new Writable({
      write: (piece: Buffer, _, done) => {
        taken.push(piece);
        done();
      },
    });
    const reserved: number[] = [];
    await pipeline(streamed(pieces.values(), 100, { memory: memory(reserved), turns: createTurns(4) }), reader);
    goOn = false;
    expect(Buffer.concat(taken)).toEqual(Buffer.concat(pieces));
    expect(turns).toBeGreaterThanOrEqual(39);
    expect(reserved).toEqual([200]);
  });

  it('comes in pieces that are bounded in rows and in bytes, of one row at least', () => {
    expect(pieceOf(100)).toEqual({ rows: ROWS_AT_ONCE, bytes: 100 * ROWS_AT_ONCE });
    expect(pieceOf(4096)).toEqual({ rows: 64, bytes: 256 * 1024 });
    expect(pieceOf(1_000_000)).toEqual({ rows: 1, bytes: 1_000_000 });
  });
});
