import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryPoint } from '../../../src/package-root.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const CLASSIFY = ['classify', '--model', 'cb_stance_label', '--device', 'cpu', '--workers', '1'];
const TEXTS = 'The Committee decided to raise the policy rate.\nThe Committee decided to cut the policy rate.\n';

const labelsOf = (stdout: string): readonly string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly label: string }).label);

const openFolder = (): string => {
  const folder = mkdtempSync(join(root, 'classify-'));
  writeFileSync(join(folder, 'texts.txt'), TEXTS);
  return folder;
};

it.each([
  ['a file', 'fintext texts.txt'],
  ['a pipe', 'cat texts.txt | fintext'],
  ['stdin by a dash', 'fintext - < texts.txt'],
  ['a pipe by its name', 'cat texts.txt | fintext /dev/stdin'],
  ['stdin by its name', 'fintext /dev/stdin < texts.txt'],
  ['a process substitution', 'fintext <(cat texts.txt)'],
  ['a named pipe', 'mkfifo pipe; cat texts.txt > pipe & fintext pipe'],
  ['a device without a line', 'fintext texts.txt; fintext /dev/null'],
])('classify reads %s', (_what, script) => {
  const call = [process.execPath, entryPoint('src/cli/fintext'), ...CLASSIFY].map((word) => `'${word}'`).join(' ');
  const ended = spawnSync('bash', ['--norc', '-uc', `fintext() { ${call} "$@"; }\n${script}`], {
    cwd: openFolder(),
    encoding: 'utf8',
  });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  expect(labelsOf(ended.stdout)).toEqual(['Hawkish', 'Dovish']);
});

it('classify reads /dev/stdin also where it is a socket', async () => {
  const { code, stdout } = await fintext([...CLASSIFY, '/dev/stdin'], { input: TEXTS });
  expect([code, labelsOf(stdout)]).toEqual([0, ['Hawkish', 'Dovish']]);
});

it('classify answers each line once, whatever else ends a line elsewhere, and the last one without an end too', async () => {
  const input = 'Rates rise.\u2028More of it.\r\nRates\rfall.\n\nRates are what they were.';
  const { code, stdout } = await fintext(CLASSIFY, { input });
  expect([code, labelsOf(stdout).length]).toEqual([0, 4]);
});

it.each([
  ['nothing.txt', 'There is no file nothing.txt.'],
  ['texts.txt/below', 'There is no file texts.txt/below.'],
  ['folder', 'folder is a folder; name a file of texts, one a line.'],
  ['', 'The file has no name: leave it out to read stdin.'],
])('classify refuses "%s"', async (file, message) => {
  const cwd = openFolder();
  mkdirSync(join(cwd, 'folder'));
  const { code, stdout, stderr } = await fintext([...CLASSIFY, file], { cwd });
  expect([code, stdout, stderr]).toEqual([2, '', `fintext: ${message}\n`]);
});
