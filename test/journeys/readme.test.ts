import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentList, ModelList, Summary } from '../../src/client/index.js';
import { entryPoint, packagePath } from '../../src/package-root.js';
import { openRig, type Rig } from '../support/fintext.js';
import { readSource } from '../support/sources.js';

const README = existsSync(packagePath('README.md')) ? readSource('README.md') : '';
const section = /^## The API$(.*?)^## /ms.exec(README)?.[1] ?? '';
const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({ language, code }));

/** The place that the examples name; the service of the test is somewhere else, which is all that is changed in them. */
const STATED = 'http://127.0.0.1:8080';

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const [curl, python] = [isThere('curl'), isThere('python3')];
if (!curl) process.stderr.write('The examples for the shell are not run: there is no curl.\n');
if (!python) process.stderr.write('The examples in Python are not run: there is no python3.\n');

let rig: Rig | undefined;
let folder: string;
let server: ChildProcess | undefined;
let stdout = '';
let stderr = '';
let address = '';
let key = '';
let begun = 0;

beforeAll(async () => {
  const made = await openRig();
  rig = made;
  await made.rebuild();
  folder = join(made.folder, 'user');
  mkdirSync(folder);
  // npx finds the package from its own folder; here it is called as it would be.
  const npx = `npx() { shift; '${process.execPath}' '${entryPoint('src/cli/fintext')}' "$@"; }`;
  const [setup] = blocks;
  const child = spawn('bash', ['--norc', '-euc', `${npx}\n${setup?.code}\necho "KEY $KEY"\nwait`], {
    cwd: folder,
    env: {
      ...process.env,
      FINTEXT_OUTPUTS: made.outputs,
      FINTEXT_ACCOUNTS: join(made.folder, 'accounts.db'),
      FINTEXT_PORT: '0',
      FINTEXT_DEVICE: 'cpu',
      FINTEXT_WORKERS: '1',
      FINTEXT_LOG: 'json',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the service ends with the shell that started it.
    detached: true,
  });
  server = child;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (/^KEY .+$/m.test(stdout) && /^http:.+$/m.test(stdout)) resolve();
    });
    child.once('close', () => reject(new Error(`What begins the examples ended: ${stdout}${stderr}`)));
  });
  key = /^KEY (.+)$/m.exec(stdout)?.[1] ?? '';
  address = /^http:.+$/m.exec(stdout)?.[0] ?? '';
}, 300_000);

afterAll(async () => {
  const child = server;
  if (child?.pid !== undefined && child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  await rig?.close();
});

beforeEach(() => {
  begun = stderr.length;
  for (const name of ['wcb.csv', 'wcb.parquet']) rmSync(join(folder, name), { force: true });
});

const codeOf = (language: string, at = 0): string => {
  const found = blocks.filter((block) => block.language === language)[at]?.code ?? '';
  expect(found).toContain(STATED);
  return found.replaceAll(STATED, address);
};

/**
 * The lines that a command printed, which must end well. A pipe of Node's is a socket, and a shell that no other started
 * takes it for a remote login and reads the machine's bashrc: each is told not to (`--norc`).
 */
const run = async (command: string, args: readonly string[]): Promise<readonly string[]> => {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, KEY: key } });
  const [out, err] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stderr.on('data', (piece: Buffer) => err.push(piece));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const printed = Buffer.concat(out).toString();
  expect({ code, stderr: Buffer.concat(err).toString(), printed }).toMatchObject({ code: 0, stderr: '' });
  return printed.split('\n').filter((line) => line !== '');
};

/** By this id the service's log tells what the test itself asks. */
const OWN = 'asked-by-the-test';

const ask = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${address}/v1/${path}`, { headers: { 'x-api-key': key, 'x-request-id': OWN } })).json()) as T;

const fedRows = async () =>
  (await ask<DocumentList>('metrics/wcb/documents?bank_name=federal_reserve_system')).documents;
const growth = async () =>
  (await ask<Summary>('metrics/earnings/summary?metric=ec_growth_metric&year=2022,2023')).summary;

/** What the service's log says that an example asked: each of these, with 200. A line comes a moment after its answer. */
const expectAsked = async (): Promise<void> => {
  const asked = (): readonly string[] => [
    ...new Set(
      stderr
        .slice(begun, stderr.lastIndexOf('\n'))
        .split('\n')
        .filter((line) => line.includes('"msg":"request"') && !line.includes(OWN))
        .map((line) => JSON.parse(line) as { readonly path: string; readonly status: number })
        .map(({ path, status }) => `${status} ${path}`),
    ),
  ];
  await expect
    .poll(() => [...asked()].sort())
    .toEqual([
      '200 /v1/metrics/earnings/summary',
      '200 /v1/metrics/wcb/documents',
      '200 /v1/models',
      '200 /v1/models/infer',
      '200 /v1/usage/me',
    ]);
};

const expectParquet = async (): Promise<void> => {
  const file = await asyncBufferFromFile(join(folder, 'wcb.parquet'));
  const rows = await parquetReadObjects({ file, compressors });
  const { documents } = await ask<DocumentList>('metrics/wcb/documents');
  expect(documents.length).toBeGreaterThan(10);
  expect(rows.map((row) => [row.document_id, row.stance])).toEqual(
    documents.map((document) => [document.document_id, document.stance]),
  );
};

const expectCsv = async (): Promise<void> => {
  const lines = readFileSync(join(folder, 'wcb.csv'), 'utf8').split('\r\n');
  const { documents } = await ask<DocumentList>('metrics/wcb/documents?year=2022,2023');
  expect(documents.length).toBeGreaterThan(1);
  expect(lines[0]).toMatch(/^document_id,bank_name,.*,stance,/);
  expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(documents.map((one) => one.document_id));
};

const LABELS = ['Hawkish', 'Dovish', 'Neutral', 'Irrelevant'];

describe('the table that the README begins with', () => {
  it('has the figures of the sample, as they come out', async () => {
    const shown = [...README.matchAll(/^│ (\w[\w-]+) +│ ([\d-]+) │ +(\d+) │ +(-?[\d.]+) │ +([\d.]+) │ … │$/gm)].map(
      ([, ...cells]) => cells,
    );
    const answer = await fetch(`${address}/v1/metrics/wcb/documents?limit=1000`, { headers: { 'x-api-key': key } });
    const { documents } = (await answer.json()) as DocumentList;
    const found = shown.map(([id]) => {
      const row = documents.find((document) => document.document_id === id);
      const [stance, uncertainty] = [row?.stance, row?.uncertainty].map((value) => Number(value).toFixed(3));
      return [row?.document_id, row?.date, String(row?.sentence_count), stance, uncertainty];
    });
    expect(shown.length).toBeGreaterThan(1);
    expect(found).toEqual(shown);
  });
});

describe.runIf(README !== '')('the examples of the README', () => {
  it('begin with a key that works and a service that answers', async () => {
    expect(key).toMatch(/^ftx_live_/);
    expect((await ask<ModelList>('models')).total).toBe(14);
  });

  it.runIf(curl)('for the shell print what they say', async () => {
    const printed = (await run('bash', ['--norc', '-euc', codeOf('sh', 1)])).map((line) => JSON.parse(line) as unknown);
    await expectAsked();
    expect(printed).toHaveLength(5);
    const [models, inference, documents, summary, usage] = printed;
    expect(models).toMatchObject({ total: 14 });
    expect(inference).toMatchObject({ model_id: 'cb_stance_label', predictions: [{ label: expect.any(String) }] });
    expect(documents).toMatchObject({
      total: (await fedRows()).length,
      documents: (await fedRows()).map(({ document_id, stance, uncertainty }) => ({
        document_id,
        stance,
        uncertainty,
      })),
    });
    expect(summary).toMatchObject({ summary: await growth() });
    expect(usage).toMatchObject({ email: 'you@example.org', tier: 'free', period_days: 7 });
    await expectCsv();
    await expectParquet();
  });

  it.runIf(python)('in Python print what they say', async () => {
    const printed = await run('python3', ['-c', codeOf('python')]);
    await expectAsked();
    const { models } = await ask<ModelList>('models');
    const rows = await fedRows();
    const { documents } = await ask<DocumentList>('metrics/wcb/documents?year=2022,2023');
    expect(printed.slice(0, 14)).toEqual(
      models.map(({ id, labels }) => `${id} [${labels.map((label) => `'${label}'`).join(', ')}]`),
    );
    for (const label of printed[14]?.replaceAll(/[[\]']/g, '').split(', ') ?? []) expect(LABELS).toContain(label);
    expect(rows.length).toBeGreaterThan(1);
    expect(printed.slice(15, -3)).toEqual(rows.map((row) => `${row.document_id} ${row.date} ${row.stance}`));
    const [count, summary, left] = printed.slice(-3);
    expect(count).toBe(`${documents.length} rows`);
    expect(JSON.parse(summary?.replaceAll("'", '"') ?? '')).toEqual(await growth());
    expect(left).toMatch(/^9\d\d requests left this month$/);
    await expectParquet();
  });

  it('in TypeScript fit the client’s types and print what they say', async () => {
    const packages = join(folder, 'node_modules');
    mkdirSync(packages, { recursive: true });
    const types = dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
    symlinkSync(packagePath(), join(packages, 'fintext-metrics'));
    symlinkSync(dirname(types), join(packages, '@types'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'example.ts'), codeOf('ts'));
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck'];
    expect(await run(process.execPath, [compiler, ...options, 'example.ts'])).toEqual([]);

    const printed = await run(process.execPath, ['example.js']);
    await expectAsked();
    const { models } = await ask<ModelList>('models');
    expect(printed.slice(0, 14)).toEqual(models.map(({ id, labels }) => `${id} ${labels.join(', ')}`));
    expect(LABELS).toContain(printed[14]);
    const rows = (await fedRows()).map((row) => `${row.document_id} ${row.date} ${row.stance}`);
    expect(printed.slice(15, 15 + rows.length)).toEqual(rows);
    const [{ avg } = { avg: 0 }] = await growth();
    expect(printed.slice(15 + rows.length, -1).join('')).toContain(`avg: ${avg}`);
    expect(printed.at(-1)).toMatch(/^9\d\d requests left this month$/);
    await expectCsv();
    await expectParquet();
  });
});
