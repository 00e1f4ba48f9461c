import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Database,
  identifier,
  openDatabase,
  parquet,
  parquetWithNames,
  QueryError,
  quote,
  type Row,
} from '../../src/database.js';
import { hashFile } from '../../src/files.js';
import type { ColumnType, Table } from '../../src/tables.js';
import { temporaryFolder } from '../support/rig.js';

const folder = temporaryFolder();
let database: Database;
let file: string;
let files = 0;

beforeAll(async () => {
  database = await openDatabase({ memoryMb: 256, temporaryFolder: folder, threads: 2 });
});
afterAll(() => database.close());
beforeEach(() => {
  files += 1;
  file = join(folder, `written-${files}.parquet`);
});

const table = (...columns: readonly (readonly [name: string, type: ColumnType, nullable?: 'nullable'])[]): Table => ({
  name: 'things',
  row: 'a thing',
  columns: columns.map(([name, type, nullable]) => ({ name, type, nullable: nullable !== undefined, about: '' })),
  key: ['id'],
});

const ALL_TYPES = table(
  ['id', 'INTEGER'],
  ['text', 'VARCHAR', 'nullable'],
  ['whole', 'INTEGER', 'nullable'],
  ['exact', 'DOUBLE', 'nullable'],
  ['rough', 'FLOAT', 'nullable'],
  ['day', 'DATE', 'nullable'],
  ['hash', 'UUID', 'nullable'],
);

const NOTHING = { text: null, whole: null, exact: null, rough: null, day: null, hash: null };

const read = (path: string): Promise<Row[]> => database.rows(`SELECT * FROM ${parquet(path)} ORDER BY id`);
const leftovers = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('a table written to Parquet', () => {
  it('comes back as it was, for every type', async () => {
    const rows: Row[] = [
      { id: 0, ...NOTHING },
      {
        id: 1,
        text: '',
        whole: 0,
        exact: 0,
        rough: 0,
        day: '1970-01-01',
        hash: '00000000-0000-0000-0000-000000000000',
      },
      {
        id: 2,
        text: `it's "quoted", \\ and\nin two lines; DROP TABLE x --`,
        whole: 2_147_483_647,
        exact: Number.MAX_VALUE,
        rough: 0.5,
        day: '1899-12-31',
        hash: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      },
      {
        id: 3,
        text: 'Zażółć 物価 🙂 e\u0301 \u0000 end',
        whole: -2_147_483_648,
        exact: 5e-324,
        rough: -0.25,
        day: '2024-02-29',
        hash: '7fffffff-0123-4567-89ab-cdef00000001',
      },
      { id: 4, ...NOTHING, exact: 0.1 + 0.2, day: '0001-01-01' },
    ];
    expect(await database.writeTable(ALL_TYPES, file, rows)).toBe(rows.length);
    expect(await read(file)).toEqual(rows);
  });

  it('reads the same in a Parquet reader that is not DuckDB', async () => {
    const columns = table(
      ['id', 'INTEGER'],
      ['text', 'VARCHAR', 'nullable'],
      ['exact', 'DOUBLE', 'nullable'],
      ['day', 'DATE'],
    );
    await database.writeTable(columns, file, [
      { id: 1, text: "l'été 🙂", exact: 1 / 3, day: '1913-12-23' },
      { id: 2, text: null, exact: null, day: '2026-01-02' },
    ]);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
    expect(rows).toEqual([
      { id: 1, text: "l'été 🙂", exact: 1 / 3, day: new Date('1913-12-23T00:00:00Z') },
      { id: 2, text: null, exact: null, day: new Date('2026-01-02T00:00:00Z') },
    ]);
  });

  it('takes any text and any finite number', async () => {
    const columns = table(['id', 'INTEGER'], ['text', 'VARCHAR'], ['exact', 'DOUBLE']);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            text: fc.string({ unit: 'binary' }),
            exact: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
          }),
        ),
        async (things) => {
          const rows = things.map((thing, id) => ({ id, ...thing }));
          await database.writeTable(columns, file, rows);
          expect(await read(file)).toEqual(rows);
        },
      ),
      { numRuns: 5 },
    );
  });

  it('has the columns that were written, whatever the folders above it are called', async () => {
    const below = join(folder, 'date=2001-01-01', 'whole=1999', 'env=prod');
    mkdirSync(below, { recursive: true });
    const named = join(below, 'written.parquet');
    const rows: Row[] = [{ id: 1, ...NOTHING, whole: 7, day: '2024-02-29' }];
    await database.writeTable(ALL_TYPES, named, rows);
    expect(await read(named)).toEqual(rows);
    expect(await database.rows(`SELECT * FROM ${parquetWithNames([named])}`)).toEqual([
      { ...rows[0], filename: named },
    ]);
  });

  it('has a column that is missing in a row as null', async () => {
    await database.writeTable(ALL_TYPES, file, [{ id: 7 }]);
    expect(await read(file)).toEqual([{ id: 7, ...NOTHING }]);
  });

  it('has the columns and no row where there are none', async () => {
    expect(await database.writeTable(ALL_TYPES, file, [])).toBe(0);
    expect(await database.rows(`SELECT * FROM ${parquet(file)}`)).toEqual([]);
    expect(await database.rows(`SELECT column_name FROM (DESCRIBE SELECT * FROM ${parquet(file)})`)).toHaveLength(7);
  });

  it('takes rows as they come, more than fit one chunk', async () => {
    const rows = async function* (): AsyncGenerator<Row> {
      for (let id = 0; id < 10_000; id += 1) yield { id, ...NOTHING, whole: id * 2 };
    };
    expect(await database.writeTable(ALL_TYPES, file, rows())).toBe(10_000);
    expect(await database.rows(`SELECT count(*) AS n, sum(whole) AS s, max(id) AS m FROM ${parquet(file)}`)).toEqual([
      { n: 10_000, s: 99_990_000, m: 9999 },
    ]);
  });

  it('is packed by the codec that every thread unpacks alike, and what it held before is not read again', async () => {
    await database.writeTable(ALL_TYPES, file, [{ id: 1, ...NOTHING }]);
    expect(await database.rows(`SELECT DISTINCT compression FROM parquet_metadata(${quote(file)})`)).toEqual([
      { compression: 'SNAPPY' },
    ]);
    expect(await database.rows('SELECT * FROM duckdb_external_file_cache()')).toEqual([]);
  });

  it('has the same bytes for the same rows, with one thread or four', async () => {
    const sql = `SELECT i AS id, 'text ' || (i * 7919 % 1000) AS text, i / 7 AS exact FROM range(150_000) t(i) ORDER BY text, id`;
    const hashes = new Set<string>();
    for (const threads of [1, 4, 4]) {
      const other = await openDatabase({ memoryMb: 256, temporaryFolder: folder, threads });
      await other.writeQuery(sql, file);
      other.close();
      hashes.add(await hashFile(file));
    }
    expect(hashes.size).toBe(1);
  });

  it('is replaced as a whole', async () => {
    await database.writeTable(ALL_TYPES, file, [{ id: 1 }, { id: 2 }]);
    await database.writeTable(ALL_TYPES, file, [{ id: 3 }]);
    expect((await read(file)).map(({ id }) => id)).toEqual([3]);
    expect(leftovers()).toEqual([]);
  });
});

describe('a value that does not fit its column', () => {
  it.each<readonly [ColumnType, string | number]>([
    ['DOUBLE', Number.NaN],
    ['DOUBLE', Number.POSITIVE_INFINITY],
    ['FLOAT', Number.NaN],
    ['FLOAT', 1e300],
    ['DOUBLE', 'one'],
    ['INTEGER', 1.5],
    ['INTEGER', 2_147_483_648],
    ['INTEGER', 'one'],
    ['VARCHAR', 1],
    ['DATE', 'yesterday'],
    ['DATE', '2024-02-30'],
    ['DATE', '2024-13-01'],
    ['DATE', '2024-01-31T00:00:00Z'],
    ['DATE', '2024-1'],
    ['DATE', 20240131],
    ['UUID', 'abc'],
    ['UUID', ''],
    ['UUID', 'not hexadecimal, though of 32 ch.'],
  ])('as %s %s is refused by naming table, column and value', async (type, value) => {
    const writing = database.writeTable(table(['id', 'INTEGER'], ['held', type, 'nullable']), file, [
      { id: 1, held: value },
    ]);
    const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
    await expect(writing).rejects.toThrow(`Column things.held (${type}) cannot hold ${shown}.`);
    expect(readdirSync(folder)).not.toContain(`written-${files}.parquet`);
    expect(leftovers()).toEqual([]);
  });

  it('as null where null is not allowed is refused', async () => {
    await expect(database.writeTable(table(['id', 'INTEGER']), file, [{ id: null }])).rejects.toThrow(
      'Column things.id (INTEGER) cannot hold null.',
    );
  });

  it('leaves the file as it was, and the database in order', async () => {
    await database.writeTable(ALL_TYPES, file, [{ id: 1 }]);
    const before = await readFile(file);
    const rows = function* (): Generator<Row> {
      for (let id = 0; id < 5000; id += 1) yield { id };
      yield { id: 5000, whole: 0.5 };
    };
    await expect(database.writeTable(ALL_TYPES, file, rows())).rejects.toThrow('cannot hold 0.5');
    expect(await readFile(file)).toEqual(before);
    await database.writeTable(ALL_TYPES, file, [{ id: 2 }]);
    expect(await database.rows(`SELECT id FROM ${parquet(file)}`)).toEqual([{ id: 2 }]);
    expect(await database.rows("SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'scratch%'")).toEqual([]);
  });

  it('hands on the error of rows that cannot be had as it is', async () => {
    const reason = new Error('the source ended early');
    const rows = function* (): Generator<Row> {
      yield { id: 1 };
      throw reason;
    };
    const error: unknown = await database.writeTable(ALL_TYPES, file, rows()).catch((thrown: unknown) => thrown);
    expect(error).toBe(reason);
    expect(leftovers()).toEqual([]);
  });
});

describe('a query', () => {
  it('that is wrong gives its SQL, its cause and no file', async () => {
    const error: unknown = await database
      .writeQuery('SELECT nothing_such FROM range(3)', file)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ sql: expect.stringContaining('SELECT nothing_such FROM range(3)') });
    expect(error).toMatchObject({ message: expect.stringContaining('nothing_such') });
    expect(error instanceof Error && error.cause).toBeInstanceOf(Error);
    expect(readdirSync(folder)).not.toContain(`written-${files}.parquet`);
    expect(leftovers()).toEqual([]);
  });

  it('shows the beginning of a long statement, and no path that is cut', async () => {
    const path = join(folder, 'a'.repeat(60), 'b'.repeat(60), 'missing.parquet');
    const columns = Array.from({ length: 12 }, (_, at) => `column_${at}`).join(', ');
    const said = async (sql: string): Promise<string> => {
      const error: unknown = await database.rows(sql).catch((thrown: unknown) => thrown);
      return /\(in: (.*)\)$/.exec(String(error))?.[1] ?? '';
    };
    expect(await said(`SELECT ${columns} FROM ${parquet(path)}`)).toBe(`SELECT ${columns} FROM read_parquet(…`);
    expect(await said(`SELECT nothing, ${columns}, ${columns} FROM things`)).toBe(
      `${`SELECT nothing, ${columns}, ${columns}`.slice(0, 160)}…`,
    );
    expect(await said(`SELECT nothing FROM ${parquet('x')}`)).toBe(`SELECT nothing FROM ${parquet('x')}`);
  });

  it.each(['run', 'rows'] as const)('that is wrong gives its SQL when it is asked by %s', async (how) => {
    await expect(database[how]('SELEC 1')).rejects.toMatchObject({ name: 'QueryError', sql: 'SELEC 1' });
  });

  it('that is wrong gives its SQL when it is streamed', async () => {
    await expect(database.stream('SELECT * FROM nowhere').next()).rejects.toMatchObject({
      name: 'QueryError',
      sql: 'SELECT * FROM nowhere',
    });
  });

  it.runIf(existsSync('/dev/full'))('that finds the disk full names the file and no SQL', async () => {
    const full = `COPY (SELECT i FROM range(9) t(i)) TO '/dev/full'`;
    await expect(database.run(full)).rejects.toMatchObject({
      code: 'ENOSPC',
      sql: full,
      message: expect.stringMatching(/^Could not \w+ [^(]*\/dev\/full": No space left on device$/),
    });
  });

  it('that needs more memory than there is says so without its SQL', async () => {
    const small = await openDatabase({ memoryMb: 16, temporaryFolder: '/proc/none', threads: 1 });
    const sorted = 'SELECT md5(i::VARCHAR) AS a, repeat(md5(i::VARCHAR), 20) AS b FROM range(100_000) t(i) ORDER BY a';
    const error: unknown = await small.writeQuery(sorted, file).catch((thrown) => thrown);
    small.close();
    expect(error).toMatchObject({ code: 'ENOMEM', message: expect.stringMatching(/^failed to allocate [^;]*$/) });
  });

  it('that fails in the middle leaves no file', async () => {
    const sql = `SELECT CASE WHEN i = 250000 THEN error('no more') ELSE 'a' END AS text FROM range(300_000) t(i)`;
    await expect(database.writeQuery(sql, file)).rejects.toThrow('no more');
    expect(readdirSync(folder)).not.toContain(`written-${files}.parquet`);
    expect(leftovers()).toEqual([]);
  });

  it('gives dates, UUIDs and counts as texts and numbers', async () => {
    expect(
      await database.rows(
        `SELECT DATE '1969-07-20' AS day, '0000abcd-0000-0000-0000-000000000001'::UUID AS hash, count(*) AS n, sum(i) AS s, true AS yes, NULL AS nothing FROM range(5) t(i)`,
      ),
    ).toEqual([
      { day: '1969-07-20', hash: '0000abcd-0000-0000-0000-000000000001', n: 5, s: 10, yes: 1, nothing: null },
    ]);
  });

  it('is streamed in pieces, all rows once and in order, and may be left early', async () => {
    let next = 0;
    let pieces = 0;
    for await (const rows of database.stream('SELECT i FROM range(10_000) t(i) ORDER BY i')) {
      pieces += 1;
      for (const row of rows) expect(row.i).toBe(next++);
    }
    expect(next).toBe(10_000);
    expect(pieces).toBeGreaterThan(1);
    for await (const rows of database.stream('SELECT i FROM range(10_000) t(i)')) {
      expect(rows.length).toBeGreaterThan(0);
      break;
    }
    expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('names and texts in SQL', () => {
  it('stay what they are, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (text) => {
        const [row] = await database.rows(`SELECT ${quote(text)} AS ${identifier(text)}`);
        expect(row).toEqual({ [text]: text });
      }),
      { numRuns: 50 },
    );
  });
});
