import { expect, it } from 'vitest';
import { fintext } from '../../support/fintext.js';

it('a name of attempts that is empty, as an unset variable leaves it, is refused: any two runs would share it', async () => {
  const { code, stderr } = await fintext(['rebuild', '--attempts', '']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'fintext: --attempts is empty: give the name that this night has.\n',
  });
});
