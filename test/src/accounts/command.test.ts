/** `fintext keys`, as a person and a script use it. */
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../src/accounts/open.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const openFolder = () => {
  const cwd = mkdtempSync(join(root, 'keys-'));
  const keys = (...args: readonly string[]) => fintext(['keys', ...args], { cwd });
  const list = async (): Promise<Record<string, unknown>[]> =>
    (await keys('list', '--json')).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { cwd, keys, list };
};

describe('fintext keys', () => {
  it('makes a key that works, prints it alone and once, and lists, rotates and revokes it by its id', async () => {
    const { cwd, keys, list } = openFolder();
    const made = await keys('create', '--email', 'name@example.org', '--org', 'Bank', '--tier', 'pro');
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^ftx_live_[0-9A-Za-z]{36}\n$/);
    expect(made.stderr).toMatch(/^key_\w+ for name@example\.org: pro, 100,000 requests a month\.\n/);
    const key = made.stdout.trim();
    expect(made.stderr).not.toContain(key);

    const file = join(cwd, 'data', 'accounts.db');
    const accounts = await openAccounts(file);
    expect(await accounts.findByKey(key, new Date())).toMatchObject({ tier: 'pro', org: 'Bank' });

    const table = await keys('list');
    expect(table.stdout).toContain('name@example.org');
    expect(table.stdout).not.toContain(key);
    const [first] = await list();
    expect(first).toMatchObject({ state: 'active', monthlyLimit: 100_000, used: 0 });

    const rotated = await keys('rotate', String(first?.keyId), '--overlap', '90m');
    expect(rotated.stdout).toMatch(/^ftx_live_\w{36}\n$/);
    expect(await accounts.findByKey(rotated.stdout.trim(), new Date())).toBeDefined();
    const [old] = await list();
    const ends = Date.parse(String(old?.expiresAt)) - Date.now();
    expect(Math.abs(ends - 90 * 60_000)).toBeLessThan(60_000);

    const revoked = await keys('revoke', String(first?.keyId));
    expect([revoked.code, revoked.stdout]).toEqual([0, '']);
    expect(await accounts.findByKey(key, new Date())).toBeUndefined();
    await accounts.close();
  });

  it('gives an enterprise key limits of its own and a last day', async () => {
    const { keys } = openFolder();
    const limits = ['--tier', 'enterprise', '--monthly-limit', '5000000', '--batch-size', '512'];
    const made = await keys('create', '--email', 'a@b.org', ...limits, '--expires', '2999-12-31', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({
      key: expect.stringMatching(/^ftx_live_/),
      monthlyLimit: 5_000_000,
      batchSize: 512,
      expiresAt: '3000-01-01T00:00:00Z',
    });
  });

  it.each([
    ['no e-mail', ['create'], /--email/],
    ['two e-mails', ['create', '--email', 'a@b', '--email', 'c@d'], /2 times/],
    [
      'a limit in words',
      ['create', '--email', 'a@b', '--tier', 'enterprise', '--monthly-limit', 'ten'],
      /whole number/,
    ],
    ['a day that is none', ['create', '--email', 'a@b', '--expires', '2026-02-30'], /2026-02-30/],
    ['no id', ['revoke'], /needs the id/],
    ['the id of nobody', ['revoke', 'key_nobody'], /no key key_nobody/],
    ['an unknown span', ['rotate', 'key_x', '--overlap', 'soon'], /--overlap/],
  ])('%s is wrong use, with the way out', async (_what, args, message) => {
    const { code, stdout, stderr } = await openFolder().keys(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it.each([
    [['list'], 0, 'There are no keys yet: there is no file data/accounts.db. Next: fintext keys create', ''],
    [['list', '--json'], 0, '', 'There are no keys yet: there is no file data/accounts.db. Next: fintext keys create'],
    [['revoke', 'key_nobody'], 2, '', 'fintext: There is no key key_nobody: there is no file data/accounts.db'],
    [['rotate', 'key_nobody'], 2, '', 'fintext: There is no key key_nobody: there is no file data/accounts.db'],
  ])('%j where no key was ever made says so, and makes no file', async (args, code, stdout, stderr) => {
    const { cwd, keys } = openFolder();
    const ended = await keys(...args);
    expect([ended.code, ended.stdout.slice(0, stdout.length), ended.stderr.slice(0, stderr.length)]).toEqual([
      code,
      stdout,
      stderr,
    ]);
    expect(`${ended.stdout}${ended.stderr}`.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('a key in place of its id is refused and not repeated', async () => {
    const { cwd, keys } = openFolder();
    const { code, stderr } = await keys('revoke', 'ftx_live_secretsecret');
    expect(code).toBe(2);
    expect(stderr).not.toContain('secretsecret');
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
