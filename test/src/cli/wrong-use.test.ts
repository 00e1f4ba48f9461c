import { expect, it } from 'vitest';
import { fintext } from '../../support/fintext.js';

it.each([
  ['rebuidl', [], ' Did you mean fintext rebuild?'],
  ['Rebuild', [], ' Did you mean fintext rebuild?'],
  ['rebulid', ['--full'], ' Did you mean fintext rebuild?'],
  ['snapshot', ['list', '--dataset', 'wcb'], ' Did you mean fintext snapshots?'],
  ['key', ['list', '--help'], ' Did you mean fintext keys?'],
  ['publish', [], ''],
  ['__proto__', [], ''],
  ['', [], ''],
])('the command "%s" with %j is unknown, and what is near is named', async (command, more, meant) => {
  const { code, stdout, stderr } = await fintext([command, ...more]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `fintext: There is no command "${command}".${meant} fintext --help lists the commands.\n`,
  });
});

it.each([
  [['status', '--log', 'quiet'], 'status takes no --log'],
  [['rebuild', 'corpora', '--inptu=x'], 'rebuild takes no --inptu, corpora'],
  [['snapshots', 'list'], 'snapshots needs --dataset'],
  [['rebuild', '--input'], '--input needs a value'],
  [
    ['snapshots', 'lst', '--dataset', 'wcb'],
    'action is one of "list", "history", "diff", "verify", "rollback", "prune"; not "lst"',
  ],
  [['status', '--dataset', 'all'], '--dataset is one of "wcb", "earnings"; not "all"'],
  [['explain'], 'Something is missing behind explain'],
])('of %j it is said what is wrong, and where the right use stands', async (typed, wrong) => {
  const { code, stdout, stderr } = await fintext(typed);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `fintext: ${wrong}; see fintext ${typed[0]} --help.\n`,
  });
});

it('the command is named also where flags stand before it', async () => {
  const { code, stderr } = await fintext(['--dataset', 'wcb', 'rebuild', '--nope']);
  expect([code, stderr]).toEqual([2, 'fintext: rebuild takes no --nope; see fintext rebuild --help.\n']);
});

it('help is no unknown command', async () => {
  const { code, stdout } = await fintext(['help']);
  expect(code).toBe(0);
  expect(stdout).toContain('fintext rebuild');
});

it('the help of a command begins with what it is told, before the settings that all share', async () => {
  const { stdout } = await fintext(['explain', '--help']);
  const headings = stdout.match(/^[A-Z]\w+:$/gm);
  expect(headings).toEqual(['Positionals:', 'Options:', 'Settings:', 'Examples:']);
  expect((await fintext(['rebuild', '--help'])).stdout.indexOf('--input')).toBeLessThan(800);
});
