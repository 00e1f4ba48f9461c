import { RunError } from '../../../src/errors.js';
import type { RunRecord } from './record.js';

const PATIENCE_MS = 10_000;

/**
 * Posts the record as JSON. Follows no redirect.
 *
 * @param patienceMs how long it waits for the answer
 * @throws RunError that names the host and not the address, which may hold a secret
 */
export const postRecord = async (address: string, record: RunRecord, patienceMs = PATIENCE_MS): Promise<void> => {
  const { host } = new URL(address);
  let status: number;
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'fintext-metrics' },
      body: JSON.stringify(record),
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    status = answer.status;
    await answer.body?.cancel();
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new RunError(late ? `${host} did not answer in ${patienceMs / 1000} s.` : `${host} cannot be reached.`, {
      cause: error,
    });
  }
  if (status < 200 || status > 299) throw new RunError(`${host} answered ${status}.`);
};
