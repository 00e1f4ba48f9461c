import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findHolder, takeLock, type WaitOptions, waitForLock } from '../../../pipeline/run/lock.js';
import { PassingError, RunError } from '../../../src/errors.js';
import { entryPoint } from '../../../src/package-root.js';
import { temporaryFolder } from '../../support/rig.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const root = temporaryFolder();
let path: string;
let locks = 0;

beforeEach(() => {
  locks += 1;
  path = join(root, `work-${locks}`, 'lock.json');
});

const holderOf = (): Readonly<Record<string, unknown>> => JSON.parse(readFileSync(path, 'utf8'));
const leave = (text: string, at = path): void => {
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
};
const here = { host: hostname(), since: '2026-01-01T00:00:00.000Z' };
const elsewhere = `${JSON.stringify({ ...here, host: 'elsewhere', pid: 12, began: '1', heard_every_s: 30 })}\n`;
/** Nothing was heard of the holder since then. */
const silentFor = (seconds: number, at = path): void => {
  const then = Date.now() / 1000 - seconds;
  utimesSync(at, then, then);
};

/** A number that no process has: that of a child that has ended. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
};

describe('a lock', () => {
  it('names who holds it, and is gone when it is given back', async () => {
    const release = await takeLock(path, NOW);
    expect(holderOf()).toMatchObject({ pid: process.pid, host: hostname(), since: '2026-01-02T03:04:05.000Z' });
    expect(readdirSync(dirname(path))).toEqual(['lock.json']);
    await release();
    expect(readdirSync(dirname(path))).toEqual([]);
    await (await takeLock(path, NOW))();
  });

  it('is refused to a second taker, who is told the holder and what to do', async () => {
    const release = await takeLock(path, NOW);
    const refused = await takeLock(path, NOW).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RunError);
    expect(String(refused)).toContain(`process ${process.pid} on ${hostname()} since 2026-01-02T03:04:05.000Z`);
    expect(String(refused)).toContain('Wait for it, or stop it.');
    expect(holderOf()).toMatchObject({ pid: process.pid });
    await release();
  });

  it('is given back once: what another took since stays', async () => {
    const release = await takeLock(path, NOW);
    await release();
    const other = await takeLock(path, new Date('2026-01-02T03:05:00Z'));
    await release();
    expect(holderOf()).toMatchObject({ since: '2026-01-02T03:05:00.000Z' });
    await other();
  });

  it('of a process that is gone is taken over', async () => {
    leave(`${JSON.stringify({ ...here, pid: await deadPid(), began: '1' })}\n`);
    const release = await takeLock(path, NOW);
    expect(holderOf()).toMatchObject({ pid: process.pid });
    await release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('of an earlier process with the same number is taken over', async () => {
    leave(`${JSON.stringify({ ...here, pid: process.pid, began: '1' })}\n`);
    const release = await takeLock(path, NOW);
    expect(holderOf()).not.toMatchObject({ began: '1' });
    await release();
  });

  it('of a process in another container of the same host’s name stands while that is heard of', async () => {
    // Both are the first process of their container.
    const first = { ...here, numbers: 'pid:[1]', pid: process.pid, began: '1', heard_every_s: 30 };
    leave(`${JSON.stringify(first)}\n`);
    silentFor(240);
    await expect(takeLock(path, NOW)).rejects.toThrow(/last heard of 4 min ago\. .* for 10 min: in 6 min, if/);
    silentFor(601);
    const release = await takeLock(path, NOW);
    expect(holderOf()).toMatchObject({ pid: process.pid, numbers: readlinkSync('/proc/self/ns/pid') });
    await release();
  });

  it('of a process on another host that gives no sign of life stands, and is said to be there and to be deleted', async () => {
    leave(`${JSON.stringify({ ...here, host: 'elsewhere', pid: await deadPid(), began: '1' })}\n`);
    silentFor(86_400);
    const refused = await takeLock(path, NOW).catch(String);
    expect(refused).toContain('on elsewhere since 2026-01-01T00:00:00.000Z. Wait for it');
    expect(refused).toContain('where that machine is gone, delete the file.');
    expect(await findHolder(path, NOW)).toMatchObject({ host: 'elsewhere', silent_s: null });
  });

  it('of a process on another host stands while that is heard of, and says when it will be taken over', async () => {
    leave(elsewhere);
    silentFor(240);
    await expect(takeLock(path, NOW)).rejects.toThrow(
      /process 12 on elsewhere since 2026-01-01T00:00:00.000Z, last heard of 4 min ago\. .* for 10 min: in 6 min, if/,
    );
    expect(await findHolder(path, NOW)).toMatchObject({ host: 'elsewhere', silent_s: expect.closeTo(240, -1) });
    expect(readdirSync(dirname(path))).toEqual(['lock.json']);
  });

  it('of a process on another host that was not heard of for ten minutes is taken over, whatever this clock says', async () => {
    leave(elsewhere);
    silentFor(601);
    expect(await findHolder(path, new Date(0))).toBeUndefined();
    const release = await takeLock(path, new Date(0));
    expect(holderOf()).toMatchObject({ pid: process.pid, host: hostname() });
    await release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('is taken over where whoever was taking over on another host is gone as well', async () => {
    leave(elsewhere);
    silentFor(601);
    leave(elsewhere, `${path}.takeover`);
    await expect(takeLock(path, NOW)).rejects.toThrow('could not be taken');
    silentFor(601, `${path}.takeover`);
    await (await takeLock(path, NOW))();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('that another took meanwhile is found out before the next sign of life, and stays the other’s', async () => {
    const release = await takeLock(path, NOW);
    await release.confirm();
    leave(elsewhere);
    await expect(release.confirm()).rejects.toThrow(
      /^This run has lost the lock \S+lock\.json: process 12 on elsewhere has it since 2026-01-01/,
    );
    expect(release.lost.aborted).toBe(true);
    await release();
    expect(holderOf()).toMatchObject({ host: 'elsewhere' });
  });

  it('that an attempt of an engine loses may be had by a later one', async () => {
    const release = await takeLock(path, NOW, 'job 7');
    await (await takeLock(path, new Date('2026-01-02T03:05:00Z'), 'job 7'))();
    await expect(release.confirm()).rejects.toBeInstanceOf(PassingError);
    await expect(release.confirm()).rejects.toThrow('it is gone');
  });

  it('of an earlier attempt of the same work is taken over wherever that was, and of other work not', async () => {
    const text = `${JSON.stringify({ ...here, host: 'elsewhere', pid: 1, began: '1', work: 'job 7' })}\n`;
    leave(text);
    await expect(takeLock(path, NOW, 'job 8')).rejects.toThrow('on elsewhere');
    await expect(takeLock(path, NOW)).rejects.toThrow('on elsewhere');
    const release = await takeLock(path, NOW, 'job 7');
    expect(holderOf()).toMatchObject({ pid: process.pid, work: 'job 7' });
    await release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each(['', '{"pid": 12', 'null', '[]', '"x"', '{"pid":"x"}', '{"pid":1}', '\u0000\u0000'])(
    'that holds %j names nobody and is taken over',
    async (text) => {
      leave(text);
      const release = await takeLock(path, NOW);
      expect(holderOf()).toMatchObject({ pid: process.pid });
      await release();
      expect(readdirSync(dirname(path))).toEqual([]);
    },
  );

  it.runIf(process.platform === 'linux')(
    'of a process that has ended and was never waited for is taken over',
    async () => {
      // A shell that starts a child and then becomes a program that never waits for it: the child stays a zombie.
      const shell = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        const [line] = await once(shell.stdout, 'data');
        const pid = Number(String(line).trim());
        const stateOf = (): string => {
          const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
          return text.slice(text.lastIndexOf(')') + 2);
        };
        while (!stateOf().startsWith('Z')) await setTimeout(5);
        leave(`${JSON.stringify({ ...here, pid, began: stateOf().split(' ')[19] })}\n`);
        await (await takeLock(path, NOW))();
      } finally {
        shell.kill('SIGKILL');
        await once(shell, 'exit');
      }
    },
  );
});

describe('waiting for a lock', () => {
  const waiting = (more: Partial<WaitOptions> = {}): Promise<() => Promise<void>> =>
    waitForLock(path, { now: () => NOW, signal: new AbortController().signal, patienceMs: 60_000, ...more });

  it('ends when it is given back, and not before', async () => {
    const release = await takeLock(path, new Date('2026-01-02T03:00:00Z'));
    const told: string[] = [];
    const second = waiting().then((got) => {
      told.push('taken');
      return got;
    });
    await setTimeout(200);
    told.push('given back');
    await release();
    await (await second)();
    expect(told).toEqual(['given back', 'taken']);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('ends at once where the holder is gone', async () => {
    leave(`${JSON.stringify({ ...here, pid: await deadPid(), began: '1' })}\n`);
    await (await waiting({ patienceMs: 0 }))();
  });

  it('ends with the patience, and says who holds it', async () => {
    leave(`${JSON.stringify({ ...here, host: 'elsewhere', pid: 12, began: '1' })}\n`);
    await expect(waiting({ patienceMs: 100 })).rejects.toThrow(/process 12 on elsewhere .* waited for 0\.1 s/);
  });

  it('ends when the run is told to stop', async () => {
    const stopping = new AbortController();
    const reason = new Error('Stopped by hand.');
    leave(`${JSON.stringify({ ...here, host: 'elsewhere', pid: 12, began: '1' })}\n`);
    const waited = waiting({ signal: stopping.signal });
    stopping.abort(reason);
    await expect(waited).rejects.toThrow();
    await expect(waiting({ signal: stopping.signal })).rejects.toBe(reason);
  });
});

const TAKER = `
const { takeLock } = await import(${JSON.stringify(pathToFileURL(entryPoint('pipeline/run/lock')).href)});
let release = async () => {};
process.on('message', async ({ what, path, at }) => {
  if (what === 'release') { await release(); release = async () => {}; process.send({ released: true }); return; }
  while (Date.now() < at);
  try { release = await takeLock(path, new Date()); process.send({ got: true }); }
  catch (error) { process.send({ got: false, message: error.message }); }
});
process.send({ ready: true });
`;

describe('twenty processes at once', () => {
  const takers: ChildProcess[] = [];

  const answerOf = async (taker: ChildProcess): Promise<{ readonly got?: boolean; readonly message?: string }> =>
    (await once(taker, 'message'))[0];

  beforeAll(async () => {
    const script = join(root, 'taker.mjs');
    writeFileSync(script, TAKER);
    for (let n = 0; n < 20; n += 1) {
      takers.push(spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
    }
    await Promise.all(takers.map(answerOf));
  });
  afterAll(async () => {
    for (const taker of takers) taker.kill('SIGKILL');
  });

  const round = async (before: string | undefined): Promise<void> => {
    if (before !== undefined) leave(before);
    else mkdirSync(dirname(path), { recursive: true });
    const at = Date.now() + 20;
    const answers = takers.map(answerOf);
    for (const taker of takers) taker.send({ what: 'take', path, at });
    const found = await Promise.all(answers);
    expect(found.filter(({ got }) => got)).toHaveLength(1);
    const winner = takers[found.findIndex(({ got }) => got)];
    expect(holderOf()).toMatchObject({ pid: winner?.pid });
    for (const { message } of found.filter(({ got }) => got === false)) {
      expect(message).toMatch(/^Another run holds|^The lock .* could not be taken/);
    }
    const released = takers.map(answerOf);
    for (const taker of takers) taker.send({ what: 'release' });
    await Promise.all(released);
    expect(readdirSync(dirname(path))).toEqual([]);
  };

  it('take a free lock: one gets it', async () => {
    for (let n = 0; n < 3; n += 1) {
      path = join(root, `free-${n}`, 'lock.json');
      await round(undefined);
    }
  });

  it('take over a dead holder’s lock: one gets it', async () => {
    const dead = `${JSON.stringify({ ...here, pid: await deadPid(), began: '1' })}\n`;
    for (let n = 0; n < 10; n += 1) {
      path = join(root, `dead-${n}`, 'lock.json');
      await round(dead);
    }
  });

  it('take over where the one that was taking over died as well: one gets it', async () => {
    const dead = `${JSON.stringify({ ...here, pid: await deadPid(), began: '1' })}\n`;
    for (let n = 0; n < 3; n += 1) {
      path = join(root, `twice-dead-${n}`, 'lock.json');
      leave(dead, `${path}.takeover`);
      await round(dead);
    }
  });
});
