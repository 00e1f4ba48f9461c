/** Every statement of the PostgreSQL store; values are bound by number. */

/** Taken while tables are made or changed: any number that no other program on the database uses. */
export const MIGRATION_LOCK = 7_310_577_120;

/** Each takes the schema from the version that is its place to the next. Append; never edit. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE fintext.accounts (
    account_id text PRIMARY KEY,
    email text NOT NULL,
    org text NOT NULL,
    tier text NOT NULL,
    monthly_limit bigint CHECK (monthly_limit > 0),
    batch_size bigint CHECK (batch_size > 0),
    created_at timestamptz NOT NULL
  );

  CREATE TABLE fintext.keys (
    key_id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES fintext.accounts,
    lookup text NOT NULL,
    hash text NOT NULL,
    prefix text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    replaced_by text REFERENCES fintext.keys
  );
  CREATE INDEX keys_lookup ON fintext.keys (lookup);

  -- Half-filled pages: a row that is updated thousands of times an hour stays on its page.
  CREATE TABLE fintext.usage_months (
    account_id text NOT NULL REFERENCES fintext.accounts,
    month date NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    last_granted bigint NOT NULL,
    PRIMARY KEY (account_id, month)
  ) WITH (fillfactor = 50);

  CREATE TABLE fintext.usage_days (
    account_id text NOT NULL REFERENCES fintext.accounts,
    day date NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (account_id, day)
  ) WITH (fillfactor = 50);
  `,
];

const KEY_COLUMNS = `
  k.key_id, k.hash, k.prefix, k.created_at AS key_created_at, k.expires_at, k.revoked_at, k.replaced_by,
  a.account_id, a.email, a.org, a.tier, a.monthly_limit, a.batch_size, a.created_at AS member_since`;

const LEFT = 'GREATEST(0, m.used - $6::bigint)';
const GRANTED = `GREATEST(0, LEAST($5::bigint, $4::bigint - ${LEFT}))`;

export const SQL = {
  findVersion: "SELECT to_regclass('fintext.schema_version') IS NOT NULL AS made",
  lock: 'SELECT pg_advisory_xact_lock($1)',
  makeVersion: `CREATE SCHEMA IF NOT EXISTS fintext;
    CREATE TABLE IF NOT EXISTS fintext.schema_version (version integer NOT NULL)`,
  readVersion: 'SELECT COALESCE(MAX(version), 0) AS version FROM fintext.schema_version',
  setVersion: 'INSERT INTO fintext.schema_version (version) VALUES ($1)',

  findByLookup: `SELECT ${KEY_COLUMNS} FROM fintext.keys k JOIN fintext.accounts a USING (account_id)
    WHERE k.lookup = $1 ORDER BY k.key_id`,
  findById: `SELECT ${KEY_COLUMNS} FROM fintext.keys k JOIN fintext.accounts a USING (account_id)
    WHERE k.key_id = $1`,
  list: `SELECT ${KEY_COLUMNS}, COALESCE(m.used, 0) AS used
    FROM fintext.keys k JOIN fintext.accounts a USING (account_id)
    LEFT JOIN fintext.usage_months m ON m.account_id = k.account_id AND m.month = $1::date
    ORDER BY k.created_at, k.key_id COLLATE "C"`,

  /**
   * One statement, so one round trip and one commit: $1 account, $2 month, $3 day, $4 limit, $5 wanted, $6 returned.
   * The row of the month is locked by its update, and `m.used` is then what the last commit left. `last_granted` is
   * kept only to be returned: an upsert cannot tell what it found.
   */
  count: `WITH month AS (
      INSERT INTO fintext.usage_months AS m (account_id, month, used, last_granted)
      VALUES ($1, $2::date, LEAST($5::bigint, $4::bigint), LEAST($5::bigint, $4::bigint))
      ON CONFLICT (account_id, month) DO UPDATE SET used = ${LEFT} + ${GRANTED}, last_granted = ${GRANTED}
      WHERE m.used < $4::bigint OR $6::bigint > 0
      RETURNING used, last_granted
    ), day AS (
      INSERT INTO fintext.usage_days AS d (account_id, day, requests)
      SELECT $1, $3::date, last_granted - $6::bigint FROM month
      ON CONFLICT (account_id, day) DO UPDATE SET requests = GREATEST(0, d.requests + excluded.requests)
    )
    SELECT COALESCE((SELECT last_granted FROM month), 0) AS granted,
      COALESCE((SELECT used FROM month),
               (SELECT used FROM fintext.usage_months WHERE account_id = $1 AND month = $2::date), 0) AS used`,
  readUsage: `SELECT d.day::text AS day, d.requests, m.used, m.lifetime
    FROM (SELECT COALESCE(SUM(used) FILTER (WHERE month = $2::date), 0) AS used, COALESCE(SUM(used), 0) AS lifetime
          FROM fintext.usage_months WHERE account_id = $1) m
    LEFT JOIN fintext.usage_days d ON d.account_id = $1 AND d.day BETWEEN $3::date AND $4::date
    ORDER BY d.day`,

  addAccount: `INSERT INTO fintext.accounts (account_id, email, org, tier, monthly_limit, batch_size, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  addKey: `INSERT INTO fintext.keys (key_id, account_id, lookup, hash, prefix, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  dropKey: 'DELETE FROM fintext.keys WHERE key_id = $1',
  revoke: 'UPDATE fintext.keys SET revoked_at = $2 WHERE key_id = $1 AND revoked_at IS NULL',
  replace: `UPDATE fintext.keys SET replaced_by = $3, expires_at = LEAST(COALESCE(expires_at, $2), $2::timestamptz)
    WHERE key_id = $1 AND revoked_at IS NULL AND replaced_by IS NULL`,

  check: 'SELECT 1',
} as const;
