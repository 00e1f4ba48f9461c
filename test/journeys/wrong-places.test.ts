/** Commands that are pointed to where they cannot work: each says what is wrong and what to do, and shows no stack. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryPoint, packagePath } from '../../src/package-root.js';
import { type Ended, fintext } from '../support/fintext.js';
import { temporaryFolder } from '../support/rig.js';

const root = temporaryFolder();
const SAMPLE = packagePath('data', 'sample');
const quiet = (...args: readonly string[]): Promise<Ended> =>
  fintext([...args, ...(args[0] === 'rebuild' ? ['--log', 'quiet', '--input', SAMPLE] : [])]);
const oneLine = expect.stringMatching(/^fintext: (?!This should not happen).*\n$/);

describe('an outputs folder', () => {
  it('that is a file, or below one, is wrong use, whatever the command', async () => {
    const file = join(root, 'file');
    await writeFile(file, 'text');
    for (const outputs of [file, join(file, 'below')]) {
      for (const command of [['rebuild'], ['status'], ['snapshots', 'list', '--dataset', 'wcb']]) {
        const ended = await quiet(...command, '--outputs', outputs);
        expect([command[0], ended.code, ended.stderr]).toEqual([command[0], 2, oneLine]);
        expect(ended.stderr).toContain(`"${outputs}" is a file, or below one.`);
      }
    }
  });

  it.runIf(process.platform === 'linux')('that cannot be made is named, with what to do', async () => {
    const ended = await quiet('rebuild', '--dataset', 'wcb', '--outputs', '/proc/fintext/outputs');
    expect([ended.code, ended.stderr]).toEqual([1, oneLine]);
    expect(ended.stderr).toMatch(/mkdir '\/proc\/fintext.*There can be no folder of that name: name another one/);
  });

  it('of which nobody can tell any more what it was built from says so, and the sample does not stand in', async () => {
    const outputs = join(root, 'outputs');
    await mkdir(join(outputs, 'work', 'wcb'), { recursive: true });
    for (const text of ['{"inputs":["/da', '{"inputs":"/data"}', '{}', '[]', '']) {
      await writeFile(join(outputs, 'work', 'wcb', 'inputs.json'), text);
      const asked = await quiet('reprocess', '--dataset', 'wcb', '--year', '2022', '--outputs', outputs);
      expect([text, asked.code, asked.stderr]).toEqual([text, 1, oneLine]);
      expect(asked.stderr).toMatch(/wcb\/inputs\.json is damaged, .*Name the folders with --input; the next rebuild/);
    }
    const morning = await quiet('status', '--dataset', 'wcb', '--outputs', outputs);
    expect([morning.code, morning.stdout]).toEqual([0, expect.stringContaining('cannot be told: ')]);
  });
});

describe('a rebuild that names no folder', () => {
  it('does not put the sample in the place of what was built from others, and says what to type', async () => {
    const outputs = join(root, 'built');
    const mine = join(root, 'my documents');
    await mkdir(join(outputs, 'work', 'wcb'), { recursive: true });
    await writeFile(join(outputs, 'work', 'wcb', 'inputs.json'), JSON.stringify({ inputs: [mine] }));
    for (const more of [[], ['--dry-run'], ['--dataset', 'wcb', '--full']]) {
      const ended = await fintext(['rebuild', '--log', 'quiet', '--outputs', outputs, ...more]);
      expect([ended.code, ended.stderr]).toEqual([2, oneLine]);
      expect(ended.stderr).toContain(`Name them again: --input '${mine}'; or --input `);
    }
    const other = await fintext(['rebuild', '--dataset', 'earnings', '--outputs', outputs, '--dry-run']);
    expect([other.code, other.stdout]).toEqual([0, expect.stringContaining('earnings')]);
  });
});

describe.runIf(existsSync('/dev/full'))('a disk that is full under what stdout was sent to', () => {
  it('fails the command, in one line', () => {
    const command = `"${process.execPath}" "${entryPoint('src/cli/fintext')}" status --quick --outputs "${root}/none" >/dev/full`;
    const ended = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect([ended.status, ended.stderr]).toEqual([1, oneLine]);
    expect(ended.stderr).toMatch(/stdout cannot be written: ENOSPC.* The disk is full/);
  });
});
