/** What holds for accounts in every store: run by `embedded.test.ts` and `postgres.test.ts`. */
import { openAccountsRig } from './accounts-rig.js';
import { describeKeys } from './suite-keys.js';
import { describeModel } from './suite-model.js';
import { describeOpening } from './suite-opening.js';
import { describeQuotas } from './suite-quotas.js';
import { describeUsage } from './suite-usage.js';

/** @param createAddress makes an empty store */
export const describeAccounts = (createAddress: () => Promise<string>): void => {
  const rig = openAccountsRig(createAddress);
  describeKeys(rig);
  describeQuotas(rig);
  describeUsage(rig);
  describeModel(rig);
  describeOpening(rig);
};
