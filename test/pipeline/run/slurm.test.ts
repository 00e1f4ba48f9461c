/** What Slurm is told, and what a task does about its own end, without a Slurm: `test/journeys/slurm.test.ts` has one. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ATTEMPTS, ELEMENT, type Step } from '../../../pipeline/run/executors/executor.js';
import { findAliveIn, sbatchArgs, scriptOf } from '../../../pipeline/run/executors/slurm.js';
import { entryPoint } from '../../../src/package-root.js';
import { temporaryFolder } from '../../support/rig.js';

const folder = temporaryFolder();
const asked = join(folder, 'requeued');
const STEP: Step = {
  name: 'fintext-wcb-1-answer',
  args: ['work', '--job', join(folder, "a job's $HOME"), '--element', ELEMENT, '--attempts', ATTEMPTS],
  elements: 3,
  after: 'fintext-wcb-1-cut',
  cpus: 2,
  gpus: 0,
};

/** Runs a step's script as Slurm would, with a command in the place of fintext, and commands of Slurm that only note. */
const runScript = (ends: string, env: Readonly<Record<string, string>>): number | null => {
  const note = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o755 });
  note('scontrol', `#!/bin/bash\necho "$@" >> '${asked}'\n`);
  note('sleep', '#!/bin/bash\n');
  note('ends', `#!/bin/bash\nprintf '%s\\n' "$@" > '${join(folder, 'words')}'\n${ends}\n`);
  const script = scriptOf(STEP).replace(`'${process.execPath}' '${entryPoint('src/cli/fintext')}'`, `'${folder}/ends'`);
  expect(script).toContain(`'${folder}/ends'`);
  return spawnSync('bash', ['-s'], { input: script, env: { PATH: `${folder}:${process.env.PATH}`, ...env } }).status;
};

const ARRAY = { SLURM_JOB_ID: '12', SLURM_ARRAY_JOB_ID: '10', SLURM_ARRAY_TASK_ID: '2' };
const requeued = (): string => (existsSync(asked) ? readFileSync(asked, 'utf8') : '');

beforeEach(() => rmSync(asked, { force: true }));

describe('a step that is handed to Slurm', () => {
  it('is an array that waits for the step before, and does not wait for one that failed', () => {
    expect(sbatchArgs(STEP, '41', '/logs')).toEqual([
      '--parsable',
      '--job-name=fintext-wcb-1-answer',
      '--array=0-2',
      '--dependency=afterok:41',
      '--kill-on-invalid-dep=yes',
      '--cpus-per-task=2',
      '--requeue',
      '--open-mode=append',
      '--output=/logs/fintext-wcb-1-answer-%a.log',
      '--chdir=/logs',
    ]);
  });

  it('asks for GPUs where it is to have some, and is one job where it is one', () => {
    const args = sbatchArgs({ ...STEP, elements: 'one', gpus: 2 }, undefined, '/logs');
    expect(args).toContain('--gres=gpu:2');
    expect(args.filter((arg) => /array|dependency|%a/.test(arg))).toEqual([]);
  });

  it('runs its command with the number of the task and the name of its attempts, word for word', () => {
    expect(runScript('exit 0', ARRAY)).toBe(0);
    expect(readFileSync(join(folder, 'words'), 'utf8').split('\n')).toEqual([
      'work',
      '--job',
      join(folder, "a job's $HOME"),
      '--element',
      '2',
      '--attempts',
      'slurm 10_2',
      '',
    ]);
    expect(runScript('exit 0', { SLURM_JOB_ID: '12' })).toBe(0);
    expect(readFileSync(join(folder, 'words'), 'utf8')).toContain('\n0\n--attempts\nslurm 12\n');
    expect(requeued()).toBe('');
  });

  it.each([
    ['says that it may succeed later', 'exit 75', 75],
    ['is killed with -9', 'kill -9 $$', 137],
  ])('that %s asks for another attempt, twice', (_what, ends, status) => {
    for (const [restarts, lines] of [
      ['', 1],
      ['1', 2],
      ['2', 2],
    ] as const) {
      expect(runScript(ends, { ...ARRAY, ...(restarts !== '' && { SLURM_RESTART_COUNT: restarts }) })).toBe(status);
      expect(requeued()).toBe('requeue 10_2\n'.repeat(lines));
    }
  });

  it.each([1, 2])('that failed for good with %i is not tried again', (status) => {
    expect(runScript(`exit ${status}`, ARRAY)).toBe(status);
    expect(requeued()).toBe('');
  });
});

describe('what Slurm lists', () => {
  it('goes on while a task runs or waits its turn, or waits for one that does', () => {
    expect(
      findAliveIn('read RUNNING None\nread PENDING Resources\nread PENDING Priority\ncut PENDING Dependency\n'),
    ).toEqual([
      { step: 'read', state: 'RUNNING', tasks: 1 },
      { step: 'read', state: 'PENDING', tasks: 2 },
      { step: 'cut', state: 'PENDING', tasks: 1 },
    ]);
    // The step before has just ended: Slurm has not let this one go yet.
    expect(findAliveIn('cut PENDING Dependency\n')).toHaveLength(1);
  });

  it.each(['launch failed requeued held', 'JobHeldAdmin', 'DependencyNeverSatisfied'])(
    'does not go on where a task is %s and the others wait for it',
    (reason) => {
      expect(findAliveIn(`read PENDING ${reason}\ncut PENDING Dependency\nanswer PENDING Dependency\n`)).toEqual([]);
      expect(findAliveIn(`read PENDING ${reason}\nread RUNNING None\n`)).toEqual([
        { step: 'read', state: 'RUNNING', tasks: 1 },
      ]);
    },
  );

  it('is over where all are on their way out, and where there is nothing', () => {
    expect(findAliveIn('read COMPLETING None\ncut CANCELLED Dependency\n')).toEqual([]);
    expect(findAliveIn('\n')).toEqual([]);
  });
});
