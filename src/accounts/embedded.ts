import { closeSync, openSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'libsql';
import { codeOf, messageOf, RunError, UsageError } from '../errors.js';
import { AccountsUnavailable } from './accounts.js';
import { monthOf } from './calendar.js';
import { describeFault, fileAt, REPLACED, type StoreFault } from './embedded-faults.js';
import { MIGRATIONS, SQL } from './embedded-sql.js';
import { keyRowSchema, listedKeySchema, type Store, usageRowSchema } from './store.js';

/** How long a statement waits for another process's write, holding this one up; then it is tried again, not holding. */
const BUSY_MS = 50;
/** After which a locked file counts as unavailable. */
const PATIENCE_MS = 5_000;

type Values = Readonly<Record<string, string | number | null>>;

/**
 * Accounts in one SQLite file, for one machine and any number of its processes (not for a network file system: WAL
 * needs shared memory). Made, readable by its owner only, where it is missing.
 *
 * Counting commits with synchronous=NORMAL: the operating system holds what was written, so `kill -9` loses nothing,
 * and no request waits for the disk; a power cut may lose the last moments of counting, in favour of the callers.
 * Changes of keys are rare and must last: they wait for the disk (FULL), and take all counts before them along.
 */
export const openEmbedded = async (
  path: string,
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): Promise<Store> => {
  const db = await openFile(path);
  const file = fileAt(path);
  const isReplaced = (): boolean => {
    const now = fileAt(path);
    // Where the system does not say, SQLite goes on or says what is wrong.
    return now !== undefined && now !== file;
  };

  const tell = (what: string, { reason, next = '' }: Partial<StoreFault>, cause?: unknown): AccountsUnavailable =>
    new AccountsUnavailable(`The accounts in ${path} cannot be used: ${what}. ${next}`.trimEnd(), { cause, reason });
  const unavailable = (error: unknown): unknown =>
    !isSqliteError(error) && db.open ? error : tell(messageOf(error), describeFault(error, path) ?? {}, error);

  /** Runs synchronous work; while another process holds the file, waits without holding up this one. */
  const attempt = async <T>(work: () => T): Promise<T> => {
    const giveUpAt = performance.now() + patienceMs;
    for (let pause = 1; ; pause = Math.min(50, pause * 2)) {
      try {
        if (!db.open) throw new Error('it is closed');
        if (isReplaced()) throw tell(REPLACED.reason, REPLACED);
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw unavailable(error);
      }
      // Uneven, so that several processes do not come back together.
      await setTimeout(pause * (0.5 + Math.random()));
    }
  };

  const write = <T>(work: () => T): Promise<T> => attempt(() => inTransaction(db, work));

  const writeLasting = <T>(work: () => T): Promise<T> =>
    attempt(() => {
      db.exec('PRAGMA synchronous = FULL');
      try {
        return inTransaction(db, work);
      } finally {
        db.exec('PRAGMA synchronous = NORMAL');
      }
    });

  try {
    await attempt(() => prepareFile(db, path));
  } catch (error) {
    db.close();
    throw error;
  }

  const statements = Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, db.prepare<Values>(sql)]));
  const statement = (name: keyof typeof SQL) => {
    const found = statements[name];
    if (found === undefined) throw new Error(`No statement ${name}.`);
    return found;
  };
  const run = (name: keyof typeof SQL, values: Values): number => statement(name).run(values).changes;
  const all = (name: keyof typeof SQL, values: Values): readonly unknown[] => statement(name).all(values);

  return {
    findByLookup: (lookup) => attempt(() => all('findByLookup', { lookup }).map((row) => keyRowSchema.parse(row))),
    findById: (key_id) => attempt(() => all('findById', { key_id }).map((row) => keyRowSchema.parse(row))[0]),
    list: (month) => attempt(() => all('list', { month }).map((row) => listedKeySchema.parse(row))),

    count: ({ accountId, day, limit }, wanted, returned) =>
      write(() => {
        const where = { account_id: accountId, month: monthOf(day) };
        const [row] = all('readMonth', where) as readonly { readonly used: number }[];
        const before = Math.max(0, (row?.used ?? 0) - returned);
        const granted = Math.max(0, Math.min(wanted, limit - before));
        const keep = (used: number, requests: number): void => {
          run('setMonth', { ...where, used });
          run('addToDay', { account_id: accountId, day, requests });
        };
        if (granted + returned > 0) keep(before + granted, granted - returned);
        if (wanted + returned === 0) {
          // SQLite leaves out a write that changes nothing; what is changed and changed back is written.
          keep(before + 1, 1);
          keep(before, -1);
        }
        return { granted, used: before + granted };
      }),
    readUsage: (account_id, month, first, last) =>
      attempt(() => {
        const [head, ...rest] = all('readUsage', { account_id, month, first, last }).map((row) =>
          usageRowSchema.parse(row),
        );
        if (head === undefined) throw new Error('The usage of an account is one row at least.');
        return [head, ...rest] as const;
      }),

    addAccount: (account, key) =>
      writeLasting(() => {
        run('addAccount', { ...account });
        run('addKey', { ...key });
      }),
    revoke: (key_id, at) =>
      writeLasting(() => {
        run('revoke', { key_id, at });
      }),
    replace: (key_id, ends_at, key) =>
      writeLasting(() => {
        run('addKey', { ...key });
        if (run('replace', { key_id, ends_at, new_id: key.key_id }) > 0) return true;
        run('dropKey', { key_id: key.key_id });
        return false;
      }),

    check: () =>
      attempt(() => {
        all('check', {});
      }),
    close: async () => {
      // Closing takes away the log beside the file by its name: it may be another one's.
      if (db.open && !isReplaced()) db.close();
    },
  };
};

const openFile = async (path: string): Promise<Database.Database> => {
  try {
    if (path !== ':memory:') {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      makeFile(path);
    }
    return new Database(path, { timeout: BUSY_MS });
  } catch (error) {
    throw new UsageError(
      `The accounts file ${path} cannot be opened: ${messageOf(error)}. Name another with --accounts.`,
      {
        cause: error,
      },
    );
  }
};

/**
 * Makes the file for its owner alone, if it is missing; its -wal and -shm take after it. One that is there is not so
 * much as opened: POSIX drops all locks of a process on a file when the process closes any descriptor of it, and a
 * store that lost its lock can lose its log to the next process that leaves.
 */
const makeFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (statSync(path).isDirectory()) throw new Error('it is a folder', { cause: error });
  }
};

/** WAL, and the tables as this version knows them. */
const prepareFile = (db: Database.Database, path: string): void => {
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    if (versionOf(db) === MIGRATIONS.length) return;
    inTransaction(db, () => {
      const version = versionOf(db);
      if (version > MIGRATIONS.length) {
        throw new RunError(
          `${path} was written by a newer fintext (version ${version} of its tables): update this one.`,
        );
      }
      if (version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').all().length > 0) {
        throw new RunError(`${path} is a database of something else. Name another file with --accounts.`);
      }
      for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
      db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_NOTADB') throw error;
    throw new RunError(`${path} is no accounts file. Name another with --accounts.`, { cause: error });
  }
};

const versionOf = (db: Database.Database): number => {
  const [row] = db.pragma('user_version') as readonly { readonly user_version: number }[];
  return row?.user_version ?? 0;
};

/** IMMEDIATE: what is read inside stays true until the commit, also against other processes. */
const inTransaction = <T>(db: Database.Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const isSqliteError = (error: unknown): boolean => codeOf(error)?.startsWith('SQLITE_') ?? false;
const isBusy = (error: unknown): boolean => codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
