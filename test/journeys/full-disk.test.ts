/** Runs on disks too small for them, each full at another place; then there is room. With FINTEXT_FAULTS more sizes. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database.js';
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

  it('is named where a sort needs it', async () => {
    const disk = mountDisk(join(small.folder, 'temporary'), 4096);
    const temporaryFolder = join(disk.folder, 'scratch');
    const database = await openDatabase({ memoryMb: 48, temporaryFolder, threads: 1 });
    try {
      const sorted =
        'SELECT md5(i::VARCHAR) AS a, repeat(md5(i::VARCHAR), 20) AS b FROM range(400_000) t(i) ORDER BY a';
      await expect(database.writeQuery(sorted, join(small.folder, 'sorted.parquet'))).rejects.toMatchObject({
        code: 'ENOSPC',
        message: `No space left on device for what is sorted in ${temporaryFolder}`,
      });
    } finally {
      database.close();
      disk.close();
    }
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
