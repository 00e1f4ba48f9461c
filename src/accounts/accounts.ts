/**
 * API keys, tiers, quotas and usage: the one interface that the HTTP layer and `fintext keys` see. Two stores answer
 * it, a file (`embedded.ts`) and PostgreSQL (`postgres.ts`), with the same semantics, held by the same tests.
 *
 * An account is who pays: e-mail, tier, limits, usage. A key opens an account. `create` makes one of each; `rotate`
 * gives the same account a second key, so that quota and history go on.
 */
import { RunError } from '../errors.js';
import type { Tier } from './tiers.js';

export type { Tier } from './tiers.js';

/** Whom a key belongs to, as it was when the key was looked up. */
export interface Account {
  readonly accountId: string;
  /** The key that was used: short, no secret, fit for a log line. */
  readonly keyId: string;
  readonly email: string;
  /** Empty where none was given. */
  readonly org: string;
  readonly tier: Tier;
  /** Requests a calendar month, UTC; 1 or more. */
  readonly monthlyLimit: number;
  /** Texts a call of inference; 1 or more. */
  readonly batchSize: number;
  /** When the account was made: ISO 8601, UTC, whole seconds. */
  readonly memberSince: string;
}

/** Where an account stands in the current month. */
export interface Quota {
  readonly limit: number;
  /** Requests counted so far, the one just granted among them. */
  readonly used: number;
  /** Never below 0. */
  readonly remaining: number;
  /** First instant of the next month: ISO 8601, UTC. */
  readonly resetsAt: string;
  /** Whole seconds until then, rounded up; 1 or more. */
  readonly resetsInSeconds: number;
}

/** One request may go on, and is already counted. Keep it: `giveBack` takes it. */
export interface Grant {
  readonly granted: true;
  readonly quota: Quota;
  /** What was counted, and where: a request that ends after midnight gives back to the day it was taken from. */
  readonly counted: { readonly accountId: string; readonly day: string };
}

/** One request may not go on, and nothing was counted. */
export interface Refusal {
  readonly granted: false;
  /** `month`: the quota is spent. `burst`: too many at once; clears in seconds. */
  readonly which: 'month' | 'burst';
  /** Requests that `windowSeconds` allow: the monthly limit, or the most at once. */
  readonly limit: number;
  /** Length of the limit's window: the days of this month, or the seconds in which an empty bucket is full again. */
  readonly windowSeconds: number;
  readonly used: number;
  /** When a request will be granted again: ISO 8601, UTC. */
  readonly resetsAt: string;
  /** For `Retry-After`: whole seconds, rounded up; 1 or more. For `burst` never more than 7. */
  readonly retryAfterSeconds: number;
}

/** The answer of `GET /v1/usage/me`, field by field as the interface names them. */
export interface UsageRecord {
  readonly email: string;
  readonly tier: Tier;
  /** Empty where none was given. */
  readonly org: string;
  readonly quota: {
    readonly monthly_limit: number;
    readonly used: number;
    /** Never below 0. */
    readonly remaining: number;
    /** Two decimals. */
    readonly usage_percent: number;
    readonly resets_at: string;
    /** YYYY-MM */
    readonly period: string;
  };
  /** YYYY-MM-DD (UTC) to requests: `period_days` entries ending today, oldest first, zero days included. */
  readonly daily_usage: Readonly<Record<string, number>>;
  readonly period_days: number;
  readonly total_requests_period: number;
  readonly lifetime: { readonly total_requests: number; readonly member_since: string };
}

/** What is needed to make an account and its first key. */
export interface NewAccount {
  readonly email: string;
  readonly org?: string | undefined;
  readonly tier: Tier;
  /** Enterprise only, and there needed: the other tiers' limits are in `tiers.ts`. */
  readonly monthlyLimit?: number | undefined;
  /** Enterprise only; default as the other tiers. */
  readonly batchSize?: number | undefined;
  /** First instant at which the key no longer works. */
  readonly expiresAt?: Date | undefined;
}

/** A key just made. `key` is the secret, which exists nowhere else: show it once. */
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** A key as it is listed; instants are ISO 8601, UTC. */
export interface KeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  /** How the key begins: enough to tell it from others, not enough to use it. */
  readonly prefix: string;
  readonly email: string;
  readonly org: string;
  readonly tier: Tier;
  readonly monthlyLimit: number;
  readonly batchSize: number;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: string;
  /** First instant at which it no longer works, or null. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The key that a rotation put in its place, or null. */
  readonly replacedBy: string | null;
  /** Requests of its account in the current month. */
  readonly used: number;
}

/** The least and most days that `usage` covers, and the default of `GET /v1/usage/me`. */
export const USAGE_DAYS = { least: 1, most: 365, fallback: 30 } as const;

/**
 * Every method rejects with `AccountsUnavailable` while the store cannot be reached or written, or stays locked (503).
 * `now` is the caller's clock; all dates are UTC.
 */
export interface Accounts {
  /**
   * The account of a key; undefined where it is malformed, unknown, revoked or expired, with no telling which.
   * A slip of the pen costs no look-up. Found by hash, compared in constant time. A revocation by another process
   * is seen within a second.
   */
  readonly findByKey: (key: string, now: Date) => Promise<Account | undefined>;

  /**
   * Only the burst limit, for what is not counted (`/v1/usage/me`): undefined where the request may go on.
   * Kept in this process; `take` asks it by itself.
   */
  readonly pace: (account: Account, now: Date) => Refusal | undefined;

  /**
   * Counts one request, if one is left. Exact under any concurrency and in any number of processes: with 100 left and
   * 400 at once, 100 are granted. A grant is in the store before it is returned, so that `kill -9` loses none; a
   * request whose process dies before it answered stays counted.
   */
  readonly take: (account: Account, now: Date) => Promise<Grant | Refusal>;

  /** Uncounts a request that ended in 5xx or 304. A second time for the same grant does nothing. */
  readonly giveBack: (grant: Grant) => Promise<void>;

  /**
   * The usage record of an account. Counts nothing, and answers when the quota is spent.
   *
   * @param days a whole number within `USAGE_DAYS`; a RangeError otherwise
   */
  readonly usage: (account: Account, days: number, now: Date) => Promise<UsageRecord>;

  /** Makes an account and its first key. Throws a UsageError for an e-mail or a limit that cannot be. */
  readonly create: (wanted: NewAccount, now: Date) => Promise<IssuedKey>;

  /** Every key that was ever made, oldest first, then by id. */
  readonly list: (now: Date) => Promise<readonly KeyRecord[]>;

  /** Ends a key at once. One that has ended stays as it is. Throws a UsageError where there is no such key. */
  readonly revoke: (keyId: string, now: Date) => Promise<KeyRecord>;

  /**
   * Gives the key's account a new key, which inherits the old one's expiry; the old one works for `overlapSeconds`
   * more, or until its own end if that is sooner. Throws a UsageError where there is no such key, or it has ended or
   * was rotated before.
   */
  readonly rotate: (
    keyId: string,
    options: { readonly overlapSeconds: number },
    now: Date,
  ) => Promise<IssuedKey & { readonly replaced: KeyRecord }>;

  /**
   * Whether the store answers, and counts if it failed to do so last: resolves, or rejects with `AccountsUnavailable`.
   * For `/health/ready`.
   */
  readonly check: () => Promise<void>;

  /** Waits for what is under way, then lets the store go. */
  readonly close: () => Promise<void>;
}

/**
 * The store cannot be reached or written, or stayed locked: nothing is known about the key, or nothing can be counted, so
 * the answer is 503, not 401.
 */
export class AccountsUnavailable extends RunError {
  override name = 'AccountsUnavailable';
  /** In few words that name no place, where it is known: the message is for who runs it, this is for everybody. */
  readonly reason: string | undefined;
  constructor(message: string, { reason, ...options }: ErrorOptions & { readonly reason?: string | undefined } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
