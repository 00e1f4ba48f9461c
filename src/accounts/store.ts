/** What a store of accounts does, and no more: rules and words are `ledger.ts`. Instants are ISO 8601, UTC. */
import { z } from 'zod';
import { TIER_NAMES } from './tiers.js';

const instant = z.union([z.iso.datetime(), z.date().transform((date) => date.toISOString())]);
const whole = z.coerce.number().int();

/** A key with its account, as a row of either store becomes what the program holds. */
export const keyRowSchema = z.object({
  key_id: z.string(),
  hash: z.string(),
  prefix: z.string(),
  key_created_at: instant,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  replaced_by: z.string().nullable(),
  account_id: z.string(),
  email: z.string(),
  org: z.string(),
  tier: z.enum(TIER_NAMES),
  /** null: what the tier allows. */
  monthly_limit: whole.nullable(),
  batch_size: whole.nullable(),
  member_since: instant,
});

export type KeyRow = z.output<typeof keyRowSchema>;

export const listedKeySchema = keyRowSchema.extend({ used: whole });
export type ListedKey = z.output<typeof listedKeySchema>;

export const countedSchema = z.object({ granted: whole, used: whole });
export type Counted = z.output<typeof countedSchema>;

/** One row a day that has requests; `day` is null in the only row of an account without any. */
export const usageRowSchema = z.object({
  day: z.string().nullable(),
  requests: whole.nullable(),
  used: whole,
  lifetime: whole,
});
export type UsageRow = z.output<typeof usageRowSchema>;

export interface StoredAccount {
  readonly account_id: string;
  readonly email: string;
  readonly org: string;
  readonly tier: string;
  readonly monthly_limit: number | null;
  readonly batch_size: number | null;
  readonly created_at: string;
}

export interface StoredKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly lookup: string;
  readonly hash: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** Where a request is counted. */
export interface Place {
  readonly accountId: string;
  /** YYYY-MM-DD; its month is where the limit holds. */
  readonly day: string;
  /** Requests a month. */
  readonly limit: number;
}

/** Every method rejects with `AccountsUnavailable` where the store does not do it. */
export interface Store {
  /** Keys whose hash begins so. */
  readonly findByLookup: (lookup: string) => Promise<readonly KeyRow[]>;
  readonly findById: (keyId: string) => Promise<KeyRow | undefined>;
  /** Every key, by creation, then id; `used` is of that month (YYYY-MM). */
  readonly list: (month: string) => Promise<readonly ListedKey[]>;

  /**
   * In one atomic step: uncounts `returned`, then counts as many of `wanted` as the limit leaves room for. Says how
   * many those were, and the month's count after it. Committed when it resolves; 0 wanted and 0 returned are written
   * too.
   */
  readonly count: (place: Place, wanted: number, returned: number) => Promise<Counted>;
  /** Days from `first` to `last` inclusive that have requests, the month's count and the count of all months. */
  readonly readUsage: (
    accountId: string,
    month: string,
    first: string,
    last: string,
  ) => Promise<readonly [UsageRow, ...UsageRow[]]>;

  readonly addAccount: (account: StoredAccount, key: StoredKey) => Promise<void>;
  /** Ends a key, unless it was revoked before. */
  readonly revoke: (keyId: string, at: string) => Promise<void>;
  /** Adds a key in place of another that ends at `endsAt` at the latest; false, and nothing done, where that one was revoked or replaced. */
  readonly replace: (keyId: string, endsAt: string, key: StoredKey) => Promise<boolean>;

  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}
