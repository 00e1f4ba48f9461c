/** What must never be published, as whole worlds: each is refused and named, and the old snapshot goes on serving. */
import { cpSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../pipeline/events.js';
import type { World } from '../../../pipeline/stage.js';
import { type Database, parquet } from '../../../src/database.js';
import { readManifest } from '../../../src/snapshot/manifest.js';
import { findCurrent } from '../../../src/snapshot/snapshots.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';
import { type Doc, publishOnce, worldWith } from './publish-world.js';

const root = temporaryFolder();
let database: Database;
let folder: string;
let folders = 0;

/** The snapshot that is served before each test, and where it was published. */
let served: string;
const first = join(root, 'first');

beforeAll(async () => {
  database = await testDatabase(root);
  mkdirSync(first);
  served = await publishOnce(await worldWith(database, first, CORPUS));
});
beforeEach(() => {
  folders += 1;
  folder = join(root, `outputs-${folders}`);
  mkdirSync(folder);
  cpSync(join(first, 'published'), join(folder, 'published'), { recursive: true });
});

const STANCES = ['Hawkish', 'Dovish', 'Neutral', 'Irrelevant'] as const;
const sentences = (id: number, n: number): readonly string[] =>
  Array.from({ length: n }, (_, at) => `Sentence ${at} of ${id}.`);

/** Forty documents of ten sentences, of all stances alike; the last ten in a partition of their own. */
const CORPUS: readonly Doc[] = Array.from({ length: 40 }, (_, at) => ({
  id: `doc_${at}`,
  date: '2024-03-01',
  sentences: sentences(at, 10),
  stance: STANCES[at % 4] ?? 'Neutral',
  others: 'in turn',
  partition: at < 30 ? 'bank_of_japan/2024' : 'bank_of_japan/2023',
}));
const NIGHT: readonly Doc[] = Array.from({ length: 3 }, (_, at) => ({
  id: `night_${at}`,
  date: '2024-04-01',
  sentences: sentences(100 + at, 12),
  stance: 'Hawkish',
  others: 'in turn',
}));

type Parts = Parameters<typeof worldWith>[3];
const build = (docs: readonly Doc[], parts: Parts = {}): Promise<World> => worldWith(database, folder, docs, parts);

/** Rewrites a file that an earlier stage left, as a fault of that stage would have. */
const rewrite = async (
  world: World,
  stage: 'ingest' | 'aggregate',
  name: string,
  select: (from: string) => string,
): Promise<World> => {
  const file = join(world.output(stage, 'bank_of_japan/2024').folder, name);
  await database.run(`CREATE OR REPLACE TABLE rewritten AS ${select(parquet(file))}`);
  await database.writeQuery('SELECT * FROM rewritten', file);
  return world;
};
const metricOf = (value: string) => async (): Promise<World> =>
  rewrite(
    await build(CORPUS),
    'aggregate',
    'metrics.parquet',
    (from) =>
      `SELECT * REPLACE (CASE WHEN document_id = 'doc_1' THEN CAST('${value}' AS DOUBLE) ELSE stance END AS stance) FROM ${from}`,
  );

const FAULTS: readonly (readonly [what: string, check: string, names: string, build: () => Promise<World>])[] = [
  ['a night that is Hawkish throughout', 'new_labels_alike', '"label":"Hawkish"', () => build([...CORPUS, ...NIGHT])],
  [
    'a day on which everything is Hawkish',
    'labels_vary',
    '"label":"Hawkish"',
    () => build(CORPUS.map((doc) => ({ ...doc, stance: 'Hawkish' }))),
  ],
  ['30% of the documents gone', 'documents_kept', '"missing":12', () => build(CORPUS.slice(12))],
  [
    '30% of the sentences gone',
    'sentences_kept',
    '"before":400',
    () => build(CORPUS.map((doc) => ({ ...doc, sentences: doc.sentences.slice(0, 7) }))),
  ],
  ['a metric of 1.2', 'metrics_in_range', '"value":1.2', metricOf('1.2')],
  ['a NaN', 'metrics_in_range', '"metric":"stance"', metricOf('NaN')],
  [
    'a duplicate id',
    'document_ids_unique',
    '"document_id":"doc_1","times":2',
    async () =>
      rewrite(
        await build(CORPUS),
        'ingest',
        'texts.parquet',
        (from) =>
          `SELECT * FROM ${from} UNION ALL SELECT * REPLACE (sha256('x') AS text_sha256) FROM ${from} WHERE document_id = 'doc_1'`,
      ),
  ],
  [
    'an id of another partition',
    'document_ids_unique',
    '"document_id":"doc_35","times":2',
    () => build([...CORPUS, ...NIGHT.slice(0, 1).map((doc) => ({ ...doc, id: 'doc_35' }))]),
  ],
  [
    'an unknown bank',
    'dimensions_known',
    '"bank_of_atlantis"',
    () => build(CORPUS.map((doc) => (doc.id === 'doc_1' ? { ...doc, bank: 'bank_of_atlantis' } : doc))),
  ],
];

describe.each([
  ['is never published', 'from nothing'],
  ['is never published by a night that goes on from what the last one left', 'from the last night'],
])('%s', (_what, how) => {
  beforeEach(() => {
    if (how === 'from the last night') cpSync(join(first, 'work'), join(folder, 'work'), { recursive: true });
  });

  it.each(FAULTS)('%s: %s names it', async (_what, check, names, make) => {
    const world = await make();
    const events: RunEvent[] = [];
    const refused: unknown = await publishOnce({ ...world, log: (event) => events.push(event) }).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).toContain('Nothing was published for wcb');
    expect(String(refused)).toContain(check);
    expect(String(refused)).toContain(names);
    expect(String(refused)).toContain(`Snapshot ${served} goes on serving.`);
    expect(await findCurrent(world.outputs, 'wcb')).toBe(served);
    const [checked] = events.filter((event) => event.type === 'checked');
    expect(checked?.checks.filter(({ passed }) => !passed).map(({ name }) => name)).toContain(check);
  });
});

describe('the last snapshot', () => {
  const tried = async (world: World): Promise<{ readonly refused: string; readonly failed: readonly string[] }> => {
    const events: RunEvent[] = [];
    const refused = await publishOnce({ ...world, log: (event) => events.push(event) }).catch(String);
    const checks = events.find((event) => event.type === 'checked')?.checks ?? [];
    return { refused, failed: checks.filter(({ passed }) => !passed).map(({ name }) => name) };
  };

  it.each([
    ['that moved', ['/moved/wcb']],
    ['with another one for a night', ['/corpora/wcb', '/corpora/more']],
  ])('is compared with a folder %s', async (_what, inputs) => {
    expect((await tried(await build(CORPUS.slice(12), { inputs }))).failed).toEqual(['documents_kept']);
  });

  it('is compared where the same was published again of a folder that moved, whatever is lost after that', async () => {
    const moved = { inputs: ['/moved/wcb'] };
    expect(await publishOnce(await build(CORPUS, moved))).toBe(served);
    expect((await tried(await build(CORPUS.slice(30), moved))).failed).toContain('documents_kept');
  });

  it('of another corpus is not compared with, and that is said', async () => {
    const inputs = ['/corpora/other'];
    const { refused, failed } = await tried(await build(CORPUS.slice(30), { inputs }));
    expect(failed).toEqual(['last_snapshot_compared']);
    const { checks } = await readManifest(join(folder, 'published', 'wcb', 'snapshots', refused));
    expect(checks.map(({ name }) => name)).not.toContain('documents_kept');
    const report = readFileSync(join(folder, 'published', 'wcb', 'snapshots', refused, 'report.json'), 'utf8');
    expect(report).toContain(`${served} is of other input folders, and 10 of its 40 documents are here`);
  });

  it('of the same corpus is compared with, whatever was published in between', async () => {
    const others = CORPUS.map((doc) => ({ ...doc, id: `other_${doc.id}` }));
    const other = await publishOnce(await build(others, { inputs: ['/corpora/other'] }));
    expect(await findCurrent((await build(CORPUS)).outputs, 'wcb')).toBe(other);
    expect((await tried(await build(CORPUS.slice(12)))).failed).toEqual(['documents_kept']);
    expect(await publishOnce(await build(CORPUS))).toBe(served);
  });

  it('that was damaged since gives way to the one before it; where none is whole, that is said', async () => {
    const next = await publishOnce(await build([...CORPUS, ...NIGHT.slice(0, 1)]));
    const tableOf = (id: string): string => join(folder, 'published', 'wcb', 'snapshots', id, 'documents.parquet');
    truncateSync(tableOf(next), 100);
    expect((await tried(await build(CORPUS.slice(12)))).failed).toContain('documents_kept');
    truncateSync(tableOf(served), 100);
    expect((await tried(await build(CORPUS.slice(12)))).failed).toEqual(['last_snapshot_compared']);
  });
});

describe('a check that somebody allowed to fail', () => {
  it('publishes, and its reason is in the manifest and in both reports', async () => {
    const reason = 'bank of Chile moved to <another> corpus';
    const world = await build(CORPUS.slice(12), { allowedChecks: new Map([['documents_kept', reason]]) });
    const id = await publishOnce(world);
    expect(id).not.toBe(served);
    const snapshot = world.outputs.snapshot('wcb', id);
    const { checks } = await readManifest(snapshot);
    expect(checks.filter(({ passed }) => !passed)).toEqual([
      { name: 'documents_kept', severity: 'block', passed: false, offending: 1, overridden: reason },
    ]);
    expect(readFileSync(join(snapshot, 'report.html'), 'utf8')).toContain('moved to &lt;another&gt; corpus');
    expect(readFileSync(join(snapshot, 'report.json'), 'utf8')).toContain(reason);
  });

  it('does not let another one fail', async () => {
    const allowedChecks = new Map([['documents_kept', 'known']]);
    await expect(publishOnce(await build([...CORPUS.slice(12), ...NIGHT], { allowedChecks }))).rejects.toThrow(
      'new_labels_alike',
    );
  });

  it('changes nothing of what is published: the id is that of the rows', async () => {
    const world = await build(CORPUS, { allowedChecks: new Map([['documents_kept', 'known']]) });
    expect(await publishOnce(world)).toBe(served);
  });
});

describe('drift by another model', () => {
  it('is said, and blocks nothing', async () => {
    const world = await build(CORPUS.map((doc, at) => ({ ...doc, stance: at % 2 === 0 ? 'Hawkish' : 'Neutral' })));
    const events: RunEvent[] = [];
    const log = (event: RunEvent): number => events.push(event);
    await expect(publishOnce({ ...world, log })).rejects.toThrow('label_shares_steady');
    const fingerprints = world.fingerprints.map((entry) => ({ ...entry, fingerprint: 'another' }));
    await publishOnce({ ...world, log, fingerprints });
    const warned = events.findLast((event) => event.type === 'checked')?.checks.filter(({ passed }) => !passed);
    expect(warned?.map(({ name, severity }) => `${severity} ${name}`)).toEqual([
      'warn label_shares_steady_across_models',
      'warn metric_means_steady_across_versions',
    ]);
  });
});
