import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createJob,
  findLastJob,
  mark,
  readJob,
  readMarkers,
  readParts,
  settingsOfJob,
} from '../../../pipeline/run/job.js';
import type { DatasetPlan } from '../../../pipeline/run/plan.js';
import type { PlannedDocument } from '../../../pipeline/stage.js';
import { hashText } from '../../../src/files.js';
import { outputsIn } from '../../../src/outputs.js';
import { packagePath } from '../../../src/package-root.js';
import { readSettings } from '../../../src/settings.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();

const documentOf = (partition: string, bytes: number, more: Partial<PlannedDocument> = {}): PlannedDocument => ({
  dataset: 'wcb',
  documentId: `${partition} of ${bytes}`,
  partition,
  dimensions: { bank_name: 'bank_of_japan', year: 2005, date: null },
  title: null,
  sourceUrl: 'https://bank.example/1',
  file: `/corpora/${partition}`,
  path: partition,
  fileSha256: null,
  bytes,
  ...more,
});

const planOf = (documents: readonly PlannedDocument[]): DatasetPlan => ({
  dataset: 'wcb',
  inputs: ['/corpora'],
  partitions: [...new Set(documents.map(({ partition }) => partition))].sort(),
  documents: new Map(
    documents.map((one) => [one.partition, documents.filter((other) => other.partition === one.partition)]),
  ),
  rejects: [],
  urls: { all: 0, changed: 0, unchanged: 0, kept: 0, nothing: 0, unasked: 0 },
  unanswered: [],
  doubles: [],
  unanswering: new Set(),
  present: [],
  known: [],
  recall: { recalled: [], renamed: [] },
});

const jobIn = (
  name: string,
  plan: DatasetPlan,
  at: string,
  flags: Parameters<typeof readSettings>[0] = {},
  engine = 'slurm',
) =>
  createJob({
    plan,
    outputs: outputsIn(join(root, name)),
    settings: readSettings({ outputs: join(root, name), tasks: '3', ...flags }, {}),
    inputs: ['/corpora'],
    forget: ['gone'],
    allowedChecks: new Map([['documents_kept', 'it withdrew them']]),
    engine,
    now: new Date(at),
  });

describe('a job', () => {
  it('that is done is not resumed, whoever was given it, and that is no failure', async () => {
    for (const engine of ['nobody', 'slurm']) {
      const outputs = join(root, `done-by-${engine}`);
      const found = await jobIn(`done-by-${engine}`, planOf([documentOf('p', 1)]), '2026-01-01T00:00:00Z', {}, engine);
      const resume = (): ReturnType<typeof fintext> => fintext(['jobs', 'resume', '--outputs', outputs]);
      if (engine === 'nobody') expect((await resume()).stderr).toContain('was given to nobody');
      await mark(found.folder, 'finalize-0', {});
      expect(await resume()).toMatchObject({
        code: 0,
        stdout: `The job ${found.job.id} (wcb) is done: there is nothing to resume.\n`,
      });
    }
  });

  it('gives each task about as much to read, and says of each document what the plan said', async () => {
    const documents = [
      ...[900, 500, 400, 300, 200, 100].map((bytes, at) => documentOf(`p${at}`, bytes)),
      documentOf('p0', 1, { fileName: 'document.pdf', notes: ['odd'], title: 'A title', fileSha256: hashText('x') }),
    ];
    const plan = planOf(documents);
    const found = await jobIn('dealt', plan, '2026-01-01T00:00:00Z');
    expect(found.job).toMatchObject({ documents: 7, partitions: 6, elements: { read: 3, answer: 3 } });
    const parts = await Promise.all([0, 1, 2].map((element) => readParts(found, [element])));
    const bytes = parts.map((part) => [...part.documents.values()].flat().reduce((sum, one) => sum + one.bytes, 0));
    expect([...bytes].sort((a, b) => a - b)).toEqual([700, 800, 901]);
    const all = await readParts(await readJob(found.folder));
    expect(all.partitions).toEqual(plan.partitions);
    expect(all.documents).toEqual(plan.documents);
  });

  it('has the settings that it was made with, but for an address that may hold a secret', async () => {
    const flags = { webhook: 'https://hooks.example/secret', executor: 'slurm', maxDropped: '0.5', uncertainty: 'net' };
    const found = await jobIn('settings', planOf([documentOf('p', 1)]), '2026-01-01T00:00:00Z', flags);
    expect(readFileSync(join(found.folder, 'job.json'), 'utf8')).not.toContain('secret');
    const { job } = await readJob(found.folder);
    const settings = settingsOfJob(job, { FINTEXT_WEBHOOK: 'https://hooks.example/told', FINTEXT_MAX_DROPPED: '0.9' });
    expect(settings).toMatchObject({ executor: 'local', maxDropped: 0.5, uncertainty: 'net', tasks: 3 });
    expect(settings.webhook).toBe('https://hooks.example/told');
    expect(settings.outputs).toBe(join(root, 'settings'));
  });

  it('has whole paths where relative ones were typed, so that its tasks may begin in other folders', async () => {
    const typed = { outputs: relative(process.cwd(), join(root, 'paths')), models: 'own', prometheus: 'told/it.prom' };
    const { job } = await jobIn('paths', planOf([documentOf('p', 1)]), '2026-01-01T00:00:00Z', typed);
    const { outputs, models, prometheus } = settingsOfJob(job, {});
    expect({ outputs, models, prometheus }).toEqual({
      outputs: join(root, 'paths'),
      models: resolve('own'),
      prometheus: resolve('told/it.prom'),
    });
    const none = await jobIn('no-file', planOf([documentOf('p', 1)]), '2026-01-01T00:00:00Z');
    expect(settingsOfJob(none.job, {}).prometheus).toBe('');
  });

  it('is the last one made; of the older ones three stay', async () => {
    const plan = planOf([documentOf('p', 1)]);
    for (const day of [1, 2, 3, 4, 5]) await jobIn('many', plan, `2026-01-0${day}T00:00:00Z`);
    const outputs = outputsIn(join(root, 'many'));
    expect((await findLastJob(outputs, 'wcb'))?.job.created_at).toBe('2026-01-05T00:00:00.000Z');
    expect(readdirSync(outputs.jobs('wcb')).map((name) => name.slice(0, 8))).toEqual([
      '20260103',
      '20260104',
      '20260105',
    ]);
    expect(await findLastJob(outputs, 'earnings')).toBeUndefined();
  });

  it('is the last one made, and stays, also where the clock was set back', async () => {
    const plan = planOf([documentOf('p', 1)]);
    const outputs = outputsIn(join(root, 'set-back'));
    for (const year of [2030, 2031, 2032]) await jobIn('set-back', plan, `${year}-12-31T23:59:59Z`);
    for (const day of [1, 2]) {
      const made = await jobIn('set-back', plan, `2026-01-0${day}T00:00:00Z`);
      expect(await findLastJob(outputs, 'wcb')).toEqual(made);
    }
  });
});

describe('a marker', () => {
  it('is made once, however many make it at the same time, and whole', async () => {
    const folder = join(root, 'marked');
    mkdirSync(join(folder, 'done'), { recursive: true });
    const made = await Promise.all(Array.from({ length: 20 }, (_, at) => mark(folder, 'read-0', { at })));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(folder, 'done', 'read-0.json'), 'utf8'))).toEqual({ at: made.indexOf(true) });
    expect([...(await readMarkers(folder))]).toEqual(['read-0']);
    expect(readdirSync(join(folder, 'done'))).toEqual(['read-0.json']);
  });
});

describe('a task', () => {
  const outputs = join(root, 'outputs');
  const input = packagePath('data', 'sample', 'wcb-manifest');
  let commands: readonly (readonly string[])[];
  const run = async (step: string): Promise<void> => {
    for (const words of commands.filter((one) => one.includes(step))) {
      const ended = await fintext(words);
      expect([ended.code, ended.stderr.split('\n').filter((line) => line.startsWith('fintext:'))]).toEqual([0, []]);
    }
  };
  /** Files below a folder with their contents' hashes. */
  const contents = (below: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(below, { recursive: true })
        .map((name) => join(below, String(name)))
        .filter((path) => statSync(path).isFile())
        .map((path) => [path, hashText(readFileSync(path, 'latin1'))]),
    );

  beforeAll(async () => {
    const ended = await fintext(['plan', '--dataset', 'wcb', '--input', input, '--outputs', outputs, '--tasks', '2']);
    commands = ended.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(1));
    for (const step of ['read', 'cut', 'answer']) await run(step);
  });

  it('that comes late, or again, changes nothing of what is made', { timeout: 300_000 }, async () => {
    const job = commands[0]?.[2] ?? '';
    const work = join(outputs, 'work', 'wcb');
    const made = (): object => [
      contents(join(outputs, 'predictions')),
      contents(join(work, 'ingest')),
      contents(join(work, 'segment')),
    ];
    const before = made();
    expect(Object.keys(contents(join(outputs, 'predictions'))).length).toBeGreaterThan(0);
    // As where its markers were not there yet when it looked.
    for (const name of readdirSync(join(job, 'done'))) rmSync(join(job, 'done', name));
    await run('read');
    await run('cut');
    await run('answer');
    expect(made()).toEqual(before);
    expect(existsSync(join(job, 'done', 'answer-1.json'))).toBe(true);
  });

  it('finalizes without asking a model anything, and drops the shards', { timeout: 300_000 }, async () => {
    const words = commands.find((one) => one.includes('finalize')) ?? [];
    const ended = await fintext(words);
    expect(JSON.parse(ended.stdout)).toMatchObject([{ dataset: 'wcb', predictions_made: 0, provider: null }]);
    expect(existsSync(join(commands[0]?.[2] ?? '', 'shards'))).toBe(false);
  });
});
