import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CENTRAL_BANKS, type DatasetId } from '../../../data/catalog.js';
import { metricsOf } from '../../../pipeline/4-aggregate/metrics.js';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;

beforeAll(async () => {
  const outputs = outputsIn(join(folder, 'outputs'));
  await publish({ outputs, dataset: 'wcb', documents: 400, seed: 2 });
  await publish({ outputs, dataset: 'earnings', documents: 700, seed: 2 });
  service = await startService(folder);
});

afterAll(() => service.stop());

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;
interface Listing {
  readonly total: number;
  readonly next_offset: number | null;
  readonly documents: readonly Row[];
}

const json = async <T>(path: string): Promise<T> => {
  const response = await service.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
};

const day = fc
  .date({ min: new Date('1996-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const some = <T>(values: readonly T[], most: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most }).map((chosen) => chosen.join(','));
const ticker = Array.from({ length: 14 }, (_, at) => `T${String(at).padStart(4, '0')}`);

const metricNames = (dataset: DatasetId): readonly string[] =>
  metricsOf(dataset, { uncertainty: 'ratio' }).map(({ name }) => name);

const filters = (dataset: DatasetId): fc.Arbitrary<URLSearchParams> => {
  const optional = { requiredKeys: [] as never[] };
  const shared = { start_date: day, end_date: day, metric: some(metricNames(dataset), 4) };
  const own =
    dataset === 'wcb'
      ? fc.record(
          { ...shared, year: some([1996, 2001, 2010, 2015, 1800], 3), bank_name: some(CENTRAL_BANKS, 6) },
          optional,
        )
      : fc.record(
          {
            ...shared,
            year: some([2008, 2009, 2010, 2011], 3),
            ticker: some([...ticker, 'NOPE'], 5),
            quarter: some([1, 2, 3, 4], 2),
            date: fc.oneof({ arbitrary: day, weight: 1 }, { arbitrary: fc.constant('2009-05-01'), weight: 1 }),
          },
          optional,
        );
  return own.map((query) => {
    const { start_date: start, end_date: end } = query;
    const dates = start !== undefined && end !== undefined && start > end ? { start_date: end, end_date: start } : {};
    const all: Record<string, string | undefined> = { ...query, ...dates };
    return new URLSearchParams(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  });
};

const question = fc
  .constantFrom<DatasetId>('wcb', 'earnings')
  .chain((dataset) => fc.tuple(fc.constant(dataset), filters(dataset)));

describe('for any filter', () => {
  it('the summary is the aggregate of the documents', async () => {
    await fc.assert(
      fc.asyncProperty(question, async ([dataset, query]) => {
        interface Summary {
          readonly documents: number;
          readonly summary: readonly {
            metric: string;
            avg: number | null;
            min: number | null;
            max: number | null;
            count: number;
          }[];
        }
        const { total, documents } = await json<Listing>(`/v1/metrics/${dataset}/documents?limit=10000&${query}`);
        const { documents: count, summary } = await json<Summary>(`/v1/metrics/${dataset}/summary?${query}`);
        expect([count, documents.length]).toEqual([total, total]);
        const names = Object.keys(documents[0] ?? {}).filter((name) => metricNames(dataset).includes(name));
        if (documents.length > 0) expect(summary.map(({ metric }) => metric)).toEqual(names);
        for (const { metric, avg, min, max, count: values } of summary) {
          const found = documents.map((row) => row[metric]).filter((value) => typeof value === 'number');
          expect(values).toBe(found.length);
          expect(min).toBe(found.length === 0 ? null : Math.min(...found));
          expect(max).toBe(found.length === 0 ? null : Math.max(...found));
          if (found.length === 0) expect(avg).toBeNull();
          else expect(avg).toBeCloseTo(found.reduce((sum, value) => sum + value, 0) / found.length, 12);
        }
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('pages of any size, joined, are the whole, once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 40, max: 400 }), async ([dataset, query], limit) => {
        const whole = await json<Listing>(`/v1/metrics/${dataset}/documents?limit=10000&${query}`);
        const joined: Row[] = [];
        let offset: number | null = 0;
        while (offset !== null) {
          const page: Listing = await json(`/v1/metrics/${dataset}/documents?limit=${limit}&offset=${offset}&${query}`);
          expect(page.total).toBe(whole.total);
          joined.push(...page.documents);
          offset = page.next_offset;
        }
        expect(joined).toEqual(whole.documents);
        const ids = joined.map(({ document_id }) => document_id);
        expect(new Set(ids).size).toBe(ids.length);
        const keys = joined.map(({ date, document_id }) => Buffer.from(`${date ?? '~'} ${document_id}`));
        expect(keys).toEqual([...keys].sort(Buffer.compare));
      }),
      { numRuns: 25, seed: 6 },
    );
  });

  it('JSON, CSV, Parquet and Arrow carry equal values', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 700 }), async ([dataset, query], limit) => {
        const address = `/v1/metrics/${dataset}/documents?limit=${limit}&${query}`;
        const { documents } = await json<Listing>(address);
        const file = async (format: string): Promise<Buffer> => {
          const response = await service.get(`${address}&format=${format}`);
          expect(response.status).toBe(200);
          return Buffer.from(await response.arrayBuffer());
        };
        expect(fromCsv(await file('csv'), documents)).toEqual(documents);
        expect(await fromParquet(await file('parquet'))).toEqual(documents);
        expect(fromArrow(await file('arrow'))).toEqual(documents);
      }),
      { numRuns: 20, seed: 7 },
    );
  });
});

describe('CSV', () => {
  it('is UTF-8 with CRLF, a header also over no rows, and quotes as RFC 4180 says', async () => {
    const text = await (await service.get('/v1/metrics/wcb/documents?format=csv&limit=400')).text();
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text).toContain('"two\nlines ""and"" more"');
    expect(text).toContain('"Größe, “quoted” 政策"');
    const none = await (await service.get('/v1/metrics/wcb/documents?format=csv&year=1800&metric=stance')).text();
    expect(none).toMatch(/^document_id,bank_name,[a-z_,]+,stance\r\n$/);
  });

  it('defuses what a spreadsheet would run, and leaves numbers alone', async () => {
    const text = await (await service.get('/v1/metrics/wcb/documents?format=csv&limit=400')).text();
    expect(text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(text).toContain(`,'-1+2,`);
    expect(text).not.toMatch(/(^|,)"?[=+@]/m);
    expect(text).toMatch(/,-0\.\d+/);
  });
});

/** The cells of a CSV, read back as the types of JSON, without the mark that defuses. */
const fromCsv = (file: Buffer, like: readonly Row[]): Row[] => {
  const rows = parse(file, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  return rows.map((row, at) =>
    Object.fromEntries(
      Object.entries(row).map(([name, text]): [string, Cell] => {
        if (text === '') return [name, null];
        return [name, typeof like[at]?.[name] === 'number' ? Number(text) : text.replace(/^'(?=[=+\-@])/, '')];
      }),
    ),
  );
};

const fromParquet = async (file: Buffer): Promise<Row[]> => {
  const bytes = Uint8Array.from(file).buffer;
  const rows = await parquetReadObjects({ file: bytes, compressors });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)])));
};

const fromArrow = (file: Buffer): Row[] => {
  const table = tableFromIPC(file);
  const dates = table.schema.fields.filter(({ type }) => String(type).startsWith('Date')).map(({ name }) => name);
  return table
    .toArray()
    .map((row: { toJSON: () => Record<string, unknown> }) =>
      Object.fromEntries(
        Object.entries(row.toJSON()).map(([name, value]) => [
          name,
          dates.includes(name) && value !== null ? toCell(new Date(Number(value))) : toCell(value),
        ]),
      ),
    );
};

const toCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'number' ? value : String(value);
};
