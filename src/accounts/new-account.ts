import { UsageError } from '../errors.js';
import type { NewAccount } from './accounts.js';
import { makeId } from './keys.js';
import type { StoredAccount } from './store.js';
import { TIERS } from './tiers.js';

/** The most that an enterprise account can be given. */
const MOST = { monthlyLimit: 1_000_000_000_000, batchSize: 10_000 } as const;

/** What was asked for, as it is stored; throws a UsageError that says what is allowed. */
export const checkNewAccount = (wanted: NewAccount, now: Date): StoredAccount => {
  const { email, org = '', tier, monthlyLimit, batchSize, expiresAt } = wanted;
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254 || hasControls(email)) {
    throw new UsageError(`--email is an address such as name@example.org; not "${printable(email)}".`);
  }
  if (org.length > 200 || hasControls(org)) throw new UsageError('--org is one line of at most 200 characters.');
  if (TIERS[tier].limits === 'of the plan' && (monthlyLimit !== undefined || batchSize !== undefined)) {
    throw new UsageError(`--monthly-limit and --batch-size go with --tier enterprise; ${tier} has its own.`);
  }
  if (TIERS[tier].limits === 'by account' && monthlyLimit === undefined) {
    throw new UsageError(`--tier ${tier} needs --monthly-limit, in requests a month.`);
  }
  checkWhole('--monthly-limit', monthlyLimit, MOST.monthlyLimit);
  checkWhole('--batch-size', batchSize, MOST.batchSize);
  if (expiresAt !== undefined && !(expiresAt > now)) throw new UsageError('--expires is in the past.');
  return {
    account_id: makeId('acc'),
    email,
    org: org.trim(),
    tier,
    monthly_limit: monthlyLimit ?? null,
    batch_size: batchSize ?? null,
    created_at: now.toISOString(),
  };
};

const checkWhole = (flag: string, value: number | undefined, most: number): void => {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return;
  throw new UsageError(`${flag} is a whole number from 1 to ${most}; not ${value}.`);
};

// A list is printed to terminals, which obey control characters.
const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?').slice(0, 80);
