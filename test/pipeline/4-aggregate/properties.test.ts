import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import { getModel, type ModelId } from '../../../models/catalog.js';
import { countsFor, metricsOf } from '../../../pipeline/4-aggregate/metrics.js';
import { type Database, identifier, quote } from '../../../src/database.js';
import {
  type Count,
  type Counts,
  countColumn,
  countSql,
  evaluate,
  type Formula,
  metricSql,
} from '../../../src/formula.js';
import { EARNINGS_METRICS_SQL, WCB_METRICS_SQL } from '../../support/independent-metrics.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

type Labelled = Readonly<Record<string, string | null>>;

const folder = temporaryFolder();
let database: Database;

beforeAll(async () => {
  database = await testDatabase(folder);
});

/** Sentences of a few documents. Now and then a model says the same of all of them, or nothing. */
const labelTable = (dataset: DatasetId): fc.Arbitrary<Labelled[]> => {
  const label = (model: ModelId): fc.Arbitrary<string | null> =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...getModel(model).labels) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  const mixed = fc.record(Object.fromEntries(DATASETS[dataset].models.map((model) => [model, label(model)])));
  const rare = fc.record(
    Object.fromEntries(
      DATASETS[dataset].models.map((model) => [model, fc.constantFrom(getModel(model).labels.at(-1) ?? null)]),
    ),
  );
  const document = fc.oneof(
    { weight: 4, arbitrary: fc.array(mixed, { minLength: 1, maxLength: 25 }) },
    { weight: 1, arbitrary: fc.array(rare, { minLength: 1, maxLength: 5 }) },
  );
  return fc
    .array(document, { minLength: 1, maxLength: 6 })
    .map((documents) => documents.flatMap((rows, at) => rows.map((row) => ({ document_id: `d${at}`, ...row }))));
};

const load = async (dataset: DatasetId, rows: readonly Labelled[]): Promise<void> => {
  const columns = ['document_id', ...DATASETS[dataset].models];
  const value = (text: string | null | undefined): string => (typeof text === 'string' ? quote(text) : 'NULL');
  await database.run(`CREATE OR REPLACE TABLE labels (${columns.map((name) => `${identifier(name)} VARCHAR`).join(', ')});
    INSERT INTO labels VALUES ${rows.map((row) => `(${columns.map((name) => value(row[name])).join(', ')})`).join(', ')}`);
};

/** Counted here, one row at a time. */
const counted = (rows: readonly Labelled[], { model, label, given }: Count): number =>
  rows.filter(
    (row) =>
      (label === null ? row[model] !== null : row[model] === label) &&
      (given === undefined || row[given.model] === given.label),
  ).length;

const countsByHand = (dataset: DatasetId, rows: readonly Labelled[]): Counts =>
  Object.fromEntries(
    countsFor(dataset, { uncertainty: 'net' }).map((count) => [countColumn(count), counted(rows, count)]),
  );

const denominatorOf = ({ over, overMinus }: Formula, counts: Counts): number => {
  const sum = (terms: readonly Count[]): number =>
    terms.reduce((total, term) => total + (counts[countColumn(term)] ?? Number.NaN), 0);
  return sum(over) - sum(overMinus);
};

const byDocument = (rows: readonly Labelled[]): Map<string, Labelled[]> => {
  const groups = new Map<string, Labelled[]>();
  for (const row of rows) {
    const id = row.document_id ?? '';
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return groups;
};

const isNear = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 1e-12 : a === b;

const CASES = [
  { dataset: 'wcb', uncertainty: 'ratio', independent: WCB_METRICS_SQL('labels') },
  { dataset: 'wcb', uncertainty: 'net', independent: WCB_METRICS_SQL('labels', 'net') },
  { dataset: 'earnings', uncertainty: 'ratio', independent: EARNINGS_METRICS_SQL('labels') },
] as const;

describe.each(CASES)(
  'the metrics of $dataset, uncertainty as $uncertainty',
  ({ dataset, uncertainty, independent }) => {
    const metrics = metricsOf(dataset, { uncertainty });
    const counts = countsFor(dataset, { uncertainty });

    it('are the same in JavaScript, in SQL over the counts and in SQL written apart; null over zero, else in range; counts add up', async () => {
      await fc.assert(
        fc.asyncProperty(labelTable(dataset), async (rows) => {
          await load(dataset, rows);
          const stored = await database.rows(
            `SELECT document_id, ${counts.map(countSql).join(', ')} FROM labels GROUP BY document_id ORDER BY document_id`,
          );
          const derived = await database.rows(
            `SELECT document_id, ${metrics.map(metricSql).join(', ')}
           FROM (SELECT document_id, ${counts.map(countSql).join(', ')} FROM labels GROUP BY document_id) ORDER BY document_id`,
          );
          const apart = await database.rows(independent);
          const groups = byDocument(rows);
          expect(stored.map((row) => row.document_id)).toEqual([...groups.keys()].sort());
          const faults: string[] = [];
          for (const [at, row] of stored.entries()) {
            const { document_id: id, ...numbers } = row;
            const mine = countsByHand(dataset, groups.get(String(id)) ?? []);
            expect(numbers).toEqual(mine);
            for (const { name, formula, range } of metrics) {
              const value = evaluate(formula, mine);
              const inSql = derived[at]?.[name];
              const written = apart[at]?.[name];
              if (inSql !== value) faults.push(`${name} is ${value}, in SQL ${inSql}`);
              if (!isNear(written, value)) faults.push(`${name} is ${value}, in SQL written apart ${written}`);
              if ((value === null) !== (denominatorOf(formula, mine) === 0))
                faults.push(`${name} is ${value}, over zero`);
              if (value !== null && !(value >= range[0] && value <= range[1]))
                faults.push(`${name} is ${value}, range`);
            }
            for (const model of DATASETS[dataset].models) {
              const total = Number(numbers[countColumn({ model, label: null })]);
              const labels = getModel(model).labels.map((label) => Number(numbers[countColumn({ model, label })]));
              if (labels.reduce((sum, n) => sum + n, 0) !== total) faults.push(`${model} does not add up to ${total}`);
            }
          }
          expect(faults).toEqual([]);
          expect(Object.keys(apart[0] ?? {})).toEqual(['document_id', ...metrics.map(({ name }) => name)]);
        }),
        { numRuns: dataset === 'wcb' ? 20 : 6 },
      );
    });

    it('of two documents together come from the sums of their counts', async () => {
      await fc.assert(
        fc.asyncProperty(labelTable(dataset), async (rows) => {
          await load(dataset, rows);
          const sums = counts.map(
            (count) => `sum(${identifier(countColumn(count))}) AS ${identifier(countColumn(count))}`,
          );
          const [merged] = await database.rows(
            `SELECT ${sums.join(', ')} FROM (SELECT document_id, ${counts.map(countSql).join(', ')} FROM labels GROUP BY document_id)`,
          );
          expect(merged).toEqual(countsByHand(dataset, rows));
        }),
        { numRuns: 5 },
      );
    });
  },
);

describe('a formula', () => {
  it('says which count is missing rather than take it for zero', () => {
    const [stance] = metricsOf('wcb', { uncertainty: 'ratio' });
    if (stance === undefined) throw new Error('There is no metric.');
    expect(() => evaluate(stance.formula, { cb_stance_label__hawkish: 1, cb_stance_label__irrelevant: 0 })).toThrow(
      new RangeError('The count cb_stance_label__total is missing.'),
    );
  });
});
