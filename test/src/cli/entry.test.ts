import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { entryPoint } from '../../../src/package-root.js';

const run = promisify(execFile);

it('what is built runs by itself, as a cron line or a link to it would call it', async () => {
  const { stdout } = await run(entryPoint('src/cli/fintext'), ['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
