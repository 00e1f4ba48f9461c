/** Publishing night after night makes use of what the last one left: that must never show in what is published. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../pipeline/5-publish/checks.js';
import type { RunEvent } from '../../../pipeline/events.js';
import { WHOLE, type World } from '../../../pipeline/stage.js';
import { type Database, parquet, quote, type Row } from '../../../src/database.js';
import { readManifest } from '../../../src/snapshot/manifest.js';
import { verifySnapshot } from '../../../src/snapshot/snapshots.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';
import { worldWith as buildWorld, type Doc, publishOnce } from './publish-world.js';

const root = temporaryFolder();
let database: Database;
let folder: string;
let folders = 0;

const newFolder = (): string => {
  folders += 1;
  const made = join(root, `outputs-${folders}`);
  mkdirSync(made);
  return made;
};

beforeAll(async () => {
  database = await testDatabase(root);
});
beforeEach(() => {
  folder = newFolder();
});

const TABLES = ['documents', 'counts', 'sentences', 'rejects'] as const;
const STANCES = ['Hawkish', 'Dovish', 'Neutral', 'Irrelevant'] as const;
const PARTITIONS = [
  'bank_of_japan/2020',
  'bank_of_japan/2021',
  'bank_of_japan/2022',
  'bank_of_japan/2023',
  'bank_of_japan/2024',
  'swiss_national_bank/2024',
] as const;

/** What compares with the last night may fail on nights as wild as these; what looks at a partition may not. */
const allowedChecks = new Map(
  CHECKS.filter(({ within }) => within === undefined).map(({ name }) => [name, 'a wild night']),
);

const worldWith = (docs: readonly Doc[], parts: Partial<World> = {}, where = folder): Promise<World> =>
  buildWorld(database, where, docs, { allowedChecks, ...parts });

interface PublishRecord {
  readonly key: string | null;
  readonly increments: number;
  readonly files: Readonly<Record<string, string>>;
}

/** A file of what a publishing leaves for the next one. */
const leftBy = (world: World, name: string): string => join(world.outputs.unit('wcb', 'publish', WHOLE), name);

const recordOf = (world: World): PublishRecord =>
  JSON.parse(readFileSync(leftBy(world, 'snapshot.json'), 'utf8')) as PublishRecord;

const fileOf = (world: World, id: string, name: string): string => join(world.outputs.snapshot('wcb', id), name);

/** That the snapshot is whole, that of an empty outputs folder, and has the same rows in its database file. */
const expectAsFromNothing = async (world: World, id: string, docs: readonly Doc[]): Promise<void> => {
  const apart = await worldWith(docs, {}, newFolder());
  expect(await publishOnce(apart)).toBe(id);
  expect(recordOf(apart).increments).toBe(0);
  for (const table of TABLES) {
    const name = `${table}.parquet`;
    expect(readFileSync(fileOf(world, id, name)).equals(readFileSync(fileOf(apart, id, name))), name).toBe(true);
  }
  expect(await verifySnapshot(world.outputs, 'wcb', id)).toEqual([]);
  const [texts] = await database.rows(
    `SELECT count(DISTINCT text) AS n FROM ${parquet(fileOf(world, id, 'sentences.parquet'))}`,
  );
  const { counts } = await readManifest(world.outputs.snapshot('wcb', id));
  expect(counts.unique_sentences).toBe(texts?.n);
  expect(await sketchesOf(world)).toEqual(await sketchesOf(apart));
  expect(await sketchesOf(world)).toHaveLength(counts.documents);
  await expectDatabaseFile(world, id);
};

const sketchesOf = (world: World): Promise<readonly Row[]> =>
  database.rows(`SELECT * EXCLUDE (piece) FROM ${parquet(leftBy(world, 'sketches.parquet'))} ORDER BY document_id`);

const expectDatabaseFile = async (world: World, id: string): Promise<void> => {
  const copy = join(newFolder(), 'read.duckdb');
  cpSync(fileOf(world, id, 'wcb.duckdb'), copy);
  await database.run(`ATTACH ${quote(copy)} AS reading (READ_ONLY)`);
  try {
    for (const table of TABLES) {
      const [here, there] = [`reading.${table}`, quote(fileOf(world, id, `${table}.parquet`))];
      const [rows] =
        await database.rows(`SELECT (SELECT count(*) FROM (SELECT * FROM ${here} EXCEPT ALL SELECT * FROM ${there})) AS more,
        (SELECT count(*) FROM (SELECT * FROM ${there} EXCEPT ALL SELECT * FROM ${here})) AS less`);
      expect(rows, table).toEqual({ more: 0, less: 0 });
    }
  } finally {
    await database.run('DETACH reading');
  }
};

const docOf = (at: number, partition: string, words = `Document ${at}`): Doc => ({
  id: `doc_${String(at).padStart(2, '0')}`,
  date: `2024-01-${String((at % 28) + 1).padStart(2, '0')}`,
  partition,
  bank: partition.split('/')[0] ?? '',
  sentences: Array.from(
    { length: 1 + (at % 3) },
    (_, index) => `${words}, sentence ${index}, as long as those that two texts are told to be alike by.`,
  ),
  stance: STANCES[at % 4] ?? 'Neutral',
});

const CORPUS: readonly Doc[] = Array.from({ length: 18 }, (_, at) => docOf(at, PARTITIONS[at % 6] ?? ''));

/** One thing that a night brings. */
type Change =
  | { readonly what: 'add'; readonly partition: string }
  /** Its text is that of another one, so that only the earlier of the two is published. */
  | { readonly what: 'repeat'; readonly of: number; readonly partition: string }
  | { readonly what: 'reword' | 'remove' | 'relabel'; readonly at: number };

const change = fc.oneof(
  fc.record({ what: fc.constant('add' as const), partition: fc.constantFrom(...PARTITIONS) }),
  fc.record({ what: fc.constant('repeat' as const), of: fc.nat(99), partition: fc.constantFrom(...PARTITIONS) }),
  fc.record({ what: fc.constantFrom('reword' as const, 'remove' as const, 'relabel' as const), at: fc.nat(99) }),
);

const changed = (docs: readonly Doc[], one: Change, number: number): readonly Doc[] => {
  switch (one.what) {
    case 'add':
      return [...docs, docOf(number, one.partition)];
    case 'repeat': {
      const { sentences } = docs[one.of % docs.length] ?? docOf(number, one.partition);
      return [...docs, { ...docOf(number, one.partition), sentences }];
    }
    default: {
      const at = one.at % docs.length;
      const doc = docs[at];
      if (doc === undefined) return docs;
      if (one.what === 'remove') return docs.length > 1 ? docs.toSpliced(at, 1) : docs;
      if (one.what === 'reword') return docs.with(at, { ...doc, sentences: [`Reworded ${number}.`, ...doc.sentences] });
      return docs.with(at, { ...doc, stance: doc.stance === 'Hawkish' ? 'Dovish' : 'Hawkish' });
    }
  }
};

describe('nights, whatever they bring', () => {
  it('end in the bytes of a folder that never saw another night, and in a database file of the same rows', async () => {
    let increments = 0;
    let left = 0;
    let textsKept = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
        async (nights) => {
          folder = newFolder();
          let docs = CORPUS;
          let number = 20;
          let world = await worldWith(docs);
          let id = await publishOnce(world);
          for (const night of nights) {
            for (const one of night) {
              number += 1;
              docs = changed(docs, one, number);
            }
            const before = recordOf(world).files['texts.parquet'];
            world = await worldWith(docs);
            id = await publishOnce(world);
            const record = recordOf(world);
            if (record.increments > 0 && record.files['texts.parquet'] === before) textsKept += 1;
            increments += Math.sign(record.increments);
            left += Object.keys(record.files).filter((name) => name.startsWith('without-')).length;
          }
          await expectAsFromNothing(world, id, docs);
        },
      ),
      { numRuns: 4 },
    );
    // Otherwise nothing of it was tried.
    expect(increments).toBeGreaterThan(1);
    expect(left).toBeGreaterThan(1);
    expect(textsKept).toBeGreaterThan(1);
  }, 300_000);
});

describe('what the last night left', () => {
  const NIGHT = [...CORPUS, docOf(18, PARTITIONS[0])];

  it.each<readonly [string, (world: World, id: string) => void, number]>([
    ['is whole', () => undefined, 1],
    ['lost its database file', (world, id) => rmSync(fileOf(world, id, 'wcb.duckdb')), 0],
    ['has a damaged database file', (world, id) => truncateSync(fileOf(world, id, 'wcb.duckdb'), 12_288), 0],
    ['lost its snapshot', (world, id) => rmSync(world.outputs.snapshot('wcb', id), { recursive: true }), 0],
    ['lost what it had read of the documents', (world) => rmSync(leftBy(world, 'documents.parquet')), 0],
    ['has other rejects than it had', (world) => writeFileSync(leftBy(world, 'rejects.parquet'), 'nothing'), 0],
    ['has a damaged list of texts', (world) => truncateSync(leftBy(world, 'texts.parquet'), 20), 0],
    ['has a record that nobody can read', (world) => writeFileSync(leftBy(world, 'snapshot.json'), '{"snapshot":'), 0],
    ['is gone', (world) => rmSync(world.outputs.work('wcb'), { recursive: true }), 0],
  ])('makes no difference where it %s', async (_what, damage, increments) => {
    const first = await worldWith(CORPUS);
    damage(first, await publishOnce(first));
    const world = await worldWith(NIGHT);
    const id = await publishOnce(world);
    expect(recordOf(world).increments).toBe(increments);
    await expectAsFromNothing(world, id, NIGHT);
  });

  it('stays as it was published', async () => {
    const first = await worldWith(CORPUS);
    const before = await publishOnce(first);
    await publishOnce(await worldWith(NIGHT));
    expect(await verifySnapshot(first.outputs, 'wcb', before)).toEqual([]);
    await expectDatabaseFile(first, before);
  });

  it('is not gone on with for ever, nor where much is new', async () => {
    const nightAfter = async (docs: readonly Doc[], increments: number): Promise<number> => {
      const first = await worldWith(CORPUS);
      await publishOnce(first);
      writeFileSync(leftBy(first, 'snapshot.json'), JSON.stringify({ ...recordOf(first), increments }));
      const world = await worldWith(docs);
      await publishOnce(world);
      return recordOf(world).increments;
    };
    expect(await nightAfter(NIGHT, 29)).toBe(30);
    expect(await nightAfter(NIGHT, 30)).toBe(0);
    const many = [...CORPUS, ...CORPUS.map((doc, at) => docOf(30 + at, doc.partition ?? ''))];
    expect(await nightAfter(many, 1)).toBe(0);
  });

  it('may have rows that it should not have: then the database file is made from nothing, and that is said', async () => {
    const first = await worldWith(CORPUS);
    const id = await publishOnce(first);
    // Both agree, so nobody could know but by looking at the rows.
    const file = fileOf(first, id, 'wcb.duckdb');
    await database.run(`ATTACH ${quote(file)} AS wrong`);
    await database.run("DELETE FROM wrong.sentences WHERE document_id = 'doc_01'");
    await database.run('DETACH wrong');
    const manifestFile = fileOf(first, id, 'manifest.json');
    const manifest = await readManifest(first.outputs.snapshot('wcb', id));
    const content = readFileSync(file);
    manifest.files['wcb.duckdb'] = {
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
      rows: null,
      in_id: false,
    };
    writeFileSync(manifestFile, JSON.stringify(manifest));
    const events: RunEvent[] = [];
    const world = await worldWith(NIGHT, { log: (event) => events.push(event) });
    const next = await publishOnce(world);
    expect(recordOf(world).increments).toBe(0);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'note', message: expect.stringContaining('made from nothing') }),
    );
    await expectDatabaseFile(world, next);
    expect(existsSync(fileOf(world, next, 'wcb.duckdb.wal'))).toBe(false);
  });
});

describe('the checks of a partition', () => {
  const bad = CORPUS.with(3, { ...docOf(3, PARTITIONS[3]), stance: 'Grey' });

  it('are asked of what changed, be it one document among many', async () => {
    await publishOnce(await worldWith(CORPUS));
    await expect(publishOnce(await worldWith(bad))).rejects.toThrow('"document_id":"doc_03"');
  });

  it('are asked again of what failed them and was allowed to, night after night', async () => {
    const allowed = new Map([...allowedChecks, ['predictions_present', 'known']]);
    allowed.set('counts_agree', 'known');
    await publishOnce(await worldWith(bad, { allowedChecks: allowed }));
    await expect(publishOnce(await worldWith([...bad, docOf(18, PARTITIONS[0])]))).rejects.toThrow(
      'predictions_present',
    );
    const world = await worldWith([...bad, docOf(18, PARTITIONS[0])], { allowedChecks: allowed });
    const { checks } = await readManifest(world.outputs.snapshot('wcb', await publishOnce(world)));
    expect(checks.filter(({ passed }) => !passed).map(({ name }) => name)).toContain('predictions_present');
    expect(recordOf(world).key).toBeNull();
  });

  it('are asked of nothing on a night that brings nothing', async () => {
    await publishOnce(await worldWith(CORPUS));
    const world = await worldWith(CORPUS);
    const id = await publishOnce(world);
    expect(readdirSync(world.outputs.snapshots('wcb'))).toEqual([id]);
    await expectAsFromNothing(world, id, CORPUS);
  });
});
