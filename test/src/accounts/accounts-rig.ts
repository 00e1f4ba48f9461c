/** Accounts in a store, as the tests of any store use them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll } from 'vitest';
import type { Accounts, Grant, NewAccount, Refusal } from '../../../src/accounts/accounts.js';
import { openAccounts } from '../../../src/accounts/open.js';
import { entryPoint, packagePath } from '../../../src/package-root.js';

export const at = (text: string): Date => new Date(text);
export const NOON = at('2026-11-20T12:00:00Z');
export const EMAIL = 'name@example.org';
export const enterprise = (monthlyLimit: number): NewAccount => ({ email: EMAIL, tier: 'enterprise', monthlyLimit });

export const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
const isGrant = (answer: Grant | Refusal): answer is Grant => answer.granted;
export const grantsOf = (answers: readonly (Grant | Refusal)[]): Grant[] => answers.filter(isGrant);

/** To be called within a `describe`. @param createAddress makes an empty store */
export const openAccountsRig = (createAddress: () => Promise<string>) => {
  const opened: Accounts[] = [];
  const children: ChildProcess[] = [];
  let shared: string;

  beforeAll(async () => {
    shared = await createAddress();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const accounts of opened.splice(0)) await accounts.close();
  });

  const open = async (address = shared): Promise<Accounts> => {
    const accounts = await openAccounts(address);
    opened.push(accounts);
    return accounts;
  };

  const openAccount = async (wanted: NewAccount = enterprise(1000), now = NOON) => {
    const accounts = await open();
    const { key, record } = await accounts.create(wanted, now);
    const account = await accounts.findByKey(key, now);
    if (account === undefined) throw new Error('A key just made is not found.');
    const take = (when = now) => accounts.take(account, when);
    const takeAll = async (count: number, when = now): Promise<Grant[]> =>
      grantsOf(await times(count, () => take(when)));
    const used = async (when = now): Promise<number> => (await accounts.usage(account, 1, when)).quota.used;
    return { accounts, key, record, account, take, takeAll, used };
  };

  const startProcess = (key: string, action: 'take' | 'keep' | 'watch', count = 1) => {
    const script = packagePath('test', 'support', 'accounts-process.mjs');
    const module = pathToFileURL(entryPoint('src/accounts/open')).href;
    const child = spawn(process.execPath, [script, module, shared, key, action, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    return {
      child,
      ended: once(child, 'close').then(() => output),
      says: async (text: string): Promise<void> => {
        while (!output.includes(text)) await once(child.stdout, 'data');
      },
    };
  };

  return { createAddress, open, openAccount, startProcess };
};

export type AccountsRig = ReturnType<typeof openAccountsRig>;
