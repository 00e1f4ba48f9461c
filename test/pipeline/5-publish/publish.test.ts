import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedTables } from '../../../pipeline/5-publish/published-tables.js';
import { publish } from '../../../pipeline/5-publish/stage.js';
import type { Reject } from '../../../pipeline/document.js';
import type { RunEvent } from '../../../pipeline/events.js';
import { WHOLE, type World } from '../../../pipeline/stage.js';
import { type Database, openDatabase, type Row } from '../../../src/database.js';
import { RunError } from '../../../src/errors.js';
import { hashText } from '../../../src/files.js';
import { readManifest } from '../../../src/snapshot/manifest.js';
import { rollback } from '../../../src/snapshot/rollback.js';
import { findCurrent, verifySnapshot } from '../../../src/snapshot/snapshots.js';
import { WCB_METRICS_SQL } from '../../support/independent-metrics.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';
import { worldWith as buildWorld, DOCS, type Doc, publishOnce } from './publish-world.js';

const root = temporaryFolder();
let database: Database;
let folder: string;
let folders = 0;

beforeAll(async () => {
  database = await testDatabase(root);
});
beforeEach(() => {
  folders += 1;
  folder = join(root, `outputs-${folders}`);
  mkdirSync(folder);
});

const worldWith = (docs: readonly Doc[], parts: Parameters<typeof buildWorld>[3] = {}): Promise<World> =>
  buildWorld(database, folder, docs, parts);

const publishedFile = (world: World, id: string, name: string): string => join(world.outputs.snapshot('wcb', id), name);

const readPublished = async (world: World, id: string, name: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(publishedFile(world, id, `${name}.parquet`)), compressors });

const snapshotNames = (world: World): readonly string[] => readdirSync(world.outputs.snapshots('wcb')).sort();

describe('a published snapshot', () => {
  let world: World;
  let id: string;

  beforeAll(async () => {
    folder = join(root, 'published');
    mkdirSync(folder);
    world = await worldWith(DOCS);
    id = await publishOnce(world);
  });

  it('is whole, is named by the pointer and has every file of the design, all in its manifest', async () => {
    expect(await findCurrent(world.outputs, 'wcb')).toBe(id);
    expect(await verifySnapshot(world.outputs, 'wcb', id)).toEqual([]);
    expect(readdirSync(world.outputs.snapshot('wcb', id)).sort()).toEqual([
      'counts.parquet',
      'documents.parquet',
      'manifest.json',
      'rejects.parquet',
      'report.html',
      'report.json',
      'sentences.parquet',
      'wcb.duckdb',
    ]);
    expect(snapshotNames(world)).toEqual([id]);
    const manifest = await readManifest(world.outputs.snapshot('wcb', id));
    expect(['manifest.json', ...Object.keys(manifest.files)].sort()).toEqual(
      readdirSync(world.outputs.snapshot('wcb', id)).sort(),
    );
    expect(manifest).toMatchObject({
      snapshot: id,
      published_at: '2026-01-02T03:04:05.000Z',
      counts: { documents: 4, sentences: 6, rejects: 0 },
    });
    expect(manifest.metrics.map(({ name }) => name)).toEqual(world.metrics.map(({ name }) => name));
    expect(await publish.findFault?.(WHOLE, world)).toBeUndefined();
  });

  it('is the same in folders whose names look like columns', async () => {
    const named = join(root, 'env=prod', 'year=1999');
    mkdirSync(named, { recursive: true });
    expect(await publishOnce(await buildWorld(database, named, DOCS))).toBe(id);
  });

  it('orders documents by date, then by name, those without a date last', async () => {
    const documents = await readPublished(world, id, 'documents');
    expect(documents.map((row) => row.document_id)).toEqual(['old_minutes', 'a_minutes', 'b_minutes', 'undated']);
    expect(documents[0]).toMatchObject({ date: new Date('1969-12-31T00:00:00Z'), sentence_count: 1 });
    const sentences = await readPublished(world, id, 'sentences');
    expect(sentences.map((row) => row.document_id)).toEqual([
      'a_minutes',
      'a_minutes',
      'b_minutes',
      'b_minutes',
      'old_minutes',
      'undated',
    ]);
    expect(sentences[3]).toMatchObject({ sentence_index: 1, text: 'Prices “fell”.', cb_stance_label: 'Hawkish' });
  });

  it('has the columns of the tables in their order, in Parquet and in the database file alike', async () => {
    const file = join(folder, 'read.duckdb');
    writeFileSync(file, readFileSync(publishedFile(world, id, 'wcb.duckdb')));
    const reader = await openDatabase({ memoryMb: 128, temporaryFolder: folder, threads: 1 });
    try {
      await reader.run(`ATTACH '${file}' AS published (READ_ONLY)`);
      for (const { name, columns } of publishedTables(world)) {
        const parquetFile = publishedFile(world, id, `${name}.parquet`);
        const described = (from: string): Promise<Row[]> =>
          reader.rows(`SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM ${from})`);
        const wanted = columns.map(({ name: column, type }) => ({ name: column, type }));
        expect(await described(`'${parquetFile}'`), name).toEqual(wanted);
        expect(await described(`published.${name}`), name).toEqual(wanted);
        expect(await reader.rows(`SELECT * FROM published.${name}`)).toEqual(
          await reader.rows(`SELECT * FROM '${parquetFile}'`),
        );
      }
    } finally {
      reader.close();
    }
  });

  it('has the metrics that SQL written apart makes of its sentences', async () => {
    const apart = await database.rows(WCB_METRICS_SQL(`'${publishedFile(world, id, 'sentences.parquet')}'`));
    const names = world.metrics.map(({ name }) => name).join(', ');
    expect(
      await database.rows(
        `SELECT document_id, ${names} FROM '${publishedFile(world, id, 'documents.parquet')}' ORDER BY document_id`,
      ),
    ).toEqual(apart);
  });
});

describe('publishing', () => {
  it('keeps the earliest of several documents with one text, and says so of the others', async () => {
    const copies: readonly Doc[] = [
      { id: 'z_first', date: '2024-01-01', sentences: ['The same.'] },
      { id: 'a_later', date: '2024-02-01', sentences: ['The same.'] },
      { id: 'b_undated', date: null, sentences: ['The same.'] },
      { id: 'other', date: null, sentences: ['Another.'] },
    ];
    const world = await worldWith(copies);
    const id = await publishOnce(world);
    const ids = async (name: string): Promise<unknown[]> =>
      (await readPublished(world, id, name)).map((row) => row.document_id);
    expect(await ids('documents')).toEqual(['z_first', 'other']);
    expect(await ids('counts')).toEqual(['other', 'z_first']);
    expect(await ids('sentences')).toEqual(['other', 'z_first']);
    expect(await readPublished(world, id, 'rejects')).toEqual([
      {
        subject: 'a_later',
        stage: 'publish',
        reason: 'Its text is the same as that of z_first, which is earlier and is kept.',
      },
      {
        subject: 'b_undated',
        stage: 'publish',
        reason: 'Its text is the same as that of z_first, which is kept; which of the two is earlier is not known.',
      },
    ]);
  });

  it('publishes every reject once, whatever its words', async () => {
    const listed: Reject = {
      dataset: 'wcb',
      subject: "it's/ö.pdf",
      stage: 'ingest',
      reason: 'it says "no"\nand \\ more',
    };
    const row = { subject: 'b.pdf', stage: 'ingest', reason: 'The file is empty.' };
    const world = await worldWith(DOCS, { listingRejects: [listed, listed], rejects: [row, row] });
    expect(await readPublished(world, await publishOnce(world), 'rejects')).toEqual([
      row,
      { subject: listed.subject, stage: 'ingest', reason: listed.reason },
    ]);
  });
});

describe('the id of a snapshot', () => {
  it('is the same for the same rows, whenever they were published, and the files stay as they are', async () => {
    const first = await worldWith(DOCS);
    const id = await publishOnce(first);
    const before = statSync(publishedFile(first, id, 'documents.parquet'));
    const again = await worldWith(DOCS, { now: () => new Date('2030-01-01T00:00:00Z') });
    expect(await publishOnce(again)).toBe(id);
    expect(statSync(publishedFile(first, id, 'documents.parquet')).ino).toBe(before.ino);
    expect(snapshotNames(first)).toEqual([id]);
  });

  it('is the same in another folder, byte for byte', async () => {
    const here = await worldWith(DOCS);
    const id = await publishOnce(here);
    folder = join(root, `elsewhere-${folders}`);
    mkdirSync(folder);
    const there = await worldWith(DOCS, { inputs: ['/somewhere/else'] });
    expect(await publishOnce(there)).toBe(id);
    for (const name of ['documents', 'counts', 'sentences', 'rejects']) {
      expect(readFileSync(publishedFile(there, id, `${name}.parquet`))).toEqual(
        readFileSync(publishedFile(here, id, `${name}.parquet`)),
      );
    }
  });

  it('is another for another label, model or formula', async () => {
    const id = await publishOnce(await worldWith(DOCS));
    const changed = DOCS.map((doc) => (doc.id === 'undated' ? { ...doc, stance: 'Dovish' } : doc));
    const ids = new Set([id, await publishOnce(await worldWith(changed))]);
    const world = await worldWith(DOCS);
    const fingerprints = world.fingerprints.map((entry) => ({ ...entry, fingerprint: hashText(entry.fingerprint) }));
    ids.add(await publishOnce({ ...world, fingerprints }));
    const metrics = world.metrics.map((metric) => ({ ...metric, description: `${metric.description}!` }));
    ids.add(await publishOnce({ ...world, metrics }));
    expect(ids.size).toBe(4);
  });
});

describe('a snapshot that must not be published', () => {
  const bad = DOCS.map((doc) => (doc.id === 'undated' ? { ...doc, stance: 'Grey' } : doc));

  it('leaves the last one current, says which check failed for which row, and keeps the report', async () => {
    const world = await worldWith(DOCS);
    const id = await publishOnce(world);
    const refused = publishOnce(await worldWith(bad));
    await expect(refused).rejects.toThrow('predictions_present');
    await expect(refused).rejects.toThrow('"document_id":"undated"');
    await expect(refused).rejects.toThrow(`Snapshot ${id} goes on serving.`);
    expect(await findCurrent(world.outputs, 'wcb')).toBe(id);
    expect(snapshotNames(world)).toEqual([id]);
    expect(readFileSync(world.outputs.failedReport('wcb'), 'utf8')).toContain('Nothing was published');
    expect(JSON.parse(readFileSync(world.outputs.failedReportData('wcb'), 'utf8'))).toMatchObject({
      dataset: { id: 'wcb' },
      checks: expect.arrayContaining([expect.objectContaining({ name: 'predictions_present', passed: false })]),
    });
  });

  it('is that of a run that slept until another one took over', async () => {
    const id = await publishOnce(await worldWith(DOCS));
    const slept = await worldWith([...DOCS, { id: 'late', date: null, sentences: ['Something came in late.'] }], {
      confirmAlone: () => Promise.reject(new RunError('This run has lost the lock.')),
    });
    await expect(publishOnce(slept)).rejects.toThrow('lost the lock');
    expect(await findCurrent(slept.outputs, 'wcb')).toBe(id);
    expect(snapshotNames(slept)).toEqual([id]);
  });

  it('leaves no pointer where there is no earlier one', async () => {
    const world = await worldWith(bad);
    await expect(publishOnce(world)).rejects.toThrow('There is no earlier snapshot.');
    expect(await findCurrent(world.outputs, 'wcb')).toBeUndefined();
    expect(snapshotNames(world)).toEqual([]);
  });
});

describe('what went wrong before', () => {
  it('is mended: a snapshot of which a file is cut short or gone is made again under its id', async () => {
    const world = await worldWith(DOCS);
    const id = await publishOnce(world);
    for (const damage of [
      () => truncateSync(publishedFile(world, id, 'documents.parquet'), 10),
      () => rmSync(publishedFile(world, id, 'sentences.parquet')),
      () => rmSync(world.outputs.snapshot('wcb', id), { recursive: true }),
    ]) {
      damage();
      expect(await publish.findFault?.(WHOLE, world)).toContain(`snapshot ${id}: `);
      expect(await publishOnce(world)).toBe(id);
      expect(await verifySnapshot(world.outputs, 'wcb', id)).toEqual([]);
      expect(await publish.findFault?.(WHOLE, world)).toBeUndefined();
      expect(snapshotNames(world)).toEqual([id]);
    }
  });

  it('is mended: a pointer that names nothing, or is gone, or names a snapshot that is gone', async () => {
    const world = await worldWith(DOCS);
    const id = await publishOnce(world);
    for (const damage of [
      () => writeFileSync(world.outputs.pointer('wcb'), '\u0000\u0000'),
      () => rmSync(world.outputs.pointer('wcb')),
      () => writeFileSync(world.outputs.pointer('wcb'), `${'0'.repeat(16)}\n`),
    ]) {
      damage();
      expect(await publish.findFault?.(WHOLE, world)).toBeTypeOf('string');
      expect(await publishOnce(world)).toBe(id);
      expect(await findCurrent(world.outputs, 'wcb')).toBe(id);
    }
  });

  it('is removed: what a killed run had staged', async () => {
    const world = await worldWith(DOCS);
    const id = await publishOnce(world);
    const left = ['staging.4711.0badf00d.tmp', `damaged-${id}.4711.0badf00d.tmp`];
    for (const name of left) {
      mkdirSync(join(world.outputs.snapshots('wcb'), name));
      writeFileSync(join(world.outputs.snapshots('wcb'), name, 'sentences.parquet'), 'half');
    }
    await publishOnce(world);
    expect(snapshotNames(world)).toEqual([id]);
  });
});

describe('what somebody rolled back from', () => {
  const MORE = [...DOCS, { id: 'late', date: '2024-03-02', sentences: ['Something came in late.'] }];
  let first: string;
  let second: string;
  let world: World;

  beforeEach(async () => {
    first = await publishOnce(await worldWith(DOCS));
    world = await worldWith(MORE);
    second = await publishOnce(world);
    await rollback(world.outputs, 'wcb', {
      to: first,
      reason: 'wrong on Chile',
      now: new Date('2026-01-03T00:00:00Z'),
    });
  });

  it('is not served again by itself, also where the pointer was lost; what is new is', async () => {
    const events: RunEvent[] = [];
    for (const lose of [() => undefined, () => rmSync(world.outputs.pointer('wcb'))]) {
      lose();
      expect(await publishOnce({ ...world, log: (event) => events.push(event) })).toBe(second);
      expect(await findCurrent(world.outputs, 'wcb')).toBe(first);
      expect(events.splice(0)).toContainEqual(
        expect.objectContaining({
          type: 'note',
          message: expect.stringMatching(
            `${first}, which was rolled back to on 2026-01-03 .wrong on Chile., goes on serving`,
          ),
        }),
      );
    }
    const night = [...MORE, { id: 'later', date: '2024-03-03', sentences: ['And later still.'] }];
    const third = await publishOnce(await worldWith(night));
    expect(await findCurrent(world.outputs, 'wcb')).toBe(third);
  });

  it('is not served in the place of what it was rolled back to, be that damaged: somebody has to choose', async () => {
    rmSync(publishedFile(world, first, 'counts.parquet'));
    expect(await publish.findFault?.(WHOLE, world)).toContain(`snapshot ${first}: `);
    await expect(publishOnce(world)).rejects.toThrow(
      new RegExp(`${first}, which was rolled back to on .* is damaged: .*--to ${second}`),
    );
    expect(await findCurrent(world.outputs, 'wcb')).toBe(first);
    await rollback(world.outputs, 'wcb', { to: second, reason: undefined, now: new Date('2026-01-04T00:00:00Z') });
    expect(await publishOnce(world)).toBe(second);
    expect(await findCurrent(world.outputs, 'wcb')).toBe(second);
  });
});

describe('what publishing depends on', () => {
  it('is every partition, the rejects, the models, the formulas, and what the checks go by', async () => {
    const world = await worldWith(DOCS);
    const before = await publish.ingredients(WHOLE, world);
    const changed = async (parts: Partial<World>): Promise<readonly string[]> => {
      const after = await publish.ingredients(WHOLE, { ...world, ...parts });
      return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    };
    expect(await changed({})).toEqual([]);
    expect(await changed({ now: () => new Date(0) })).toEqual([]);
    expect(
      await changed({ output: (stage, partition) => ({ ...world.output(stage, partition), files: { x: stage } }) }),
    ).toEqual(['partition bank_of_japan/2024']);
    expect(await changed({ partitions: [] })).toEqual(['partition bank_of_japan/2024']);
    expect(await changed({ listingRejects: [{ dataset: 'wcb', subject: 's', stage: 'ingest', reason: 'r' }] })).toEqual(
      ['rejects'],
    );
    expect(await changed({ metrics: world.metrics.slice(1) })).toEqual(['formulas']);
    const described = world.metrics.map((metric) => ({ ...metric, description: `${metric.description}!` }));
    expect(await changed({ metrics: described })).toEqual(['formulas']);
    const [first, ...others] = world.fingerprints;
    if (first === undefined) throw new Error('No model.');
    expect(await changed({ fingerprints: [{ ...first, fingerprint: 'another' }, ...others] })).toEqual([
      `model ${first.model}`,
    ]);
    expect(await changed({ inputs: ['/corpora/moved'] })).toEqual(['input folders']);
    expect(await changed({ settings: { ...world.settings, maxRejects: 0.5 } })).toEqual(['checks']);
  });
});
