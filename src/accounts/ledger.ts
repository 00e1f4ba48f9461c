import { UsageError } from '../errors.js';
import {
  type Account,
  type Accounts,
  AccountsUnavailable,
  type Grant,
  type IssuedKey,
  type KeyRecord,
  type Quota,
  type Refusal,
  USAGE_DAYS,
} from './accounts.js';
import { openBursts } from './burst.js';
import { dayOf, daysUntil, monthLength, monthOf, nextMonth, secondsUntil, toSeconds } from './calendar.js';
import { openCounter } from './counter.js';
import { watchCounting } from './counting.js';
import { hashKey, isSameHash, isWellFormed, lookupOf, makeId, makeKey, shownPrefix } from './keys.js';
import { openLookup } from './lookup.js';
import { checkNewAccount } from './new-account.js';
import type { KeyRow, Store, StoredKey } from './store.js';
import { TIERS } from './tiers.js';

/** The rules of accounts over a store: which keys work, what is counted, what is told. */
export const openLedger = (store: Store): Accounts => {
  const bursts = openBursts();
  const counting = watchCounting(store.count);
  const counter = openCounter(counting.count);
  const lookup = openLookup(store.findByLookup);
  const givenBack = new WeakSet<Grant>();
  let closing: Promise<void> | undefined;

  const pace = (account: Account, now: Date): Refusal | undefined =>
    bursts.take(account.keyId, TIERS[account.tier].burst, now);

  const getKey = async (keyId: string): Promise<KeyRow> => {
    const row = await store.findById(keyId);
    if (row === undefined) throw new UsageError(`There is no key ${keyId}; fintext keys list shows those there are.`);
    return row;
  };

  const getRecord = async (keyId: string, now: Date): Promise<KeyRecord> => {
    const found = (await store.list(monthOf(now))).find(({ key_id }) => key_id === keyId);
    if (found === undefined) throw new UsageError(`There is no key ${keyId}; fintext keys list shows those there are.`);
    return toRecord(found, now);
  };

  const issue = async (
    accountId: string,
    expiresAt: string | null,
    now: Date,
    keep: (stored: StoredKey) => Promise<void>,
  ): Promise<IssuedKey> => {
    const key = makeKey();
    const hash = hashKey(key);
    const keyId = makeId('key');
    await keep({
      key_id: keyId,
      account_id: accountId,
      lookup: lookupOf(hash),
      hash,
      prefix: shownPrefix(key),
      created_at: now.toISOString(),
      expires_at: expiresAt,
    });
    return { key, record: await getRecord(keyId, now) };
  };

  return {
    findByKey: async (key, now) => {
      if (!isWellFormed(key)) return undefined;
      const hash = hashKey(key);
      const row = (await lookup.find(lookupOf(hash))).find((one) => isSameHash(one.hash, hash));
      return row === undefined || stateOf(row, now) !== 'active' ? undefined : toAccount(row);
    },

    pace,

    take: async (account, now) => {
      const refusal = pace(account, now);
      if (refusal !== undefined) return refusal;
      if (closing !== undefined) throw new AccountsUnavailable('The store of accounts is closed.');

      const { accountId, monthlyLimit: limit } = account;
      const day = dayOf(now);
      const { granted, used } = await counter.take({ accountId, day, limit });
      return granted
        ? { granted: true, quota: toQuota(limit, used, now), counted: { accountId, day } }
        : monthRefusal(limit, used, now);
    },

    giveBack: async (grant) => {
      if (givenBack.has(grant)) return;
      givenBack.add(grant);
      await counter.giveBack({ ...grant.counted, limit: grant.quota.limit });
    },

    usage: async (account, days, now) => {
      if (!Number.isInteger(days) || days < USAGE_DAYS.least || days > USAGE_DAYS.most) {
        throw new RangeError(`days is a whole number from ${USAGE_DAYS.least} to ${USAGE_DAYS.most}; not ${days}.`);
      }
      const dates = daysUntil(now, days);
      const rows = await store.readUsage(account.accountId, monthOf(now), dates[0] ?? dayOf(now), dayOf(now));
      const counted = new Map(rows.map(({ day, requests }) => [day, requests ?? 0]));
      const daily = dates.map((day) => [day, counted.get(day) ?? 0] as const);
      const quota = toQuota(account.monthlyLimit, rows[0].used, now);
      return {
        email: account.email,
        tier: account.tier,
        org: account.org,
        quota: {
          monthly_limit: quota.limit,
          used: quota.used,
          remaining: quota.remaining,
          usage_percent: Math.round((quota.used / quota.limit) * 10_000) / 100,
          resets_at: quota.resetsAt,
          period: monthOf(now),
        },
        daily_usage: Object.fromEntries(daily),
        period_days: days,
        total_requests_period: daily.reduce((sum, [, requests]) => sum + requests, 0),
        lifetime: { total_requests: rows[0].lifetime, member_since: account.memberSince },
      };
    },

    create: (wanted, now) => {
      const account = checkNewAccount(wanted, now);
      const expiresAt = wanted.expiresAt?.toISOString() ?? null;
      return issue(account.account_id, expiresAt, now, (key) => store.addAccount(account, key));
    },

    list: async (now) => (await store.list(monthOf(now))).map((row) => toRecord(row, now)),

    revoke: async (keyId, now) => {
      await store.revoke(keyId, now.toISOString());
      lookup.forget();
      return getRecord(keyId, now);
    },

    rotate: async (keyId, { overlapSeconds }, now) => {
      const old = await getKey(keyId);
      const state = stateOf(old, now);
      if (state !== 'active') {
        throw new UsageError(`${keyId} is ${state}: it cannot be rotated. Next: fintext keys create.`);
      }
      const endsAt = new Date(now.getTime() + overlapSeconds * 1000).toISOString();
      const issued = await issue(old.account_id, old.expires_at, now, async (key) => {
        const done = await store.replace(keyId, endsAt, key);
        lookup.forget();
        if (done) return;
        const { replaced_by } = await getKey(keyId);
        throw new UsageError(
          replaced_by === null
            ? `${keyId} was revoked meanwhile: it cannot be rotated.`
            : `${keyId} was rotated before, to ${replaced_by}: rotate that one.`,
        );
      });
      return { ...issued, replaced: await getRecord(keyId, now) };
    },

    check: async () => {
      await store.check();
      await counting.check();
    },

    close: () => {
      closing ??= counter.drain().then(() => store.close());
      return closing;
    },
  };
};

const stateOf = (row: KeyRow, now: Date): KeyRecord['state'] => {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && new Date(row.expires_at) <= now ? 'expired' : 'active';
};

const limitsOf = (row: KeyRow): Pick<Account, 'monthlyLimit' | 'batchSize'> => ({
  // The fallback is for a row that was edited by hand: an enterprise account always has a limit.
  monthlyLimit: row.monthly_limit ?? TIERS[row.tier].monthlyLimit ?? TIERS.pro.monthlyLimit,
  batchSize: row.batch_size ?? TIERS[row.tier].batchSize,
});

const toAccount = (row: KeyRow): Account => ({
  accountId: row.account_id,
  keyId: row.key_id,
  email: row.email,
  org: row.org,
  tier: row.tier,
  ...limitsOf(row),
  memberSince: toSeconds(row.member_since),
});

const toRecord = (row: KeyRow & { readonly used: number }, now: Date): KeyRecord => ({
  keyId: row.key_id,
  accountId: row.account_id,
  prefix: row.prefix,
  email: row.email,
  org: row.org,
  tier: row.tier,
  ...limitsOf(row),
  state: stateOf(row, now),
  createdAt: toSeconds(row.key_created_at),
  expiresAt: row.expires_at === null ? null : toSeconds(row.expires_at),
  revokedAt: row.revoked_at === null ? null : toSeconds(row.revoked_at),
  replacedBy: row.replaced_by,
  used: row.used,
});

const toQuota = (limit: number, used: number, now: Date): Quota => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetsAt: toSeconds(nextMonth(now)),
  resetsInSeconds: secondsUntil(nextMonth(now), now),
});

const monthRefusal = (limit: number, used: number, now: Date): Refusal => ({
  granted: false,
  which: 'month',
  limit,
  windowSeconds: monthLength(now) * 86_400,
  // Others may have given back between the refusal and the reading of the count.
  used: Math.max(limit, used),
  resetsAt: toSeconds(nextMonth(now)),
  retryAfterSeconds: secondsUntil(nextMonth(now), now),
});
