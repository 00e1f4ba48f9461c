/** A run remembers which folders it read, while it reads them: what goes wrong with that ends no run in the middle. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findServed, openSmall, rebuildSmall, type Small } from '../support/faults/rig.js';

let small: Small;
beforeAll(async () => {
  small = await openSmall();
});
afterAll(() => small.close());

it('a run that cannot remember its folders publishes, and then says so', async () => {
  const outputs = join(small.folder, 'outputs');
  // A folder in the place of the file cannot be replaced by it.
  const taken = join(outputs, 'work', 'wcb', 'inputs.json');
  mkdirSync(taken, { recursive: true });
  writeFileSync(join(taken, 'in the way'), '');
  const ended = await rebuildSmall(small.nights[0], outputs);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^fintext: .*inputs\.json/);
  const served = await findServed(outputs);
  expect(served).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), faults: [] });

  rmSync(taken, { recursive: true });
  const again = await rebuildSmall(small.nights[0], outputs);
  expect([again.code, (await findServed(outputs)).id], again.stderr).toEqual([0, served.id]);
});
