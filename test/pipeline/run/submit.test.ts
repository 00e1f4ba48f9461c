/** What is told of jobs that an engine does not take, or that cannot be planned, with an engine that only notes what it is given. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../../pipeline/run/lock.js';
import { outputsIn } from '../../../src/outputs.js';
import { fintext } from '../../support/fintext.js';
import { manifestOf, textOf } from '../../support/nightly.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const programs = join(root, 'bin');
const input = join(root, 'input');
const given = join(root, 'given');
for (const [folder, list] of [
  ['banks', manifestOf(['1.txt'])],
  ['calls', 'path,ticker,company,year,quarter\n1.txt,ACME,Acme Corp,2023,1\n'],
] as const) {
  mkdirSync(join(input, folder), { recursive: true });
  writeFileSync(join(input, folder, 'manifest.csv'), list);
  writeFileSync(join(input, folder, '1.txt'), textOf(1));
}

const setProgram = (name: string, script: string): void =>
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const submitted = (): readonly string[] =>
  existsSync(given) ? [...new Set(readFileSync(given, 'utf8').match(/(?<=fintext-)(wcb|earnings)/g) ?? [])] : [];

beforeEach(() => {
  rmSync(given, { force: true });
  mkdirSync(programs, { recursive: true });
  setProgram('sbatch', `echo "$@" >> '${given}'; echo 1`);
  for (const name of ['squeue', 'scancel']) setProgram(name, 'exit 0');
});

const commandsIn = (name: string) => {
  const outputs = outputsIn(join(root, name));
  const call = (...args: readonly string[]) =>
    fintext([...args, '--outputs', outputs.folder], {
      env: { PATH: `${programs}${delimiter}${process.env.PATH}`, FINTEXT_LOG: 'quiet' },
    });
  const submit = (...more: readonly string[]) => call('rebuild', '--executor', 'slurm', '--input', input, ...more);
  return { outputs, call, submit };
};

describe('a rebuild that is handed to an engine', () => {
  it('hands over what nobody else holds, and says who holds the rest', async () => {
    const { outputs, submit } = commandsIn('held');
    const release = await takeLock(outputs.lock('earnings'), new Date());
    const ended = await submit();
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Another run holds') });
    expect([ended.stdout.match(/^Submitted .*\(wcb\)/gm)?.length, submitted()]).toEqual([1, ['wcb']]);
    await release();
  });

  it('hands over the other dataset where one is not taken, which is a failed night of that', async () => {
    const { call, submit } = commandsIn('refused');
    setProgram(
      'sbatch',
      `case "$*" in *-wcb-*) echo 'no more jobs' >&2; exit 1;; esac; echo "$@" >> '${given}'; echo 1`,
    );
    const ended = await submit();
    expect(ended).toMatchObject({ code: 1, stderr: 'fintext: sbatch ended with 1: no more jobs\n' });
    expect(submitted()).toEqual(['earnings']);
    const morning = await call('status', '--quick');
    expect([morning.code, morning.stderr]).toEqual([1, expect.stringContaining('Look at wcb')]);
    expect(morning.stdout).toMatch(/FAILED just now.*\n\s+sbatch ended with 1: no more jobs/);

    setProgram('sbatch', `echo "$@" >> '${given}'; echo 1`);
    expect(await call('jobs', 'resume')).toMatchObject({ code: 0 });
    expect(submitted()).toEqual(['earnings', 'wcb']);
  });

  it('is in the morning what nobody goes on with, where its tasks are gone and it has not published', async () => {
    const { call, submit } = commandsIn('stalled');
    expect(await submit('--dataset', 'wcb')).toMatchObject({ code: 0 });
    const trouble = 'Look at wcb: nobody goes on with its job';
    const look = () => call('status', '--quick', '--dataset', 'wcb');
    expect(await look()).toMatchObject({ code: 1, stderr: expect.stringContaining(trouble) });
    setProgram('squeue', 'echo "$3 RUNNING None" | sed \'s/--name=//; s/,[^ ]*//\'');
    expect(await look()).toMatchObject({ code: 0, stdout: expect.stringMatching(/job .* is under way/) });
    expect(await call('rebuild', '--dataset', 'wcb', '--input', input)).toMatchObject({ code: 0 });
    expect((await look()).stdout).not.toMatch(/^ {2}job /m);
  });

  it('takes back the steps that were taken where a later one is not', async () => {
    const { submit } = commandsIn('half');
    const cancelled = join(root, 'cancelled');
    setProgram('sbatch', 'case "$*" in *-answer*) echo \'no more jobs\' >&2; exit 1;; esac; echo 1');
    setProgram('scancel', `echo "$@" >> '${cancelled}'`);
    expect(await submit('--dataset', 'wcb')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no more jobs'),
    });
    expect(readFileSync(cancelled, 'utf8')).toMatch(/-read\n.*-cut\n/);
  });

  it('is still seen in the morning where a second one was refused because of it', async () => {
    const { call, submit } = commandsIn('twice');
    expect(await submit('--dataset', 'wcb')).toMatchObject({ code: 0 });
    setProgram('squeue', `grep -o 'fintext-wcb-[^ ]*-read' '${given}' | head -1 | sed 's/$/ RUNNING None/'`);
    expect(await submit('--dataset', 'wcb')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is under way'),
    });
    const { stdout } = await call('status', '--quick', '--dataset', 'wcb');
    expect(stdout).toMatch(/FAILED just now/);
    expect(stdout).toMatch(/job +\d{14}-[0-9a-f]{6}, made .*, is under way/);
  });

  it('takes no name of attempts, which nobody would look at', async () => {
    const { code, stderr } = await commandsIn('attempts').submit('--attempts', 'night');
    expect([code, stderr, submitted()]).toEqual([2, expect.stringContaining('--attempts is for a run on one'), []]);
  });
});
