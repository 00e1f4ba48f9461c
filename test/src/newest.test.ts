import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../data/catalog.js';
import type { Database, Row } from '../../src/database.js';
import { newestSql } from '../../src/snapshot/newest.js';
import { temporaryFolder, testDatabase } from '../support/rig.js';

const folder = temporaryFolder();
let database: Database;

beforeAll(async () => {
  database = await testDatabase(folder);
});

const newestCall = (...rows: readonly string[]): Promise<Row[]> =>
  database.rows(newestSql(DATASETS.earnings, `(VALUES ${rows.join(', ')}) t(ticker, year, quarter, date)`));
const newestText = (...rows: readonly string[]): Promise<Row[]> =>
  database.rows(newestSql(DATASETS.wcb, `(VALUES ${rows.join(', ')}) t(bank_name, year, start_date, date)`));

describe('the newest document', () => {
  it('goes by the end of its quarter where it has no day, and says by which quarter', async () => {
    expect(await newestCall("('ZM', 2023, 4, NULL::DATE)", "('ZM', 2023, 3, NULL::DATE)")).toEqual([
      { subject: 'ZM', newest: '2023-12-31', period: '2023 Q4' },
    ]);
    expect(await newestCall("('ZM', 2023, 4, DATE '2023-02-27')", "('ZM', 2022, 1, NULL::DATE)")).toEqual([
      { subject: 'ZM', newest: '2023-02-27', period: null },
    ]);
    expect(await newestCall("('ZM', 2023, 5, NULL::DATE)")).toEqual([{ subject: 'ZM', newest: null, period: null }]);
  });

  it('goes by the first day of its meeting where nothing later is known, and by its year where no day is', async () => {
    expect(await newestText("('bank_of_japan', 2021, DATE '2021-07-08', NULL::DATE)")).toMatchObject([
      { newest: '2021-07-08', period: null },
    ]);
    expect(await newestText("('bank_of_japan', 2021, NULL::DATE, NULL::DATE)")).toMatchObject([
      { newest: '2021-12-31', period: '2021' },
    ]);
  });
});
