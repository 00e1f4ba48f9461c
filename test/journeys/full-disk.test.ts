/** Runs on disks too small for them, each full at another place; then there is room. With FINTEXT_FAULTS more sizes. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureBytes } from '../../src/files.js';
import { findMountFault, mountDisk } from '../support/disk.js';
import { findServed, listTree, openSmall, rebuildSmall, type Small } from '../support/faults/rig.js';

/** Of what the undisturbed run takes. */
const SHARES =
  process.env.FINTEXT_FAULTS === undefined
    ? [0.2, 0.5, 0.8]
    : Array.from({ length: 18 }, (_none, at) => 0.05 * (at + 1));

const fault = findMountFault();
const small: Small = await openSmall();
afterAll(() => small.close());

describe.skipIf(fault !== undefined)(`a full disk${fault === undefined ? '' : ` (${fault})`}`, () => {
  const [input] = small.nights;
  const undisturbed = join(small.folder, 'undisturbed');
  let id: string | undefined;
  let kilobytes = 0;

  beforeAll(async () => {
    expect((await rebuildSmall(input, undisturbed)).code).toBe(0);
    id = (await findServed(undisturbed)).id;
    kilobytes = (await measureBytes(undisturbed)) / 1024;
  });

  it('ends the run with what to do, and once there is room the next run ends in the same snapshot', async () => {
    expect(kilobytes).toBeGreaterThan(600);
    for (const share of SHARES) {
      const disk = mountDisk(join(small.folder, 'disk'), Math.round(kilobytes * share));
      try {
        const outputs = join(disk.folder, 'outputs');
        const ended = await rebuildSmall(input, outputs);
        const about = `with ${share} of the room: ${ended.stderr}`;
        expect(ended.code, about).toBe(1);
        expect(ended.stderr, about).toMatch(/^fintext: [^\n]*no space left on device[^\n]*free some space[^\n]*\n$/i);
        expect(ended.stderr, about).toContain(outputs);
        expect(await findServed(outputs)).toEqual({ id: undefined, faults: [] });

        disk.resize(64 * 1024);
        const again = await rebuildSmall(input, outputs);
        expect(again.code, again.stderr).toBe(0);
        expect(await findServed(outputs)).toEqual({ id, faults: [] });
        expect(await listTree(outputs)).toEqual(await listTree(undisturbed));
      } finally {
        disk.close();
      }
    }
  }, 600_000);
});
