import { afterAll, describe, expect, it } from 'vitest';
import { AccountsUnavailable } from '../../../src/accounts/accounts.js';
import { openAccounts } from '../../../src/accounts/open.js';
import { RunError, UsageError } from '../../../src/errors.js';
import { leaveOut } from '../../support/left-out.js';
import { startPostgres } from '../../support/postgres.js';
import { describeAccounts } from './suite.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const postgres = await startPostgres();

if (typeof postgres === 'string') {
  leaveOut('accounts in PostgreSQL', postgres);
} else {
  afterAll(() => postgres.stop());

  describe('accounts in PostgreSQL', () => {
    describeAccounts(postgres.createDatabase);

    it('holds no key', async () => {
      const address = await postgres.createDatabase();
      const accounts = await openAccounts(address);
      const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
      const rows = JSON.stringify(await postgres.query('SELECT * FROM fintext.keys', address));
      expect(rows).toContain(key.slice(0, 13));
      expect(rows).not.toContain(key.slice(13, -6));
      await accounts.close();
    });

    it('a role that may only use the tables can', async () => {
      const address = await postgres.createDatabase();
      await (await openAccounts(address)).close();
      await postgres.query(
        `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA fintext TO reader;
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA fintext TO reader`,
        address,
      );
      const accounts = await openAccounts(postgres.asRole(address, 'reader'));
      const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
      const account = await accounts.findByKey(key, NOW);
      if (account === undefined) throw new Error('A key just made is not found.');
      expect(await accounts.take(account, NOW)).toMatchObject({ granted: true });
      await accounts.close();
    });

    it('a role that may not make them is told so', async () => {
      const address = await postgres.createDatabase();
      await postgres.query('CREATE ROLE guest LOGIN', address);
      await expect(openAccounts(postgres.asRole(address, 'guest'))).rejects.toThrow(/permission denied/);
    });

    it('tables of a newer version are left alone', async () => {
      const address = await postgres.createDatabase();
      await (await openAccounts(address)).close();
      await postgres.query('INSERT INTO fintext.schema_version VALUES (999)', address);
      await expect(openAccounts(address)).rejects.toThrow(RunError);
    });

    it('an address that leads nowhere is told without its password', async () => {
      const nowhere = 'postgres://name:secret@127.0.0.1:1/x';
      await expect(openAccounts(nowhere)).rejects.toThrow(
        /postgres:\/\/127\.0\.0\.1:1\/x cannot be used: .*ECONNREFUSED/,
      );
      await expect(openAccounts(nowhere)).rejects.not.toThrow(/secret/);
      await expect(openAccounts('postgres://name:secret@:x:y/')).rejects.toThrow(UsageError);
      await expect(openAccounts('postgres://name:secret@:x:y/')).rejects.not.toThrow(/secret/);
    });

    it('a server that goes is unavailable, not wrong; when it is back nothing acknowledged is lost', async () => {
      const address = await postgres.createDatabase();
      const accounts = await openAccounts(address);
      const { key } = await accounts.create({ email: 'name@example.org', tier: 'free' }, NOW);
      const account = await accounts.findByKey(key, NOW);
      if (account === undefined) throw new Error('A key just made is not found.');
      await accounts.take(account, NOW);

      await postgres.kill();
      await expect(accounts.take(account, NOW)).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.check()).rejects.toThrow(AccountsUnavailable);
      await expect(accounts.create({ email: 'name@example.org', tier: 'free' }, NOW)).rejects.toThrow(
        AccountsUnavailable,
      );

      await postgres.start();
      await accounts.check();
      expect(await accounts.take(account, NOW)).toMatchObject({ granted: true, quota: { used: 2 } });
      await accounts.close();
    });
  });
}
