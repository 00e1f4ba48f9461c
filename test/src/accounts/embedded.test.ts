import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { AccountsUnavailable } from '../../../src/accounts/accounts.js';
import { openEmbedded } from '../../../src/accounts/embedded.js';
import { openLedger } from '../../../src/accounts/ledger.js';
import { openAccounts } from '../../../src/accounts/open.js';
import { RunError, UsageError } from '../../../src/errors.js';
import { temporaryFolder } from '../../support/rig.js';
import { describeAccounts } from './suite.js';

const folder = temporaryFolder();
const NOW = new Date('2026-11-20T12:00:00Z');
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `accounts-${files}.db`);
};

describe('accounts in a file', () => {
  describeAccounts(async () => newFile());

  it('the file is made with its folder, is its owner’s alone, and holds no key', async () => {
    const path = join(folder, 'new', 'folder', 'accounts.db');
    const accounts = await openAccounts(path);
    const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const file of [path, `${path}-wal`]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'latin1')).not.toContain(key.slice(13, -6));
    }
    await accounts.close();
    expect(readFileSync(path, 'latin1')).not.toContain(key.slice(13, -6));
  });

  it('what a killed process left beside the file is taken up', async () => {
    const path = newFile();
    const accounts = await openAccounts(path);
    const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
    // As found after a kill: the main file alone is old, the log holds the rest.
    const copy = newFile();
    for (const end of ['', '-wal']) writeFileSync(copy + end, readFileSync(path + end));
    await accounts.close();
    const again = await openAccounts(copy);
    expect(await again.findByKey(key, NOW)).toBeDefined();
    await again.close();
  });

  it('a file that another process holds is waited for without holding up this one', async () => {
    const path = newFile();
    const accounts = openLedger(await openEmbedded(path, { patienceMs: 400 }));
    const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
    const account = await accounts.findByKey(key, NOW);
    if (account === undefined) throw new Error('A key just made is not found.');

    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    await expect(accounts.take(account, NOW)).rejects.toThrow(AccountsUnavailable);
    clearInterval(ticking);
    // Held up, it would have had no turn at all.
    expect(turns).toBeGreaterThan(0);
    expect(await accounts.findByKey(key, NOW)).toBeDefined();

    const waiting = accounts.take(account, NOW);
    setTimeout(() => other.exec('COMMIT'), 100);
    expect(await waiting).toMatchObject({ granted: true, quota: { used: 1 } });
    other.close();
    await accounts.close();
  });

  it('a file that was moved or replaced is used no more, until it is back: a key revoked in another one would go on', async () => {
    const path = newFile();
    const accounts = await openAccounts(path);
    const { key, record } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
    const account = await accounts.findByKey(key, NOW);
    if (account === undefined) throw new Error('A key just made is not found.');
    const moved = newFile();
    const move = (from: string, to: string): void => {
      for (const end of ['', '-wal', '-shm']) renameSync(from + end, to + end);
    };
    const refused = async (): Promise<void> => {
      const replaced = { reason: 'the file was moved or replaced', message: expect.stringContaining(path) };
      await expect(accounts.take(account, NOW)).rejects.toMatchObject(replaced);
      await expect(accounts.check()).rejects.toMatchObject(replaced);
      await expect.poll(() => accounts.findByKey(key, NOW).catch((error: unknown) => error)).toMatchObject(replaced);
    };
    for (const end of ['', '-wal']) copyFileSync(path + end, `${moved}-copy${end}`);
    move(path, moved);
    await refused();
    for (const end of ['', '-wal']) copyFileSync(`${moved}-copy${end}`, path + end);
    const restored = await openAccounts(path);
    await restored.revoke(record.keyId, NOW);
    await refused();
    await restored.close();
    rmSync(path);

    move(moved, path);
    expect(await accounts.take(account, NOW)).toMatchObject({ granted: true, quota: { used: 1 } });
    await accounts.close();
  });

  it.runIf(process.getuid?.() !== 0)('is used on where it cannot be seen whether it was moved', async () => {
    const path = join(folder, 'closed', 'accounts.db');
    const accounts = await openAccounts(path);
    const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
    chmodSync(dirname(path), 0o000);
    try {
      expect(await accounts.findByKey(key, NOW)).toMatchObject({ tier: 'free' });
    } finally {
      chmodSync(dirname(path), 0o700);
    }
    await accounts.close();
  });

  it('a file of something else, or of a newer version, is left alone', async () => {
    const text = newFile();
    writeFileSync(text, 'name,age\n'.repeat(1000));
    await expect(openAccounts(text)).rejects.toThrow(/is no accounts file/);
    expect(readFileSync(text, 'utf8')).toBe('name,age\n'.repeat(1000));

    const foreign = newFile();
    const other = new Database(foreign);
    other.exec('CREATE TABLE songs (title TEXT)');
    other.close();
    await expect(openAccounts(foreign)).rejects.toThrow(/database of something else/);

    const newer = newFile();
    await (await openAccounts(newer)).close();
    const db = new Database(newer);
    db.exec('PRAGMA user_version = 999');
    db.close();
    await expect(openAccounts(newer)).rejects.toThrow(RunError);
  });

  it('an address that cannot be is refused in words', async () => {
    await expect(openAccounts(folder)).rejects.toThrow(/it is a folder/);
    await expect(openAccounts('mysql://name:secret@host/x')).rejects.toThrow(UsageError);
    await expect(openAccounts('mysql://name:secret@host/x')).rejects.not.toThrow(/secret/);
  });
});
