/** The accounts, with a word in the log when they cannot be used: once, however many requests meet it, until they can. */
import { type Accounts, AccountsUnavailable } from '../accounts/accounts.js';
import { messageOf } from '../errors.js';

export interface AccountsEvent {
  readonly type: 'accounts-failed' | 'accounts-well';
  /** What is wrong, where, and what to do. */
  readonly reason?: string;
}

/** A full disk can still be read: that shows nothing of counting. */
type Use = 'reading' | 'counting';

export const watchAccounts = (accounts: Accounts, log: (event: AccountsEvent) => void): Accounts => {
  let failing: Use | undefined;

  const watch = async <T>(
    use: Use,
    work: () => Promise<T>,
    isDone: (result: T) => boolean = () => true,
  ): Promise<T> => {
    let result: T;
    try {
      result = await work();
    } catch (error) {
      if (error instanceof AccountsUnavailable) {
        if (failing === undefined) log({ type: 'accounts-failed', reason: messageOf(error) });
        if (failing !== 'counting') failing = use;
      }
      throw error;
    }
    if (failing !== undefined && (use === 'counting' || use === failing) && isDone(result)) {
      failing = undefined;
      log({ type: 'accounts-well' });
    }
    return result;
  };

  return {
    ...accounts,
    findByKey: (key, now) => watch('reading', () => accounts.findByKey(key, now)),
    usage: (account, days, now) => watch('reading', () => accounts.usage(account, days, now)),
    // What is refused was not counted.
    take: (account, now) =>
      watch(
        'counting',
        () => accounts.take(account, now),
        ({ granted }) => granted,
      ),
    giveBack: (grant) => watch('counting', () => accounts.giveBack(grant)),
    check: () => watch('counting', () => accounts.check()),
  };
};
