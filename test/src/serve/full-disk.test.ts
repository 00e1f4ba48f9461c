import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../src/accounts/open.js';
import { outputsIn } from '../../../src/outputs.js';
import { findMountFault, mountDisk } from '../../support/disk.js';
import { fintext } from '../../support/fintext.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { startService } from '../../support/service.js';

const folder = temporaryFolder();
const fault = findMountFault();

/** Leaves no room on a disk. */
const fill = (file: string): void => {
  try {
    writeFileSync(file, Buffer.alloc(8_000_000));
  } catch {
    expect(existsSync(file)).toBe(true);
  }
};

describe.skipIf(fault !== undefined)('accounts on a disk that is full', () => {
  it('count nothing: ready is 503 and says why, the log says once what to do, and both when it is well', async () => {
    const disk = mountDisk(join(folder, 'served'), 512);
    const outputs = outputsIn(join(folder, 'outputs'));
    await publish({ outputs, dataset: 'wcb', documents: 40, seed: 1 });
    const accounts = await openAccounts(join(disk.folder, 'accounts.db'));
    const service = await startService(folder, { outputs, accounts });
    let answered = 0;
    const ask = async (): Promise<number> => {
      const { status } = await service.get('/v1/metrics/wcb/documents?limit=1');
      if (status === 200) answered += 1;
      return status;
    };
    const ready = async (): Promise<readonly [number, unknown]> => {
      const response = await fetch(`${service.address}/health/ready`);
      return [response.status, ((await response.json()) as { detail?: string }).detail];
    };
    const told = (): unknown[] => service.lines.filter(({ msg }) => String(msg).startsWith('accounts-'));
    try {
      expect([await ask(), (await ready())[0]]).toEqual([200, 200]);
      fill(join(disk.folder, 'fill'));
      // What the log of the database has room for is still counted.
      await expect.poll(ask).toBe(503);
      for (let request = 0; request < 10; request += 1) expect(await ask()).toBe(503);
      const reason = 'Accounts cannot be used: the disk is full; the log says what to do';
      for (let look = 0; look < 3; look += 1) expect(await ready()).toEqual([503, reason]);
      expect(told()).toEqual([
        expect.objectContaining({ level: 50, msg: 'accounts-failed', reason: expect.stringContaining(disk.folder) }),
      ]);
      expect(told()).toMatchObject([
        { reason: expect.stringMatching(/cannot be used: .*\. Make room on the disk of /) },
      ]);

      rmSync(join(disk.folder, 'fill'));
      // Nobody comes while it is not ready: it finds out by itself.
      expect((await ready())[0]).toBe(200);
      expect(await ask()).toBe(200);
      // What was tried was not counted.
      expect(await (await service.get('/v1/usage/me')).json()).toMatchObject({ quota: { used: answered } });
      expect(told()).toMatchObject([{ msg: 'accounts-failed' }, { msg: 'accounts-well' }]);
    } finally {
      await service.stop();
      await accounts.close();
      disk.close();
    }
  });

  it('take no key: the command says what to do', async () => {
    const disk = mountDisk(join(folder, 'keys'), 512);
    try {
      const file = join(disk.folder, 'accounts.db');
      const create = () =>
        fintext(['keys', 'create', '--email', 'name@example.org', '--accounts', file], { cwd: folder });
      expect((await create()).code).toBe(0);
      fill(join(disk.folder, 'fill'));
      const { code, stdout, stderr } = await create();
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`Make room on the disk of ${disk.folder}`);
    } finally {
      disk.close();
    }
  });
});
