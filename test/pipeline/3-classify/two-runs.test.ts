/** Two runs that use one prediction store at the same time: of two datasets whose models come from one package. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelId } from '../../../models/catalog.js';
import { classify } from '../../../pipeline/3-classify/stage.js';
import { openPredictionStore, type PredictionStore } from '../../../pipeline/3-classify/store.js';
import { waitForLock } from '../../../pipeline/run/lock.js';
import type { Alone } from '../../../pipeline/stage.js';
import { type Database, parquet, quote, type Row } from '../../../src/database.js';
import { textHash } from '../../../src/files.js';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { spansTable } from '../../../src/tables.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';

const PACKAGE = 'c3'.repeat(32);
const OURS: ModelId = 'cb_labor_market_relevancy';
const THEIRS: ModelId = 'ec_labor_market_relevancy';
const ROUNDS = 2;
/** More than are left apart. */
const PARTS = 50;

const root = temporaryFolder();
const folder = join(root, 'predictions');
const alone: Alone = async (path, work) => {
  const signal = new AbortController().signal;
  const release = await waitForLock(path, { now: () => new Date(), signal, patienceMs: 50_000 });
  try {
    return await work();
  } finally {
    await release();
  }
};

interface Run {
  readonly database: Database;
  readonly store: PredictionStore;
}

const openRun = async (): Promise<Run> => {
  const database = await testDatabase(root, 1);
  return { database, store: openPredictionStore(folder, database, alone) };
};

const texts = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_none, at) => `${name} ${at}`);

const need = async ({ database }: Run, all: readonly string[]): Promise<void> => {
  const hashes = all.map((text) => `(${quote(textHash(text))}::UUID)`).join(', ');
  await database.run(`CREATE OR REPLACE TABLE needed AS SELECT col0 AS text_hash FROM (VALUES ${hashes})`);
};

const addEach = async ({ store }: Run, model: ModelId, all: readonly string[]): Promise<void> => {
  for (const text of all) await store.add(PACKAGE, [model], [[textHash(text), [{ label: 'Relevant', score: 0.75 }]]]);
};

const lacking = async ({ database, store }: Run, model: ModelId): Promise<number> => {
  await database.run('DROP TABLE IF EXISTS answers');
  await store.readAnswers({ packageFingerprint: PACKAGE, models: [model] }, 'needed', 'answers');
  const [row] = await database.rows(`SELECT count(*) AS n FROM answers WHERE ${model} IS NULL`);
  return Number(row?.n);
};

const missing = async ({ database, store }: Run, model: ModelId): Promise<number> => {
  await database.run('DROP TABLE IF EXISTS missing');
  await store.findMissing({ packageFingerprint: PACKAGE, models: [model] }, 'needed', 'missing');
  const [row] = await database.rows('SELECT count(*) AS n FROM missing');
  return Number(row?.n);
};

let one: Run;
let other: Run;
beforeAll(async () => {
  one = await openRun();
  other = await openRun();
});

describe('two runs at once', () => {
  it('join parts, forget and read, and neither fails or misses an answer that is there', async () => {
    const ours = texts('ours', PARTS);
    const theirs = texts('theirs', PARTS);
    await need(one, ours);
    await need(other, theirs);
    await addEach(one, OURS, ours);
    await addEach(other, THEIRS, theirs);

    let joining = true;
    const rearrange = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await addEach(one, OURS, texts(`round ${round}`, PARTS));
        await one.store.compact(PACKAGE);
        await one.store.forget({ packageFingerprint: PACKAGE, models: [OURS] }, 'needed');
        await addEach(one, OURS, ours);
      }
      joining = false;
    };
    let reads = 0;
    const found: number[] = [];
    const read = async (): Promise<void> => {
      while (joining) {
        found.push(await lacking(other, THEIRS), await missing(other, THEIRS));
        await other.store.compact(PACKAGE);
        reads += 1;
      }
    };
    await Promise.all([rearrange(), read()]);
    expect(reads).toBeGreaterThan(0);
    expect(found.filter((n) => n > 0)).toEqual([]);
    expect([await lacking(one, OURS), await missing(one, OURS)]).toEqual([0, 0]);
    expect(readdirSync(join(folder, PACKAGE.slice(0, 32))).filter((name) => !name.startsWith('part-'))).toEqual([]);
  }, 240_000);
});

describe('a run whose answers another run forgets, in order to ask them again', () => {
  it('asks them itself, and lacks none', async () => {
    const { database } = one;
    const world = testWorld('wcb', database, join(root, 'forgetful'));
    const fingerprints = await findFingerprints(world.dataset.models, { device: 'cpu' });
    const spans = join(root, 'spans');
    mkdirSync(spans);
    const rows = texts('The committee raised its rate, said member', 5).map(
      (text, at): Row => ({
        document_id: 'document',
        sentence_index: at,
        char_start: at * 100,
        char_end: at * 100 + text.length,
        text,
        language: 'en',
        text_hash: textHash(text),
      }),
    );
    await database.writeTable(spansTable(world.dataset), join(spans, 'spans.parquet'), rows);
    await other.database.run(
      `CREATE OR REPLACE TABLE needed AS SELECT text_hash FROM ${parquet(join(spans, 'spans.parquet'))}`,
    );
    const theirs = openPredictionStore(world.outputs.predictions, other.database, (_path, work) => work());
    let turns = 0;
    const open = await classify.open(['bank_of_mexico/2023'], {
      ...world,
      fingerprints,
      settings: { ...world.settings, workers: 1, device: 'cpu' },
      output: () => ({ folder: spans, files: {}, amounts: {} }),
      alone: async (_path, work) => {
        turns += 1;
        // Joining parts is the first turn, reading the answers the second.
        if (turns === 2) {
          const models = world.dataset.models;
          const packages = new Set(fingerprints.map(({ packageFingerprint }) => packageFingerprint));
          for (const packageFingerprint of packages) await theirs.forget({ packageFingerprint, models }, 'needed');
        }
        return work();
      },
    });
    mkdirSync(join(root, 'labels'));
    await open.run('bank_of_mexico/2023', join(root, 'labels'));
    const { amounts } = await open.close();
    expect(amounts?.predictions_made).toBe(2 * 5 * world.dataset.models.length);
    const labels = await database.rows(`SELECT * FROM ${parquet(join(root, 'labels', 'sentences.parquet'))}`);
    const labelsOf = (row: Row): readonly unknown[] => world.dataset.models.map((model) => row[model]);
    expect(labels.flatMap(labelsOf).filter((value) => value === null)).toEqual([]);
    expect(labels).toHaveLength(5);
  });
});
