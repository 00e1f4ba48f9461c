import { expect, it } from 'vitest';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const cwd = temporaryFolder();

it('a name of attempts that is empty, as an unset variable leaves it, is refused, for every run would have it', async () => {
  const { code, stderr } = await fintext(['rebuild', '--attempts', ''], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'fintext: --attempts is empty: give the name that this night has.\n',
  });
});
