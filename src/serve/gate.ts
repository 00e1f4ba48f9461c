/** Who may ask, and how often: the key, then the quota, before anything else is done. */
import type { Account, Accounts, Grant, Quota, Refusal } from '../accounts/accounts.js';
import { HttpError, unauthorized } from './http-error.js';
import type { Access } from './routes.js';

export interface Admission {
  readonly account: Account;
  /** What was counted; given back unless the answer is one that counts. */
  readonly grant?: Grant;
}

/**
 * Lets a request in.
 *
 * @param rawHeaders names and values as they came, alternating: two keys are no key
 * @throws HttpError 401 or 429
 */
export const admit = async (
  rawHeaders: readonly string[],
  access: Exclude<Access, 'open'>,
  accounts: Accounts,
  now: Date,
): Promise<Admission> => {
  const key = readKey(rawHeaders);
  const account = key === undefined ? undefined : await accounts.findByKey(key, now);
  if (account === undefined) throw unauthorized();
  if (access === 'paced') {
    const refusal = accounts.pace(account, now);
    if (refusal !== undefined) throw tooMany(refusal);
    return { account };
  }
  const taken = await accounts.take(account, now);
  if (!taken.granted) throw tooMany(taken);
  return { account, grant: taken };
};

/** Answers that the quota counts: those that a caller got something from, or got wrong. */
export const isCounted = (status: number): boolean =>
  (status >= 200 && status < 300) || status === 400 || status === 403 || status === 404;

/** The quota as the header fields RateLimit and RateLimit-Policy. */
export const quotaHeaders = (
  { limit, remaining, resetsAt, resetsInSeconds }: Quota,
  counted: boolean,
): Record<string, string> => ({
  'ratelimit-policy': `"month";q=${limit};w=${secondsOfMonthBefore(resetsAt)}`,
  ratelimit: `"month";r=${Math.min(limit, remaining + (counted ? 0 : 1))};t=${resetsInSeconds}`,
});

const readKey = (rawHeaders: readonly string[]): string | undefined => {
  const keys = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'x-api-key');
  return keys.length === 1 ? keys[0] : undefined;
};

const tooMany = (refusal: Refusal): HttpError => {
  const { which, limit, windowSeconds, resetsAt, retryAfterSeconds } = refusal;
  const detail =
    which === 'month'
      ? `Rate limit exceeded: ${limit} requests a month are used; the quota resets at ${resetsAt}`
      : `Rate limit exceeded: more than ${limit} requests within ${windowSeconds} seconds; come again at ${resetsAt}`;
  return new HttpError(429, detail, {
    'retry-after': String(retryAfterSeconds),
    'ratelimit-policy': `"${which}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${which}";r=0;t=${retryAfterSeconds}`,
  });
};

const secondsOfMonthBefore = (resetsAt: string): number => {
  const end = new Date(resetsAt);
  return (end.getTime() - Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)) / 1000;
};
