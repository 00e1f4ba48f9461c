/** DuckDB as the pipeline uses it: one in-memory instance with a bound on memory, Parquet files in and out. */
import { rm } from 'node:fs/promises';
import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBInstance, DuckDBUUIDValue } from 'duckdb';
import { codeOf, messageOf, RunError } from './errors.js';
import { moveInPlace, temporaryBeside } from './files.js';
import { findSystemFault } from './system-faults.js';
import type { Column, Table } from './tables.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface DatabaseOptions {
  /** Megabytes that DuckDB may hold before it spills to `temporaryFolder`. */
  readonly memoryMb: number;
  readonly temporaryFolder: string;
  readonly threads: number;
}

export interface Database {
  /** Runs statements; rows, if any, are dropped. */
  readonly run: (sql: string) => Promise<void>;
  /** All rows of a small result: dates and UUIDs as text, 64-bit counts as numbers. */
  readonly rows: (sql: string) => Promise<Record<string, Value>[]>;
  /** Rows of a result of any size, a few thousand at a time. */
  readonly stream: (sql: string) => AsyncGenerator<Record<string, Value>[]>;
  /** Writes rows to a Parquet file, whole or not at all; returns how many there were. Holds a few thousand rows. */
  readonly writeTable: (table: Table, file: string, rows: Iterable<Row> | AsyncIterable<Row>) => Promise<number>;
  /** Writes the result of a query to a Parquet file, whole or not at all; returns how many rows there were. */
  readonly writeQuery: (sql: string, file: string) => Promise<number>;
  readonly close: () => void;
}

/** A text as an SQL literal. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A table's or column's name as SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The rows of Parquet files, as a table expression, with their columns and no others: left to itself, DuckDB makes
 * columns of folders such as `env=prod`, in the place of those of the same name.
 */
export const parquet = (files: string | readonly string[]): string => readParquet(files, 'hive_partitioning = false');

/** The same, and for each row the file that it is of, in the column `filename`. */
export const parquetWithNames = (files: readonly string[]): string =>
  readParquet(files, 'hive_partitioning = false, filename = true');

const readParquet = (files: string | readonly string[], options: string): string => {
  const from = typeof files === 'string' ? quote(files) : `[${files.map(quote).join(', ')}]`;
  return `read_parquet(${from}, ${options})`;
};

/**
 * How every Parquet file is packed. Not Zstandard, though it is smaller: DuckDB 1.5 now and then fails to unpack a page
 * of it, or unpacks it wrongly without a word, where many threads read (duckdb/duckdb#24905); Snappy is not touched.
 */
export const PARQUET_CODEC = 'snappy';

/**
 * What every instance of DuckDB is opened with. Nothing is fetched at run time. Its cache of file contents is off: it
 * goes by name and time of change, here a name can get new content, and each file is read once or twice.
 */
export const ENGINE_OPTIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  enable_external_file_cache: 'false',
} as const;

const SHOWN = 160;

/** Enough of a statement to know it by. A path in it is shown whole or not at all: one that is cut leads nowhere. */
const beginningOf = (sql: string): string => {
  if (sql.length <= SHOWN) return sql;
  const isQuoted = (sql.slice(0, SHOWN).split("'").length - 1) % 2 === 1;
  const end = isQuoted ? sql.lastIndexOf("'", SHOWN - 1) : SHOWN;
  return `${sql.slice(0, end)}…`;
};

/** An error of DuckDB, with the statement that it belongs to. */
export class QueryError extends RunError {
  override name = 'QueryError';
  /** Of a fault of the system, such as `ENOSPC`: then the message names the file, and leaves out the statement. */
  readonly code: string | undefined;
  constructor(
    readonly sql: string,
    cause: unknown,
  ) {
    const said = messageOf(cause).split('\n')[0] ?? '';
    const code = findSystemFault(cause);
    super(
      code === undefined
        ? `${said} (in: ${beginningOf(sql.replaceAll(/\s+/g, ' ').trim())})`
        : said.replace(/^([\w ]+ Error: |Failed to commit: )+/, ''),
      { cause },
    );
    this.code = code;
  }
}

/**
 * Opens an in-memory database. One writer thread a file and rows in a stated order: the same rows give the same bytes.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MB`,
    temp_directory: options.temporaryFolder,
    threads: String(options.threads),
    preserve_insertion_order: 'true',
    ...ENGINE_OPTIONS,
  });
  let scratchTables = 0;

  /** What Node says of a file, and what was foreseen, is said as it is. */
  const toFailure = (sql: string, error: unknown): unknown => {
    if (error instanceof RunError || codeOf(error) !== undefined) return error;
    const cause = messageOf(error).includes('failed to offload')
      ? new Error(`No space left on device for what is sorted in ${options.temporaryFolder}`, { cause: error })
      : error;
    return new QueryError(sql, cause);
  };

  const withConnection = async <T>(sql: string, use: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const connection = await instance.connect();
    try {
      return await use(connection);
    } catch (error) {
      if (error instanceof SourceFailure) throw error.cause;
      throw toFailure(sql, error);
    } finally {
      connection.closeSync();
    }
  };

  const copyTo = async (connection: DuckDBConnection, sql: string, file: string): Promise<number> => {
    const temporary = temporaryBeside(file);
    try {
      const result = await connection.runAndReadAll(
        `COPY (${sql}) TO ${quote(temporary)} (FORMAT parquet, COMPRESSION ${PARQUET_CODEC}, ROW_GROUP_SIZE 122880)`,
      );
      await moveInPlace(temporary, file);
      return Number(result.value(0, 0));
    } catch (error) {
      await rm(temporary, { force: true });
      throw toFailure(`COPY (${sql}) TO ${quote(file)}`, error);
    }
  };

  return {
    run: (sql) =>
      withConnection(sql, async (connection) => {
        await connection.run(sql);
      }),
    rows: (sql) =>
      withConnection(sql, async (connection) => {
        const result = await connection.runAndReadAll(sql);
        return toPlainRows(result.deduplicatedColumnNames(), result.getRows());
      }),
    stream: async function* (sql) {
      const connection = await instance.connect();
      try {
        const result = await connection.stream(sql);
        const names = result.deduplicatedColumnNames();
        for await (const chunk of result.yieldRows()) {
          yield toPlainRows(names, chunk);
        }
      } catch (error) {
        throw toFailure(sql, error);
      } finally {
        connection.closeSync();
      }
    },
    writeTable: (table, file, rows) =>
      withConnection(`rows of ${table.name}`, async (connection) => {
        const scratch = `scratch_${scratchTables++}`;
        await connection.run(`CREATE TEMP TABLE ${scratch} (${table.columns.map(definition).join(', ')})`);
        await append(connection, scratch, table, markFailures(rows));
        const columns = table.columns.map(({ name }) => identifier(name)).join(', ');
        const written = await copyTo(connection, `SELECT ${columns} FROM ${scratch}`, file);
        // After a failure the connection takes it along as it closes.
        await connection.run(`DROP TABLE ${scratch}`);
        return written;
      }),
    writeQuery: (sql, file) => withConnection(sql, (connection) => copyTo(connection, sql, file)),
    close: () => instance.closeSync(),
  };
};

const definition = ({ name, type, nullable }: Column): string =>
  `${identifier(name)} ${type}${nullable ? '' : ' NOT NULL'}`;

/** What the rows' own source threw: handed on as it is, because it is no fault of the database. */
class SourceFailure extends Error {
  constructor(cause: unknown) {
    super('the source of the rows failed', { cause });
  }
}

const markFailures = async function* (rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw new SourceFailure(error);
  }
};

const append = async (
  connection: DuckDBConnection,
  name: string,
  table: Table,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<void> => {
  const appender = await connection.createAppender(name, null, 'temp');
  let pending = 0;
  for await (const row of rows) {
    for (const column of table.columns) appendValue(appender, column, row[column.name] ?? null, table.name);
    appender.endRow();
    pending += 1;
    if (pending % 4096 === 0) appender.flushSync();
  }
  appender.closeSync();
};

const appendValue = (appender: DuckDBAppender, column: Column, value: Value, table: string): void => {
  const wrong = (cause?: unknown): RunError =>
    new RunError(`Column ${table}.${column.name} (${column.type}) cannot hold ${shown(value)}.`, { cause });
  if (value === null) {
    if (!column.nullable) throw wrong();
    appender.appendNull();
    return;
  }
  switch (column.type) {
    case 'VARCHAR':
      if (typeof value !== 'string') throw wrong();
      appender.appendVarchar(value);
      return;
    case 'INTEGER':
      if (typeof value !== 'number' || (value | 0) !== value) throw wrong();
      appender.appendInteger(value);
      return;
    case 'FLOAT':
      if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) throw wrong();
      appender.appendFloat(value);
      return;
    case 'DOUBLE':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong();
      appender.appendDouble(value);
      return;
    case 'DATE': {
      const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value))?.map(Number) ?? [];
      if (year === undefined || month === undefined || day === undefined) throw wrong();
      try {
        appender.appendDate(DuckDBDateValue.fromParts({ year, month, day }));
      } catch (error) {
        throw wrong(error);
      }
      return;
    }
    case 'UUID': {
      const digits = String(value).replaceAll('-', '');
      if (!/^[0-9a-f]{32}$/i.test(digits)) throw wrong();
      appender.appendUUID(DuckDBUUIDValue.fromUint128(BigInt(`0x${digits}`)));
      return;
    }
    case 'BIGINT':
      throw new RunError(`Column ${table}.${column.name} (${column.type}) is made in SQL, not appended.`);
    default:
      column.type satisfies never;
  }
};

const shown = (value: Value): string => (typeof value === 'number' ? String(value) : JSON.stringify(value));

const plainValue = (value: unknown): Value => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return String(value);
};

/** Not with DuckDB's row objects: they lose a column that is called `__proto__`. */
const toPlainRows = (names: readonly string[], rows: readonly (readonly unknown[])[]): Record<string, Value>[] =>
  rows.map((values) => Object.fromEntries(names.map((name, at) => [name, plainValue(values[at])])));
