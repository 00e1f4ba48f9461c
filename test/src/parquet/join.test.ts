import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, parquet, quote, type Row } from '../../../src/database.js';
import { hashFile } from '../../../src/files.js';
import { joinParquet } from '../../../src/parquet/join.js';
import type { Table } from '../../../src/tables.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

const folder = temporaryFolder();
let database: Database;
let files = 0;

beforeAll(async () => {
  database = await testDatabase(folder);
});

const newFile = (): string => {
  files += 1;
  return join(folder, `file-${files}.parquet`);
};

const table: Table = {
  name: 'mixed',
  row: 'a row of every type',
  columns: [
    { name: 'id', type: 'INTEGER', nullable: false, about: '' },
    { name: 'text', type: 'VARCHAR', nullable: true, about: '' },
    { name: 'value', type: 'DOUBLE', nullable: true, about: '' },
    { name: 'day', type: 'DATE', nullable: true, about: '' },
    { name: 'hash', type: 'UUID', nullable: true, about: '' },
  ],
  key: ['id'],
};

const write = async (rows: readonly Row[]): Promise<string> => {
  const file = newFile();
  await database.writeTable(table, file, rows);
  return file;
};

const rowOf = (id: number): Row => ({
  id,
  text: id % 3 === 0 ? null : `text ${id % 7} é`,
  value: id % 5 === 0 ? null : id / 7,
  day: '2024-02-29',
  hash: '0123456789abcdef0123456789abcdef',
});

const rowsOf = (from: number, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => rowOf(from + at));

const readByDuckDb = (file: string | readonly string[]): Promise<Row[]> =>
  database.rows(`SELECT * FROM ${parquet(file)}`);

const readByHyparquet = async (file: string): Promise<readonly unknown[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });

describe('joined Parquet files', () => {
  it('hold the rows of all of them in their order, for two readers, with their statistics', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
        const pieces: string[] = [];
        let from = 0;
        for (const size of sizes) {
          pieces.push(await write(rowsOf(from, size)));
          from += size;
        }
        const file = newFile();
        expect(await joinParquet(pieces, file)).toEqual({ rows: from, sha256: await hashFile(file) });
        expect(await readByDuckDb(file)).toEqual(await readByDuckDb(pieces));
        const apart = await Promise.all(pieces.map(readByHyparquet));
        expect(await readByHyparquet(file)).toEqual(apart.flat());
        // What prunes, row groups by their statistics and by their Bloom filters, finds each row.
        for (const id of [0, from - 1].filter((one) => one >= 0 && one < from)) {
          expect(await database.rows(`SELECT id FROM ${parquet(file)} WHERE id = ${id}`)).toEqual([{ id }]);
        }
        const named = `SELECT count(*) AS n FROM ${parquet(file)} WHERE text = 'text 4 é'`;
        expect(await database.rows(named)).toEqual(await database.rows(named.replace(parquet(file), parquet(pieces))));
      }),
      { numRuns: 12 },
    );
  });

  it('have row groups that say where their columns, dictionaries and Bloom filters lie', async () => {
    const pieces = [await write(rowsOf(0, 3000)), await write(rowsOf(3000, 3000))];
    const file = newFile();
    await joinParquet(pieces, file);
    const places = (of: string): Promise<Row[]> =>
      database.rows(`SELECT row_group_id, path_in_schema, data_page_offset, dictionary_page_offset, bloom_filter_offset, bloom_filter_length
        FROM parquet_metadata(${quote(of)}) ORDER BY row_group_id, column_id`);
    const joined = await places(file);
    const [first, second] = [await places(pieces[0] ?? ''), await places(pieces[1] ?? '')];
    expect(joined).toHaveLength(10);
    expect(joined.slice(0, 5)).toEqual(first);
    const bytes = readFileSync(file);
    const apart = readFileSync(pieces[1] ?? '');
    for (const [at, row] of joined.slice(5).entries()) {
      for (const place of ['data_page_offset', 'dictionary_page_offset', 'bloom_filter_offset']) {
        const [there, here] = [row[place], second[at]?.[place]];
        expect(typeof there).toBe(typeof here);
        if (typeof there !== 'number' || typeof here !== 'number') continue;
        expect(bytes.subarray(there, there + 16)).toEqual(apart.subarray(here, here + 16));
      }
    }
    expect(second.some((row) => typeof row.bloom_filter_offset === 'number')).toBe(true);
    expect(
      await database.rows(
        `SELECT count(*) AS n FROM parquet_bloom_probe(${quote(file)}, 'text', 'no such text') WHERE bloom_filter_excludes`,
      ),
    ).toEqual([{ n: 2 }]);
  });

  it('are the same bytes whenever and however often they are joined, and one alone is itself', async () => {
    const pieces = [await write(rowsOf(0, 300)), await write([]), await write(rowsOf(300, 500))];
    const hashes = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const file = newFile();
      await joinParquet(pieces, file);
      hashes.add(createHash('sha256').update(readFileSync(file)).digest('hex'));
    }
    expect(hashes.size).toBe(1);
    const alone = newFile();
    await joinParquet(pieces.slice(0, 1), alone);
    expect(readFileSync(alone)).toEqual(readFileSync(pieces[0] ?? ''));
  });

  it('may be joined in two steps', async () => {
    const pieces = [await write(rowsOf(0, 300)), await write(rowsOf(300, 10)), await write(rowsOf(310, 500))];
    const [two, all, again] = [newFile(), newFile(), newFile()];
    await joinParquet(pieces.slice(0, 2), two);
    await joinParquet([two, pieces[2] ?? ''], again);
    await joinParquet(pieces, all);
    expect(await readByDuckDb(again)).toEqual(await readByDuckDb(all));
  });
});

describe('what cannot be joined', () => {
  it('is named, with the reason, and leaves no file', async () => {
    const good = await write(rowsOf(0, 10));
    const cut = await write(rowsOf(0, 100));
    truncateSync(cut, 200);
    const text = newFile();
    writeFileSync(text, 'PAR1 and no more than that');
    const empty = newFile();
    writeFileSync(empty, '');
    const other = newFile();
    await database.writeQuery('SELECT 1 AS id', other);
    for (const [bad, why] of [
      [cut, 'it is no Parquet file'],
      [text, 'it is no Parquet file'],
      [empty, 'it is too short'],
      [other, `its columns are not those of ${good}`],
    ] as const) {
      const file = newFile();
      const joining = joinParquet([good, bad], file);
      await expect(joining).rejects.toThrow(`${bad} cannot be joined with others: ${why}.`);
      expect(() => readFileSync(file)).toThrow('ENOENT');
    }
    await expect(joinParquet([good, join(folder, 'nowhere')], newFile())).rejects.toThrow('ENOENT');
    await expect(joinParquet([], newFile())).rejects.toThrow('There is no file to join.');
  });
});
