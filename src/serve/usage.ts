import { USAGE_DAYS } from '../accounts/accounts.js';
import { type Answer, type Call, jsonAnswer } from './answer.js';
import { readQuery, wholeNumber } from './parameters.js';
import type { Service } from './service.js';

export const USAGE_QUERY = {
  days: wholeNumber('days of daily_usage, ending today', USAGE_DAYS.least, USAGE_DAYS.most, USAGE_DAYS.fallback),
};

/** `GET /v1/usage/me`: counted by nobody, answered also when the quota is spent. */
export const getUsage = async (call: Call, { accounts }: Service): Promise<Answer> => {
  const { days = USAGE_DAYS.fallback } = readQuery(USAGE_QUERY, call.query);
  if (call.account === undefined) throw new Error('Usage was reached without an account.');
  return jsonAnswer(await accounts.usage(call.account, days, call.now), { 'cache-control': 'private, no-store' });
};
