import { stat } from 'node:fs/promises';
import { codeOf, UsageError } from '../errors.js';
import type { Accounts } from './accounts.js';
import { openLedger } from './ledger.js';

/**
 * Opens the accounts that an address names, and makes their tables where they are missing.
 *
 * @param address `postgres://…` or `postgresql://…`, else the path of a file (`:memory:` for none). Throws a UsageError
 *   for another kind of address or a file that cannot be opened, a RunError for one that holds something else, and
 *   `AccountsUnavailable` where a server does not answer
 */
export const openAccounts = async (address: string): Promise<Accounts> => {
  const scheme = schemeOf(address);
  // Only the driver that is needed is loaded: every command of `fintext` loads this module.
  if (scheme === undefined) {
    const { openEmbedded } = await import('./embedded.js');
    return openLedger(await openEmbedded(address));
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    const { openPostgres } = await import('./postgres.js');
    return openLedger(await openPostgres(address));
  }
  throw new UsageError(`--accounts is the path of a file or postgres://…; not ${scheme}://….`);
};

/** As `openAccounts`, but undefined where the address is a path at which there is nothing: nothing is made there. */
export const findAccounts = async (address: string): Promise<Accounts | undefined> =>
  schemeOf(address) === undefined && (await isMissing(address)) ? undefined : openAccounts(address);

const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]+):\/\//i.exec(address)?.[1]?.toLowerCase();

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );
