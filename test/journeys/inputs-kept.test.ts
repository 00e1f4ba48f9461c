/** A run remembers which folders it read, while it reads them: what goes wrong with that ends no run in the middle. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findServed, openSmall, rebuildSmall, type Small } from '../support/faults/rig.js';
import { fintext } from '../support/fintext.js';

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

describe('the sample does not take the place of other folders', () => {
  const withoutInput = (outputs: string) =>
    fintext(['rebuild', '--dataset', 'wcb', '--log', 'quiet', '--outputs', outputs]);
  const named = (input: string) => ({
    code: 2,
    stderr: expect.stringContaining(`Name them again: --input ${input}`) as string,
  });

  it('where what the runs wrote down was deleted, for the kept files tell where they came from', async () => {
    const outputs = join(small.folder, 'deleted');
    await rebuildSmall(small.nights[0], outputs);
    rmSync(join(outputs, 'work'), { recursive: true });
    expect(await withoutInput(outputs)).toMatchObject(named(small.nights[0]));
  });

  it('nor stand among them where several were read and what the runs wrote down was deleted: then nobody knows which', async () => {
    const outputs = join(small.folder, 'several');
    const where = ['--dataset', 'wcb', '--log', 'quiet', '--outputs', outputs];
    for (const night of small.nights) await rebuildSmall(night, outputs);
    const served = await findServed(outputs);
    rmSync(join(outputs, 'work'), { recursive: true });
    const unknown = { code: 1, stderr: expect.stringContaining(`documents of ${small.nights.join(', ')} are kept`) };
    expect(await withoutInput(outputs)).toMatchObject(unknown);
    expect(await fintext(['reprocess', ...where, '--year', '2024'])).toMatchObject(unknown);
    expect(await findServed(outputs)).toEqual(served);
  });

  it('where an engine of somebody’s own was given the tasks', async () => {
    const outputs = join(small.folder, 'planned');
    const where = ['--dataset', 'wcb', '--log', 'quiet', '--outputs', outputs];
    const planned = await fintext(['plan', ...where, '--input', small.nights[0], '--tasks', '1']);
    expect(planned.code, planned.stderr).toBe(0);
    expect(await withoutInput(outputs)).toMatchObject(named(small.nights[0]));
  });
});
