import querystring from 'node:querystring';
import { RunError } from '../../../src/errors.js';
import type { RunRecord } from './record.js';

const PATIENCE_MS = 10_000;

/**
 * Posts the record as JSON. Follows no redirect. A user and a password of the address are sent as HTTP has it (Basic).
 *
 * @param patienceMs how long it waits for the answer
 * @throws RunError that names the host and not the address, which may hold a secret
 */
export const postRecord = async (address: string, record: RunRecord, patienceMs = PATIENCE_MS): Promise<void> => {
  const url = new URL(address);
  const { host, username, password } = url;
  const user = Buffer.from(`${querystring.unescape(username)}:${querystring.unescape(password)}`).toString('base64');
  // `fetch` takes no address that holds them.
  Object.assign(url, { username: '', password: '' });
  let status: number;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'fintext-metrics',
        ...(`${username}${password}` !== '' && { authorization: `Basic ${user}` }),
      },
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
