/** A rebuild on three real nodes of Slurm, of which things are killed: it ends in the snapshot of a run on one machine. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCorpus } from '../support/corpus.js';
import { fintext } from '../support/fintext.js';
import { leaveOut } from '../support/left-out.js';
import { temporaryFolder } from '../support/rig.js';
import { startSlurm, type TestSlurm } from '../support/slurm.js';

const root = temporaryFolder();
const corpus = join(root, 'corpus');
const slurm = await startSlurm();
const TASKS = 3;
const SENTENCES = 5000;
const PATIENCE = { timeout: 300_000 };

let expected: string;

/** A rebuild in an outputs folder of its own. */
const rigIn = (name: string, env: Readonly<Record<string, string>> = {}) => {
  const outputs = join(root, name);
  const home = join(outputs, 'work', 'wcb', 'jobs');
  const call = async (...args: readonly string[]): Promise<string> => {
    const ended = await fintext([...args, '--outputs', outputs, '--log', 'quiet'], {
      env: { ...env, FINTEXT_WORKERS: '1' },
    });
    if (ended.code !== 0) throw new Error(`fintext ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
    return ended.stdout;
  };
  const job = (): string => join(home, readdirSync(home).sort().at(-1) ?? '');
  const markers = (): readonly string[] => readdirSync(join(job(), 'done')).filter((file) => file.endsWith('.json'));
  const logs = (): string =>
    readdirSync(join(job(), 'logs'))
      .map((file) => `== ${file}\n${readFileSync(join(job(), 'logs', file), 'utf8')}`)
      .join('\n');
  return {
    call,
    job,
    markers,
    logs,
    rebuild: (...more: readonly string[]) => call('rebuild', '--dataset', 'wcb', '--input', corpus, ...more),
    submit: () =>
      call('rebuild', '--dataset', 'wcb', '--input', corpus, '--executor', 'slurm', '--tasks', String(TASKS)),
    log: (step: string, element: number): string => {
      const file = readdirSync(join(job(), 'logs')).find((log) => log.endsWith(`-${step}-${element}.log`));
      return file === undefined ? '' : readFileSync(join(job(), 'logs', file), 'utf8');
    },
    snapshot: (): string => readFileSync(join(outputs, 'published', 'wcb', 'CURRENT'), 'utf8').trim(),
    record: (): { readonly outcome: string; readonly totals: { readonly predictions_made: number } } =>
      JSON.parse(readFileSync(join(outputs, 'work', 'wcb', 'last-run.json'), 'utf8')),
  };
};
type JobRig = ReturnType<typeof rigIn>;

const until = async (what: string, rig: JobRig, cluster: TestSlurm, holds: () => boolean): Promise<void> => {
  const end = Date.now() + 240_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}: ${rig.logs()}\n${await cluster.describe()}`);
    await setTimeout(20);
  }
};
const untilDone = (rig: JobRig, cluster: TestSlurm): Promise<void> =>
  until('the end', rig, cluster, () => rig.markers().includes('finalize-0.json'));

/** As somebody would who looks in now and then: where nobody goes on, the job is resumed. */
const untilResumed = async (rig: JobRig, cluster: TestSlurm): Promise<void> => {
  for (let looks = 0; !rig.markers().includes('finalize-0.json'); looks += 1) {
    if (looks > 60) throw new Error(`resumed in vain: ${rig.logs()}\n${await cluster.describe()}`);
    await setTimeout(3000);
    await rig.call('jobs', 'status').catch(() => rig.call('jobs', 'resume'));
  }
};

const NODE = /== element \d+ on (n\d), attempt (\d+)/g;
/** Where each attempt of a task began. */
const attemptsIn = (log: string): readonly string[] => [...log.matchAll(NODE)].map(([, node = '']) => node);

/** Numbers of processes with all these words in their command line. */
const processesWith = (...words: readonly string[]): readonly number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(join('/proc', name, 'cmdline'), 'utf8').split('\0');
      return words.every((word) => line.includes(word)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

if (typeof slurm === 'string') {
  leaveOut('a rebuild on Slurm', slurm);
} else {
  afterAll(() => slurm.stop());

  beforeAll(async () => {
    await writeCorpus(corpus, SENTENCES, 8);
    const local = rigIn('local');
    await local.rebuild();
    expected = local.snapshot();
  }, 300_000);

  describe('a rebuild on Slurm', () => {
    it('ends in the snapshot of the local run when a node dies in the middle', PATIENCE, async () => {
      const rig = rigIn('node', slurm.env);
      expect(await rig.submit()).toContain('Submitted');
      await expect(rig.submit()).rejects.toThrow('is under way');
      await until('an attempt to classify', rig, slurm, () => attemptsIn(rig.log('answer', 1)).length > 0);
      const [node = ''] = attemptsIn(rig.log('answer', 1));
      slurm.killNode(node);
      expect(rig.markers()).not.toContain('answer-1.json');
      await untilDone(rig, slurm);
      await slurm.startNode(node);
      const attempts = attemptsIn(rig.log('answer', 1));
      expect(attempts.length).toBeGreaterThan(1);
      expect(attempts.slice(1)).not.toContain(node);
      expect(rig.snapshot()).toBe(expected);
      // All was classified by the tasks.
      expect(rig.record()).toMatchObject({ outcome: 'succeeded', totals: { predictions_made: 0 } });
      expect(await rig.call('jobs', 'status')).toContain(', done');
    });

    it('ends in the snapshot of the local run when a task is killed with -9', PATIENCE, async () => {
      const rig = rigIn('task', slurm.env);
      await rig.submit();
      let victims: readonly number[] = [];
      await until('a task that classifies', rig, slurm, () => {
        victims = processesWith('work', rig.job(), 'answer', '2');
        return victims.length > 0;
      });
      for (const pid of victims) process.kill(pid, 'SIGKILL');
      expect(rig.markers()).not.toContain('answer-2.json');
      await untilDone(rig, slurm);
      expect(rig.log('answer', 2)).toContain('ended with 137: asking for another attempt');
      expect(attemptsIn(rig.log('answer', 2))).toHaveLength(2);
      expect(rig.snapshot()).toBe(expected);
      expect(rig.record()).toMatchObject({ outcome: 'succeeded', totals: { predictions_made: 0 } });
    });

    it('goes on with resume when the controller dies right after the submission', PATIENCE, async () => {
      const rig = rigIn('controller', slurm.env);
      await rig.submit();
      const first = rig.job();
      await slurm.killController();
      await slurm.startController();
      await rig.call('jobs', 'cancel');
      await expect(rig.call('jobs', 'status')).rejects.toThrow(
        'ended with 1: fintext: Nobody goes on with the job of wcb',
      );
      expect(await rig.call('jobs', 'resume')).toContain('in the place of');
      expect(rig.job()).not.toBe(first);
      // A controller that lost its state gives numbers of jobs twice; a node that knows one drains, and its task is held.
      await untilResumed(rig, slurm);
      expect(existsSync(join(first, 'done', 'finalize-0.json'))).toBe(false);
      expect(rig.snapshot()).toBe(expected);
      expect(rig.record()).toMatchObject({ outcome: 'succeeded', totals: { predictions_made: 0 } });
    });
  });
}
