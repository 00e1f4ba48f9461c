import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Heartbeat, startHeartbeat } from '../../../pipeline/run/heartbeat.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const MINE = '{"mine":true}\n';
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
let path: string;
let locks = 0;
let heartbeat: Heartbeat | undefined;

beforeEach(() => {
  locks += 1;
  path = join(root, `work-${locks}`, 'lock.json');
  mkdirSync(dirname(path));
  writeFileSync(path, MINE);
});
afterEach(() => heartbeat?.stop());

const start = (everyMs: number): Heartbeat => {
  heartbeat = startHeartbeat(path, MINE, { everyMs, toError: (text) => new Error(`Lost to ${text ?? 'nobody'}.`) });
  return heartbeat;
};
/** As another one takes over: its file gets the name. */
const takeOver = (text: string): void => {
  writeFileSync(`${path}.theirs`, text);
  renameSync(`${path}.theirs`, path);
};

describe('a heartbeat', () => {
  it('gives the file the time of the file system, and leaves the text as it is, until it is stopped', async () => {
    utimesSync(path, LONG_AGO, LONG_AGO);
    const { stop, lost } = start(5);
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(readFileSync(path, 'utf8')).toBe(MINE);
    stop();
    await setTimeout(20);
    utimesSync(path, LONG_AGO, LONG_AGO);
    await setTimeout(50);
    expect(statSync(path).mtime).toEqual(LONG_AGO);
    expect(lost.aborted).toBe(false);
  });

  it('finds out that another has taken over, says who, and leaves the other’s lock alone', async () => {
    const { lost } = start(5);
    takeOver('theirs');
    utimesSync(path, LONG_AGO, LONG_AGO);
    await expect.poll(() => lost.aborted).toBe(true);
    expect(String(lost.reason)).toBe('Error: Lost to theirs.');
    await setTimeout(50);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(statSync(path).mtime).toEqual(LONG_AGO);
  });

  it('finds out that the lock is gone', async () => {
    const { lost } = start(5);
    rmSync(path);
    await expect.poll(() => lost.aborted).toBe(true);
    expect(String(lost.reason)).toBe('Error: Lost to nobody.');
  });

  it('is asked for at once, before the next beat', async () => {
    const { confirm, lost } = start(3_600_000);
    await confirm();
    takeOver('theirs');
    expect(lost.aborted).toBe(false);
    await expect(confirm()).rejects.toThrow('Lost to theirs.');
    expect(lost.aborted).toBe(true);
  });

  it('is not lost by what says nothing of the lock: what lies there cannot be read just now', async () => {
    const { lost } = start(5);
    // By one rename each: in between the lock would be gone.
    symlinkSync('lock.json', `${path}.loop`);
    renameSync(`${path}.loop`, path);
    await setTimeout(50);
    expect(lost.aborted).toBe(false);
    writeFileSync(`${path}.mine`, MINE);
    utimesSync(`${path}.mine`, LONG_AGO, LONG_AGO);
    renameSync(`${path}.mine`, path);
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });
});
