import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { jobs } from '../../../../src/cli/commands/jobs.js';
import { fintext } from '../../../support/fintext.js';
import { temporaryFolder } from '../../../support/rig.js';

const root = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

it('resume that is stopped takes nobody’s tasks away of the datasets that it has not come to', async () => {
  const programs = join(root, 'bin');
  const told = join(root, 'told');
  mkdirSync(programs);
  for (const name of ['sbatch', 'squeue', 'scancel'])
    writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@" >> '${told}'\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH}`);
  const outputs = join(root, 'outputs');
  const submitted = await fintext(['rebuild', '--executor', 'slurm', '--outputs', outputs, '--log', 'quiet']);
  expect(submitted.stdout.match(/^Submitted/gm), submitted.stderr).toHaveLength(2);

  const stopping = new AbortController();
  const stopped = new Error('Stopped.');
  const context = {
    print: async () => stopping.abort(stopped),
    present: () => () => undefined,
    signal: stopping.signal,
    now: () => new Date(),
    columns: undefined,
  };
  const flags = { _: [], $0: 'fintext', action: 'resume', outputs, log: 'quiet' };
  await expect(jobs(context).handler(flags)).rejects.toBe(stopped);
  const cancelled = readFileSync(told, 'utf8').match(/(?<=^scancel .*fintext-)(wcb|earnings)/gm);
  expect(new Set(cancelled)).toEqual(new Set(['wcb']));
});
