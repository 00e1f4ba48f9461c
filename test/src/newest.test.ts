import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../data/catalog.js';
import type { Database, Row } from '../../src/database.js';
import { newestSql } from '../../src/snapshot/newest.js';
import { temporaryFolder, testDatabase } from '../support/rig.js';

const folder = temporaryFolder();
let database: Database;
const NOW = new Date('2026-11-23T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase(folder);
});

const newestCall = (...rows: readonly string[]): Promise<Row[]> =>
  database.rows(newestSql(DATASETS.earnings, `(VALUES ${rows.join(', ')}) t(ticker, year, quarter, date)`, NOW));
const newestText = (...rows: readonly string[]): Promise<Row[]> =>
  database.rows(newestSql(DATASETS.wcb, `(VALUES ${rows.join(', ')}) t(bank_name, year, start_date, date)`, NOW));

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

  it('is none that is dated after today: a slip of the source must not hide that it has gone stale', async () => {
    const stale = "('bank_of_japan', 2024, NULL::DATE, DATE '2024-03-01')";
    const slips = ["DATE '2062-03-01'", "DATE '2026-11-25'"].map(
      (date) => `('bank_of_japan', 2026, NULL::DATE, ${date})`,
    );
    const undated = "('bank_of_japan', 2062, NULL::DATE, NULL::DATE)";
    expect(await newestText(stale, ...slips, undated)).toMatchObject([{ newest: '2024-03-01', period: null }]);
    expect(await newestText(...slips)).toEqual([{ subject: 'bank_of_japan', newest: null, period: null }]);
  });

  it('may be of tomorrow, which it is already in the east, and of a fiscal quarter whose name runs ahead of the year', async () => {
    expect(await newestText("('bank_of_japan', 2026, NULL::DATE, DATE '2026-11-24')")).toMatchObject([
      { newest: '2026-11-24' },
    ]);
    expect(await newestCall("('NVDA', 2027, 3, NULL::DATE)", "('NVDA', 2062, 1, NULL::DATE)")).toMatchObject([
      { period: '2027 Q3' },
    ]);
  });
});
