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

it('help is no unknown command', async () => {
  const { code, stdout } = await fintext(['help']);
  expect(code).toBe(0);
  expect(stdout).toContain('fintext rebuild');
});
