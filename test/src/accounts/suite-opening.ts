/** What holds for opening and closing every store. */
import { describe, expect, it } from 'vitest';
import { AccountsUnavailable } from '../../../src/accounts/accounts.js';
import { type AccountsRig, enterprise, grantsOf, NOON, times } from './accounts-rig.js';

export const describeOpening = ({ open, openAccount, createAddress }: AccountsRig): void => {
  describe('opening and closing', () => {
    it('many open an empty store at once', async () => {
      const address = await createAddress();
      const all = await times(6, () => open(address));
      const { key } = await (all[0] ?? (await open(address))).create(enterprise(5), NOON);
      for (const accounts of all) expect(await accounts.findByKey(key, NOON)).toBeDefined();
    });

    it('closing waits for what is under way; after it nothing is granted', async () => {
      const { accounts, account, take } = await openAccount(enterprise(50));
      const under = times(20, () => take());
      await accounts.close();
      expect(grantsOf(await under)).toHaveLength(20);
      await expect(take()).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.check()).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.close()).resolves.toBeUndefined();
      const again = await open();
      await expect(again.check()).resolves.toBeUndefined();
      expect((await again.usage(account, 1, NOON)).quota.used).toBe(20);
    });
  });
};
