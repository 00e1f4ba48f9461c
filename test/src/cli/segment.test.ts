import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryPoint, packagePath } from '../../../src/package-root.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const SAMPLES = readdirSync(packagePath('data', 'sample'), { recursive: true, encoding: 'utf8' }).sort();
const SENTENCES = ['The Committee decided to raise the policy rate.', 'Inflation is too high.'];
const TRANSCRIPT = [{ speaker: 'Jane Roe', title: 'CEO', text: SENTENCES.join(' ') }];

interface Sentence {
  readonly text: string;
  readonly speaker?: string;
}

const sentencesOf = (stdout: string): readonly Sentence[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sentence);

const openFolder = (): string => {
  const folder = mkdtempSync(join(root, 'segment-'));
  mkdirSync(join(folder, 'temporary'));
  writeFileSync(join(folder, 'minutes.txt'), `${SENTENCES.join(' ')}\n`);
  return folder;
};

const shell = (cwd: string, script: string) => {
  const call = [process.execPath, entryPoint('src/cli/fintext'), 'segment'].map((word) => `'${word}'`).join(' ');
  return spawnSync('bash', ['--norc', '-uc', `fintext() { ${call} "$@"; }\n${script}`], {
    cwd,
    env: { ...process.env, TMPDIR: join(cwd, 'temporary') },
    encoding: 'utf8',
  });
};

it.each([
  ['a file', 'fintext minutes.txt'],
  ['a pipe', 'cat minutes.txt | fintext -'],
  ['a pipe by its name', 'cat minutes.txt | fintext /dev/stdin'],
  ['stdin', 'fintext - < minutes.txt'],
  ['a process substitution', 'fintext <(cat minutes.txt)'],
  ['a file by the number that the shell gave it', 'fintext /dev/fd/3 3< minutes.txt'],
  ['a named pipe, whatever its name says', 'mkfifo pipe.pdf; cat minutes.txt > pipe.pdf & fintext pipe.pdf'],
])('segment reads %s, and leaves nothing behind', (_what, script) => {
  const cwd = openFolder();
  const ended = shell(cwd, script);
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  expect(sentencesOf(ended.stdout).map(({ text }) => text)).toEqual(SENTENCES);
  expect(readdirSync(join(cwd, 'temporary'))).toEqual([]);
});

it('segment reads - also where it is a socket', async () => {
  const { code, stdout } = await fintext(['segment', '-'], { input: SENTENCES.join(' ') });
  expect([code, sentencesOf(stdout).length]).toEqual([0, 2]);
});

it('segment takes a text that begins like JSON for a text', async () => {
  const { code, stdout } = await fintext(['segment', '-'], { input: `[Applause] ${SENTENCES.join(' ')}` });
  expect([code, sentencesOf(stdout).at(-1)?.text]).toEqual([0, SENTENCES[1]]);
});

it('segment tells a transcript by what it holds, and who speaks in it', async () => {
  const { stdout, stderr } = await fintext(['segment', '-'], { input: JSON.stringify(TRANSCRIPT, null, 1) });
  expect(stderr).toBe('');
  const said = sentencesOf(stdout).slice(-2);
  expect(said.map(({ text, speaker }) => [text, speaker])).toEqual(SENTENCES.map((text) => [text, 'Jane Roe']));
});

it.each(['pdf', 'docx', 'html'])('segment reads a %s that is piped as it reads the file', (ending) => {
  const cwd = openFolder();
  const [found = 'none'] = SAMPLES.filter((name) => name.endsWith(`.${ending}`) && !name.includes('truncated'));
  cpSync(packagePath('data', 'sample', found), join(cwd, `a.${ending}`));
  const [named, piped] = [`fintext a.${ending}`, `cat a.${ending} | fintext -`].map((script) => shell(cwd, script));
  expect([named?.status, piped?.stderr]).toEqual([0, '']);
  expect(piped?.stdout).toBe(named?.stdout);
});

it.each([
  ['-', '-: The file is empty (0 bytes).', ''],
  ['-', '- holds an image, which no format reads.', '\u0047IF89a'],
  ['/dev/zero', '/dev/zero gives more than 64 MiB, which are read at most.', ''],
])('segment refuses %s: %s', async (file, message, input) => {
  const { code, stdout, stderr } = await fintext(['segment', file], { input });
  expect([code, stdout, stderr]).toEqual([2, '', `fintext: ${message}\n`]);
});

it('segment of a file without a name says so, and not that the folder it stands in is none', async () => {
  const { code, stderr } = await fintext(['segment', '']);
  expect([code, stderr]).toEqual([2, 'fintext: The file has no name: name one, or give - to read stdin.\n']);
});
