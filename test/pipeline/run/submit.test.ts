/** What is told of jobs that an engine does not take, or that cannot be planned, with an engine that only notes what it is given. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../../pipeline/run/lock.js';
import { outputsIn } from '../../../src/outputs.js';
import { packagePath } from '../../../src/package-root.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const programs = join(root, 'bin');
const input = join(root, 'input');
const given = join(root, 'given');
for (const folder of ['wcb-manifest', 'earnings-manifest']) {
  cpSync(packagePath('data', 'sample', folder), join(input, folder), { recursive: true });
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

  it('takes no name of attempts, which nobody would look at', async () => {
    const { code, stderr } = await commandsIn('attempts').submit('--attempts', 'night');
    expect([code, stderr, submitted()]).toEqual([2, expect.stringContaining('--attempts is for a run on one'), []]);
  });
});
