import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { receiveBody } from '../../../../pipeline/1-ingest/fetch/body.js';

test('a body that breaks off leaves no file to be made after it was taken away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-body-'));
  for (let n = 0; n < 300; n += 1) {
    const file = join(folder, String(n));
    const answer = Object.assign(new PassThrough(), { headers: {} }).on('error', () => undefined);
    // Threads that are busy: what is asked of the disk waits, each for another time.
    for (let i = 0; i < 3; i += 1) pbkdf2('', '', 3000 * (1 + (n % 5)), 32, 'sha256', () => undefined);
    const received = receiveBody(answer as unknown as IncomingMessage, file, 1e6);
    const breakOff = (): unknown => answer.destroy(new Error('late'));
    if (n % 3 === 0) breakOff();
    else if (n % 3 === 1) queueMicrotask(breakOff);
    else setImmediate(breakOff);
    await expect(received).rejects.toThrow();
    await rm(file, { force: true });
  }
  await new Promise((done) => setTimeout(done, 50));
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
