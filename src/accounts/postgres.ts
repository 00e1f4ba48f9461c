import pg from 'pg';
import { messageOf, RunError, UsageError } from '../errors.js';
import { AccountsUnavailable } from './accounts.js';
import { monthOf } from './calendar.js';
import { MIGRATION_LOCK, MIGRATIONS, SQL } from './postgres-sql.js';
import { countedSchema, keyRowSchema, listedKeySchema, type Store, usageRowSchema } from './store.js';

const WAIT_MS = 5_000;
const CONNECTIONS = 8;
const NEXT = 'Look whether the server runs, has room on its disk and takes writes.';

type Value = string | number | null;

/** Accounts in PostgreSQL, for several hosts. Its tables lie in the schema `fintext`, made where they are missing. */
export const openPostgres = async (address: string): Promise<Store> => {
  const name = nameOf(address);
  const pool = new pg.Pool({
    connectionString: address,
    application_name: 'fintext',
    max: CONNECTIONS,
    connectionTimeoutMillis: WAIT_MS,
    // Not statement_timeout as well: poolers between us and the server refuse it.
    query_timeout: WAIT_MS,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query, which then tells if there is something to tell.
  pool.on('error', () => undefined);

  const unavailable = (error: unknown): AccountsUnavailable =>
    new AccountsUnavailable(`The accounts in ${name} cannot be used: ${reasonOf(error)}. ${NEXT}`, { cause: error });

  const ask = async (sql: string, values: readonly Value[]): Promise<pg.QueryResult> => {
    try {
      return await pool.query(sql, [...values]);
    } catch (error) {
      throw unavailable(error);
    }
  };

  const transaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    let broken = false;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
      throw error instanceof RunError ? error : unavailable(error);
    } finally {
      client.release(broken);
    }
  };

  try {
    await migrate(name, ask, transaction);
  } catch (error) {
    await pool.end();
    throw error;
  }

  return {
    findByLookup: async (lookup) => (await ask(SQL.findByLookup, [lookup])).rows.map((row) => keyRowSchema.parse(row)),
    findById: async (keyId) => (await ask(SQL.findById, [keyId])).rows.map((row) => keyRowSchema.parse(row))[0],
    list: async (month) => (await ask(SQL.list, [`${month}-01`])).rows.map((row) => listedKeySchema.parse(row)),

    count: async ({ accountId, day, limit }, wanted, returned) => {
      const { rows } = await ask(SQL.count, [accountId, `${monthOf(day)}-01`, day, limit, wanted, returned]);
      return countedSchema.parse(rows[0]);
    },
    readUsage: async (accountId, month, first, last) => {
      const { rows } = await ask(SQL.readUsage, [accountId, `${month}-01`, first, last]);
      const [head, ...rest] = rows.map((row) => usageRowSchema.parse(row));
      if (head === undefined) throw new Error('The usage of an account is one row at least.');
      return [head, ...rest];
    },

    addAccount: (account, key) =>
      transaction(async (client) => {
        const { account_id, email, org, tier, monthly_limit, batch_size, created_at } = account;
        await client.query(SQL.addAccount, [account_id, email, org, tier, monthly_limit, batch_size, created_at]);
        await client.query(SQL.addKey, keyValues(key));
      }),
    revoke: async (keyId, at) => {
      await ask(SQL.revoke, [keyId, at]);
    },
    replace: async (keyId, endsAt, key) => {
      return transaction(async (client) => {
        await client.query(SQL.addKey, keyValues(key));
        const { rowCount } = await client.query(SQL.replace, [keyId, endsAt, key.key_id]);
        if ((rowCount ?? 0) > 0) return true;
        await client.query(SQL.dropKey, [key.key_id]);
        return false;
      });
    },

    check: async () => {
      await ask(SQL.check, []);
    },
    close: () => pool.end(),
  };
};

const keyValues = (key: Parameters<Store['addAccount']>[1]): Value[] => [
  key.key_id,
  key.account_id,
  key.lookup,
  key.hash,
  key.prefix,
  key.created_at,
  key.expires_at,
];

type Ask = (sql: string, values: readonly Value[]) => Promise<pg.QueryResult>;
type Transaction = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** Makes or changes the tables, once, however many hosts start together; a role that may only use them does as well. */
const migrate = async (name: string, ask: Ask, transaction: Transaction): Promise<void> => {
  const { rows } = await ask(SQL.findVersion, []);
  const made = rows[0]?.made === true;
  const version = made ? Number((await ask(SQL.readVersion, [])).rows[0]?.version) : 0;
  if (version === MIGRATIONS.length) return;
  await transaction(async (client) => {
    await client.query(SQL.lock, [MIGRATION_LOCK]);
    if (!made) await client.query(SQL.makeVersion);
    const from = Number((await client.query(SQL.readVersion)).rows[0]?.version);
    if (from > MIGRATIONS.length) {
      throw new RunError(`The accounts in ${name} were made by a newer fintext (version ${from}): update this one.`);
    }
    for (const migration of MIGRATIONS.slice(from)) await client.query(migration);
    if (from < MIGRATIONS.length) await client.query(SQL.setVersion, [MIGRATIONS.length]);
  });
};

/** The address without its user, password and parameters, for messages; throws a UsageError where it is none. */
const nameOf = (address: string): string => {
  try {
    new pg.Client({ connectionString: address });
  } catch {
    // The cause would carry the address, and the address may carry a password.
    throw new UsageError('--accounts is no address of a database, such as postgres://user:password@host:5432/name.');
  }
  return address.replace(/^([^:]+:\/\/)(?:.*@)?([^?#]*).*$/s, '$1$2');
};

const reasonOf = (error: unknown): string => {
  // Several addresses of one host, none of which answered: the message of the whole is empty.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(messageOf))].join('; ');
  return messageOf(error);
};
