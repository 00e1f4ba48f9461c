import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../pipeline/stage.js';
import { diffText } from '../../src/cli/snapshots-text.js';
import type { Database } from '../../src/database.js';
import { hashText } from '../../src/files.js';
import { diffSnapshots, type SnapshotDifference } from '../../src/snapshot/diff.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { DOCS, type Doc, publishOnce, worldWith } from '../pipeline/5-publish/publish-world.js';
import { temporaryFolder, testDatabase } from '../support/rig.js';

const root = temporaryFolder();
let database: Database;
let world: World;
let first: string;

type Parts = Parameters<typeof worldWith>[3];

const publish = async (
  docs: readonly Doc[],
  parts: Parts = {},
  change = (made: World): World => made,
): Promise<string> =>
  publishOnce(
    change(await worldWith(database, root, docs, { settings: { ...world.settings, maxDropped: 1 }, ...parts })),
  );

const diff = (before: string, after: string, most = 100): Promise<SnapshotDifference> =>
  diffSnapshots({
    database,
    before: world.outputs.snapshot('wcb', before),
    after: world.outputs.snapshot('wcb', after),
    most,
  });

beforeAll(async () => {
  database = await testDatabase(root);
  world = await worldWith(database, root, DOCS);
  first = await publishOnce(world);
});

describe('two snapshots', () => {
  it('that are one differ in nothing', async () => {
    const { documents, ingredients, metrics, moves } = await diff(first, first);
    expect(
      [documents.added, documents.removed, documents.changed, documents.remeasured].map(({ count }) => count),
    ).toEqual([0, 0, 0, 0]);
    expect([ingredients, metrics, moves]).toEqual([[], [], []]);
  });

  it('differ in the documents that were added, removed and changed, by name', async () => {
    const second = await publish(
      [
        ...DOCS.filter(({ id }) => id !== 'undated').map((doc) =>
          doc.id === 'old_minutes' ? { ...doc, sentences: [...doc.sentences, 'One more.'] } : doc,
        ),
        { id: 'new', date: '2025-01-01', sentences: ['New.'] },
      ],
      { stageVersions: { segment: '2' } },
    );
    const { documents, ingredients, moves } = await diff(first, second);
    expect(documents).toMatchObject({
      before: 4,
      after: 4,
      added: { count: 1, ids: ['new'] },
      removed: { count: 1, ids: ['undated'] },
      changed: { count: 1, ids: ['old_minutes'] },
      remeasured: { count: 0, ids: [] },
    });
    expect(ingredients).toContainEqual({ name: 'stage segment', before: null, after: 'version 2' });
    // Every sentence has the same labels, so no share of them moved.
    expect(moves).toEqual([]);
  });

  it('differ in what the source says of a document where its text is the same, which is named', async () => {
    const second = await publish(DOCS.map((doc) => (doc.id === 'a_minutes' ? { ...doc, date: '2021-07-08' } : doc)));
    const difference = await diff(first, second);
    expect(difference.ingredients).toEqual([]);
    expect(difference.documents.described).toEqual({ count: 1, ids: ['a_minutes'] });
    expect(difference.descriptions).toContainEqual({ column: 'date', documents: 1 });
    expect(difference.files).toContain('documents.parquet');
    const text = diffText(difference);
    expect(text).toContain('Made of differently:\n');
    expect(text).toContain('  what sources say: another date of 1 document\n');
    expect(text).not.toContain('made of the same');
  });

  it('of which a file differs are not said to be made of the same, whatever it is', async () => {
    const same = await diff(first, first);
    expect(diffText(same)).toContain('Both were made of the same.\n');
    expect(diffText({ ...same, files: ['rejects.parquet'] })).toContain('and yet another content: rejects.parquet\n');
  });

  it('differ in metrics that a changed text moved', async () => {
    const second = await publish(
      DOCS.map((doc) => (doc.id === 'a_minutes' ? { ...doc, sentences: ['Another text.'], stance: 'Hawkish' } : doc)),
    );
    const { metrics, moves } = await diff(first, second);
    expect(metrics).toEqual([
      {
        metric: 'stance',
        moved: 1,
        became_null: 0,
        was_null: 0,
        mean_before: 0.5,
        mean_after: 1,
        most: 2,
        causes: [{ cause: 'text', documents: 1 }],
      },
    ]);
    expect(moves).toEqual([
      { document_id: 'a_minutes', metric: 'stance', before: -1, after: 1, by: 2, causes: ['text'] },
    ]);
  });

  it('differ in values that became null, which move no mean and are told all the same', async () => {
    const second = await publish(DOCS.map((doc) => (doc.id === 'a_minutes' ? { ...doc, marked: [0, 1] } : doc)));
    const difference = await diff(first, second);
    const { metrics } = difference;
    expect(metrics.length).toBeGreaterThan(1);
    for (const metric of metrics) {
      expect(metric).toMatchObject({ moved: 1, became_null: 1, was_null: 0, most: null });
      expect(metric.mean_after).toBe(metric.mean_before);
    }
    expect(diffText(difference)).toContain(`Values of documents that are null now: ${metrics.length}; that were: 0\n`);
    const [back] = (await diff(second, first)).metrics;
    expect(back).toMatchObject({ became_null: 0, was_null: 1 });
  });

  it('differ in metrics that another model moved, which is named with both its fingerprints', async () => {
    const second = await publish(
      DOCS.map((doc) => (doc.id === 'a_minutes' ? { ...doc, stance: 'Hawkish' } : doc)),
      {},
      (made) => ({
        ...made,
        fingerprints: made.fingerprints.map((entry) =>
          entry.model === 'cb_stance_label' ? { ...entry, fingerprint: hashText('another') } : entry,
        ),
      }),
    );
    const { documents, metrics, ingredients } = await diff(first, second);
    expect(documents.remeasured).toEqual({ count: 1, ids: ['a_minutes'] });
    expect(ingredients).toEqual([
      { name: 'model cb_stance_label', before: hashText('cb_stance_label'), after: hashText('another') },
    ]);
    expect(metrics.map(({ metric, causes }) => [metric, causes])).toEqual([
      ['stance', [{ cause: 'model cb_stance_label', documents: 1 }]],
    ]);
  });

  it('differ in metrics that another formula moved, and in nothing else', async () => {
    const metrics = world.metrics.map((metric) =>
      metric.name === 'stance' ? { ...metric, formula: { ...metric.formula, minus: metric.formula.plus } } : metric,
    );
    const { metrics: moved, ingredients, documents } = await diff(first, await publish(DOCS, { metrics }));
    expect(ingredients.map(({ name }) => name)).toEqual(['formula stance']);
    expect(moved.map(({ metric, causes }) => [metric, causes])).toEqual([
      ['stance', [{ cause: 'formula', documents: 4 }]],
    ]);
    expect(documents.changed.count).toBe(0);
  });

  it('differ in metrics that another cut of the same text moved', async () => {
    // One sentence instead of two: the same text, joined by the same space.
    const second = await publish(
      DOCS.map((doc) =>
        doc.id === 'a_minutes' ? { ...doc, sentences: [doc.sentences.join(' ')], stance: 'Neutral' } : doc,
      ),
    );
    const { moves } = await diff(first, second);
    expect(moves.map(({ document_id: id, causes }) => [id, causes])).toContainEqual(['a_minutes', ['sentences']]);
  });

  it('differ in metrics that a mark moved, also against a snapshot that knew of none', async () => {
    const docs = DOCS.map((doc) => (doc.id === 'a_minutes' ? { ...doc, others: 'in turn' as const } : doc));
    const unmarked = await publish(docs);
    const marked = await publish(docs.map((doc) => (doc.id === 'a_minutes' ? { ...doc, marked: [1] } : doc)));
    const causesOf = async (): Promise<readonly unknown[]> =>
      (await diff(unmarked, marked)).moves.map(({ document_id: id, causes }) => [id, causes.join()]);
    const causes = await causesOf();
    expect(new Set(causes.map(String))).toEqual(new Set(['a_minutes,sentences']));

    const folder = world.outputs.snapshot('wcb', unmarked);
    const file = join(folder, 'sentences.parquet');
    await database.run(`COPY (SELECT * EXCLUDE (mark, language) FROM '${file}') TO '${file}.old' (FORMAT parquet)`);
    renameSync(`${file}.old`, file);
    const manifest = await readManifest(folder);
    const sentences = manifest.tables.sentences;
    if (sentences === undefined) throw new Error('No table of sentences.');
    const columns = sentences.columns.filter(({ name }) => name !== 'mark' && name !== 'language');
    const old = { ...manifest, tables: { ...manifest.tables, sentences: { ...sentences, columns } } };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(old));
    expect(await causesOf()).toEqual(causes);
  });

  it('name no more than asked for, and count all', async () => {
    const many = Array.from(
      { length: 30 },
      (_, at): Doc => ({ id: `more_${at}`, date: '2024-05-01', sentences: [`Text ${at}.`] }),
    );
    const { documents } = await diff(first, await publish([...DOCS, ...many]), 5);
    expect(documents.added).toMatchObject({ count: 30 });
    expect(documents.added.ids).toHaveLength(5);
  });
});
