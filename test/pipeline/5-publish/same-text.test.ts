import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import { sameTextSql } from '../../../pipeline/5-publish/same-text.js';
import type { Database } from '../../../src/database.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

const folder = temporaryFolder();
let database: Database;

beforeAll(async () => {
  database = await testDatabase(folder);
});

interface Doc {
  readonly id: string;
  readonly date?: string;
  readonly start?: string;
  readonly year: number;
  readonly quarter?: number;
}

/** Two documents with one text: the id of the one that is kept, and why the other one is not. */
const settle = async (dataset: DatasetId, docs: readonly [Doc, Doc]): Promise<readonly unknown[]> => {
  const day = (text: string | undefined): string => (text === undefined ? 'NULL::DATE' : `DATE '${text}'`);
  const rows = docs.map(
    ({ id, date, start, year, quarter }) =>
      `SELECT '${id}' AS document_id, 't' AS text_sha256, ${day(date)} AS date, ${year} AS year, ${
        dataset === 'wcb' ? `${day(start)} AS start_date` : `${quarter ?? 'NULL'} AS quarter`
      }`,
  );
  const settled = await database.rows(
    `SELECT document_id, left_out FROM (${sameTextSql(DATASETS[dataset], `(${rows.join(' UNION ALL ')})`)}) ORDER BY left_out NULLS FIRST`,
  );
  return [settled[0]?.document_id, settled[1]?.left_out];
};

describe('of two documents with one text', () => {
  it.each<readonly [string, DatasetId, readonly [Doc, Doc], string]>([
    [
      'the one with the earlier date is kept',
      'wcb',
      [
        { id: 'b', date: '2024-01-01', year: 2024 },
        { id: 'a', date: '2024-02-01', year: 2024 },
      ],
      'earlier and is kept.',
    ],
    [
      'the one whose meeting began earlier is kept where neither has a date',
      'wcb',
      [
        { id: 'bank_of_mexico', start: '2021-07-08', year: 2021 },
        { id: 'bank_of_japan', start: '2022-07-08', year: 2022 },
      ],
      'earlier and is kept.',
    ],
    [
      'neither is called the earlier one where they are of one day',
      'wcb',
      [
        { id: 'a', date: '2024-01-01', year: 2024 },
        { id: 'b', date: '2024-01-01', year: 2024 },
      ],
      'of the same day and is kept as the first by name.',
    ],
    [
      'the one of the earlier year is kept where no day is known',
      'wcb',
      [
        { id: 'b', year: 2020 },
        { id: 'a', year: 2021 },
      ],
      'of an earlier year and is kept.',
    ],
    [
      'neither is called the earlier one where only one has a date',
      'wcb',
      [
        { id: 'b', date: '2024-01-01', year: 2024 },
        { id: 'a', year: 2024 },
      ],
      'kept; which of the two is earlier is not known.',
    ],
    [
      'the call of the earlier quarter is kept where neither has a date',
      'earnings',
      [
        { id: 'HON_2019_Q2', year: 2019, quarter: 2 },
        { id: 'FISV_2019_Q3', year: 2019, quarter: 3 },
      ],
      'of an earlier fiscal quarter and is kept.',
    ],
    [
      'neither call is called the earlier one where they are of one quarter',
      'earnings',
      [
        { id: 'FISV_2019_Q2', year: 2019, quarter: 2 },
        { id: 'HON_2019_Q2', year: 2019, quarter: 2 },
      ],
      'of the same fiscal quarter and is kept as the first by name.',
    ],
    [
      'a quarter that cannot be is none',
      'earnings',
      [
        { id: 'b', year: 2019, quarter: 2 },
        { id: 'a', year: 2018 },
      ],
      'kept; which of the two is earlier is not known.',
    ],
  ])('%s', async (_, dataset, docs, why) => {
    const [kept] = docs;
    expect(await settle(dataset, docs)).toEqual([
      kept.id,
      `Its text is the same as that of ${kept.id}, which is ${why}`,
    ]);
  });
});
