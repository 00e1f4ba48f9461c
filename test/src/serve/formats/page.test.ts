import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { streamed } from '../../../../src/serve/formats/page.js';

describe('a long answer', () => {
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
    await pipeline(streamed(pieces), reader);
    goOn = false;
    expect(Buffer.concat(taken)).toEqual(Buffer.concat(pieces));
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
