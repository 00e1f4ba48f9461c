import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hashFile, hashText } from '../../../src/files.js';
import { createFileHashes } from '../../../src/serve/file-hashes.js';
import { temporaryFolder } from '../../support/rig.js';

const folder = temporaryFolder();

const counted = () => {
  const read: string[] = [];
  const hash = createFileHashes(async (path) => {
    read.push(path);
    return hashFile(path);
  });
  return { read, hash };
};

describe('the hash of a file', () => {
  it('is of what it holds, and reads it once', async () => {
    const path = join(folder, 'once');
    writeFileSync(path, 'one');
    const { read, hash } = counted();
    for (let turn = 0; turn < 3; turn += 1) expect(await hash(path)).toBe(hashText('one'));
    expect(read).toHaveLength(1);
  });

  it('is another one when the file was written over or replaced, whatever its size and time', async () => {
    const path = join(folder, 'other');
    writeFileSync(path, 'one');
    const { atime, mtime } = statSync(path);
    const { hash } = counted();
    expect(await hash(path)).toBe(hashText('one'));
    await sleep(20);
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    expect(await hash(path)).toBe(hashText('two'));
    writeFileSync(`${path}.new`, 'six');
    utimesSync(`${path}.new`, atime, mtime);
    renameSync(`${path}.new`, path);
    expect(await hash(path)).toBe(hashText('six'));
  });

  it('is not remembered of a file that changes while it is read, nor of one that cannot be', async () => {
    const path = join(folder, 'changing');
    writeFileSync(path, 'one');
    let reads = 0;
    const hash = createFileHashes(async (at) => {
      reads += 1;
      const sha256 = await hashFile(at);
      if (reads === 1) {
        await sleep(20);
        writeFileSync(at, 'two');
      }
      if (reads === 2) throw new Error('the disk failed');
      return sha256;
    });
    expect(await hash(path)).toBe(hashText('one'));
    await expect(hash(path)).rejects.toThrow('the disk failed');
    expect(await hash(path)).toBe(hashText('two'));
    expect(reads).toBe(3);
    await expect(hash(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});
