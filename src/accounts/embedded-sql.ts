/** Every statement of the embedded store; values are bound by name. */

/** Each takes the file from the version that is its place to the next (`PRAGMA user_version`). Append; never edit. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE accounts (
    account_id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    org TEXT NOT NULL,
    tier TEXT NOT NULL,
    monthly_limit INTEGER CHECK (monthly_limit > 0),
    batch_size INTEGER CHECK (batch_size > 0),
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts,
    lookup TEXT NOT NULL,
    hash TEXT NOT NULL,
    prefix TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    replaced_by TEXT REFERENCES keys
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_lookup ON keys (lookup);

  CREATE TABLE usage_months (
    account_id TEXT NOT NULL REFERENCES accounts,
    month TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (account_id, month)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE usage_days (
    account_id TEXT NOT NULL REFERENCES accounts,
    day TEXT NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
  ) STRICT, WITHOUT ROWID;
  `,
];

const KEY_COLUMNS = `
  k.key_id, k.hash, k.prefix, k.created_at AS key_created_at, k.expires_at, k.revoked_at, k.replaced_by,
  a.account_id, a.email, a.org, a.tier, a.monthly_limit, a.batch_size, a.created_at AS member_since`;

export const SQL = {
  findByLookup: `SELECT ${KEY_COLUMNS} FROM keys k JOIN accounts a USING (account_id)
    WHERE k.lookup = :lookup ORDER BY k.key_id`,
  findById: `SELECT ${KEY_COLUMNS} FROM keys k JOIN accounts a USING (account_id) WHERE k.key_id = :key_id`,
  list: `SELECT ${KEY_COLUMNS}, COALESCE(m.used, 0) AS used FROM keys k JOIN accounts a USING (account_id)
    LEFT JOIN usage_months m ON m.account_id = k.account_id AND m.month = :month
    ORDER BY k.created_at, k.key_id`,

  readMonth: 'SELECT used FROM usage_months WHERE account_id = :account_id AND month = :month',
  setMonth: `INSERT INTO usage_months (account_id, month, used) VALUES (:account_id, :month, :used)
    ON CONFLICT DO UPDATE SET used = excluded.used`,
  addToDay: `INSERT INTO usage_days (account_id, day, requests) VALUES (:account_id, :day, MAX(0, :requests))
    ON CONFLICT DO UPDATE SET requests = MAX(0, requests + :requests)`,
  readUsage: `SELECT d.day, d.requests, m.used, m.lifetime
    FROM (SELECT COALESCE(SUM(used) FILTER (WHERE month = :month), 0) AS used, COALESCE(SUM(used), 0) AS lifetime
          FROM usage_months WHERE account_id = :account_id) m
    LEFT JOIN usage_days d ON d.account_id = :account_id AND d.day BETWEEN :first AND :last
    ORDER BY d.day`,

  addAccount: `INSERT INTO accounts (account_id, email, org, tier, monthly_limit, batch_size, created_at)
    VALUES (:account_id, :email, :org, :tier, :monthly_limit, :batch_size, :created_at)`,
  addKey: `INSERT INTO keys (key_id, account_id, lookup, hash, prefix, created_at, expires_at)
    VALUES (:key_id, :account_id, :lookup, :hash, :prefix, :created_at, :expires_at)`,
  revoke: 'UPDATE keys SET revoked_at = :at WHERE key_id = :key_id AND revoked_at IS NULL',
  replace: `UPDATE keys SET replaced_by = :new_id, expires_at = MIN(COALESCE(expires_at, :ends_at), :ends_at)
    WHERE key_id = :key_id AND revoked_at IS NULL AND replaced_by IS NULL`,

  dropKey: 'DELETE FROM keys WHERE key_id = :key_id',

  check: 'SELECT COUNT(*) AS tables FROM sqlite_schema',
} as const;
