/** Runs that meet another run, or that are told to stop. */
import type { ChildProcess } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { access, readFile, utimes } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PIPELINE } from '../../pipeline/pipeline.js';
import { outputsIn } from '../../src/outputs.js';
import { type Ended, openRig, type Rig, type RunOptions } from '../support/fintext.js';

const rebuild = (rig: Rig, options: RunOptions = {}): Promise<Ended> =>
  rig.run(['rebuild', '--dataset', 'wcb', '--log', 'json', '--input', rig.input], options);

/** Calls `act` once, when a stage begins. */
const atStage = (stage: string, act: (process: ChildProcess, stderr: string) => void): RunOptions => {
  let seen = false;
  return {
    watch: (stderr, process) => {
      if (seen || !stderr.includes(`"stage":"${stage}"`)) return;
      seen = true;
      act(process, stderr);
    },
  };
};

/** Of a machine that does much else. */
const MINUTES = 4 * 60_000;

const lockOf = (rig: Rig): string => outputsIn(rig.outputs).lock('wcb');

let reference: string;
beforeAll(async () => {
  const rig = await openRig();
  await rig.rebuild('--dataset', 'wcb');
  reference = await rig.current('wcb');
  await rig.close();
});

describe('two runs of one dataset', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  });
  afterAll(() => rig.close());

  it(
    'at once: the second says who runs and changes nothing, the first goes on to its end',
    async () => {
      let second: Promise<Ended> | undefined;
      let pid: number | undefined;
      const first = await rebuild(
        rig,
        atStage('segment', (child) => {
          pid = child.pid;
          second = rebuild(rig);
        }),
      );
      const refused = await second;
      expect(refused?.code).toBe(1);
      expect(refused?.stderr).toMatch(
        new RegExp(`^fintext: Another run holds \\S+lock\\.json: process ${pid} on .*Wait`, 'm'),
      );
      expect(first.code, first.stderr).toBe(0);
      expect(await rig.current('wcb')).toBe(reference);
    },
    MINUTES,
  );

  it(
    'one after the other was killed: the second takes over',
    async () => {
      const other = await openRig();
      try {
        const killed = await rebuild(
          other,
          atStage('classify', (child) => child.kill('SIGKILL')),
        );
        expect(killed.signal).toBe('SIGKILL');
        await access(lockOf(other));
        const ended = await rebuild(other);
        expect(ended.code, ended.stderr).toBe(0);
        expect(await other.current('wcb')).toBe(reference);
        await expect(access(lockOf(other))).rejects.toThrow('ENOENT');
      } finally {
        await other.close();
      }
    },
    MINUTES,
  );
});

describe('a run whose machine slept until another one took over', () => {
  it(
    'publishes nothing and leaves the other’s lock and record alone; that one is taken over once it is silent',
    async () => {
      const rig = await openRig();
      try {
        const lock = lockOf(rig);
        const theirs = { pid: 12, host: 'elsewhere', began: '1', since: '2026-01-02T03:04:05.000Z', heard_every_s: 30 };
        const slept = await rebuild(
          rig,
          atStage('segment', () => {
            writeFileSync(`${lock}.theirs`, JSON.stringify(theirs));
            renameSync(`${lock}.theirs`, lock);
          }),
        );
        expect(slept.code).toBe(1);
        expect(slept.stderr).toMatch(/^fintext: This run has lost the lock \S+: process 12 on elsewhere has it since/m);
        expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual(theirs);
        await expect(rig.current('wcb')).rejects.toThrow('ENOENT');

        const busy = await rig.run(['status', '--dataset', 'wcb', '--quick']);
        expect([busy.code, busy.stdout]).toEqual([
          0,
          expect.stringMatching(/running .*elsewhere .* last heard of \d+/),
        ]);
        const refused = await rebuild(rig);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('its lock is taken over once')]);

        const then = Date.now() / 1000 - 601;
        await utimes(lock, then, then);
        const died = await rig.run(['status', '--dataset', 'wcb', '--quick']);
        expect([died.code, died.stdout]).toEqual([1, expect.stringContaining('DIED before it was done')]);
        const ended = await rebuild(rig);
        expect(ended.code, ended.stderr).toBe(0);
        expect(await rig.current('wcb')).toBe(reference);
      } finally {
        await rig.close();
      }
    },
    MINUTES,
  );
});

describe('a run that is told to stop', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  });
  afterAll(() => rig.close());

  it(
    'stops at any stage, gives back the lock, says how to go on, and goes on',
    async () => {
      for (const { name } of PIPELINE) {
        const ended = await rebuild(
          rig,
          atStage(name, (child) => child.kill('SIGTERM')),
        );
        expect(ended.code, `${name}: ${ended.stderr}`).toBe(1);
        expect(ended.stderr).toMatch(/^SIGTERM: stopping after what is under way/m);
        expect(ended.stderr).toMatch(/^fintext: Stopped by SIGTERM\. .*run the same command again to go on\.$/m);
        await expect(access(lockOf(rig))).rejects.toThrow('ENOENT');
      }
      const ended = await rebuild(rig);
      expect(ended.code, ended.stderr).toBe(0);
      expect(await rig.current('wcb')).toBe(reference);
    },
    MINUTES,
  );

  it(
    'stops at once when it is told twice, and the next run goes on',
    async () => {
      const other = await openRig();
      try {
        let told = 0;
        const ended = await rebuild(other, {
          watch: (stderr, child) => {
            if (told === 0 && stderr.includes('"stage":"classify"')) {
              told += 1;
              child.kill('SIGINT');
            }
            if (told === 1 && stderr.includes('SIGINT: stopping')) {
              told += 1;
              child.kill('SIGINT');
            }
          },
        });
        expect([ended.code, told]).toEqual([1, 2]);
        expect((await rebuild(other)).code).toBe(0);
        expect(await other.current('wcb')).toBe(reference);
      } finally {
        await other.close();
      }
    },
    MINUTES,
  );
});
