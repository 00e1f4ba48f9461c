import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from 'duckdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFile } from '../../../src/files.js';
import { type Outputs, outputsIn } from '../../../src/outputs.js';
import { type OpenSnapshot, openSnapshot } from '../../../src/serve/open-snapshot.js';
import type { ServerOptions } from '../../../src/serve/server.js';
import { lockDown } from '../../../src/serve/sql.js';
import { serve } from '../../../src/snapshot/history.js';
import type { Manifest } from '../../../src/snapshot/manifest.js';
import { rollback } from '../../../src/snapshot/rollback.js';
import { setCurrent } from '../../../src/snapshot/snapshots.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const root = temporaryFolder();
let worlds = 0;
let folder: string;
let outputs: Outputs;
let service: Running | undefined;

beforeEach(() => {
  worlds += 1;
  folder = join(root, `world-${worlds}`);
  outputs = outputsIn(join(folder, 'outputs'));
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const wcb = (documents: number, more: Partial<Parameters<typeof publish>[0]> = {}): Promise<Manifest> =>
  publish({ outputs, dataset: 'wcb', documents, seed: 1, ...more });

const start = async (snapshots: ServerOptions['snapshots'] = {}): Promise<Running> => {
  service = await startService(folder, { snapshots: { pollMs: 25, ...snapshots } });
  return service;
};

const total = async (query = ''): Promise<readonly [number, unknown, string | null]> => {
  const response = (await service?.get(`/v1/metrics/wcb/documents?limit=1${query}`)) ?? new Response();
  const body = (await response.json()) as { total?: number; detail?: string };
  return [response.status, body.total ?? body.detail, response.headers.get('x-snapshot')];
};

const eventually = async (check: () => Promise<void>): Promise<void> => {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
};

const readiness = async (): Promise<{ status: string; datasets: Record<string, unknown>[] }> =>
  (await (await fetch(`${service?.address}/health/ready`)).json()) as never;

describe('before anything is published', () => {
  it('metrics are 503 with Retry-After, models and usage answer, and what comes is served', async () => {
    const { get, post } = await start();
    for (const path of [
      '/v1/metrics',
      '/v1/metrics/wcb/documents',
      '/v1/metrics/wcb/summary',
      '/v1/metrics/wcb/documents/x',
    ]) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(Object.keys((await response.json()) as object)).toEqual(['detail']);
    }
    expect((await get('/v1/metrics/wcb/documents?limit=0')).status).toBe(400);
    expect((await get('/v1/metrics/nope/documents')).status).toBe(404);
    expect((await get('/v1/models')).status).toBe(200);
    expect((await get('/v1/usage/me')).status).toBe(200);
    expect((await post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances: [{ text: 'a' }] })).status).toBe(
      200,
    );
    expect((await readiness()).status).toBe('degraded');
    const { snapshot } = await wcb(30);
    await eventually(async () => expect(await total()).toEqual([200, 30, snapshot]));
    const listed = (await (await get('/v1/metrics')).json()) as { total: number };
    expect(listed.total).toBe(1);
  });
});

describe('a new snapshot', () => {
  it('takes over under load without a failed or mixed answer, forth and back', async () => {
    const sizes = new Map<string, number>();
    for (const documents of [60, 70, 80])
      sizes.set((await wcb(documents, { point: documents === 60 })).snapshot, documents);
    const { get } = await start();
    const seen = new Set<string>();
    let latest = '';
    let stop = false;
    let answers = 0;
    const load = async (path: string, format: string): Promise<void> => {
      while (!stop) {
        const response = await get(`/v1/metrics/wcb/${path}`);
        const text = await response.text();
        const id = response.headers.get('x-snapshot') ?? '';
        const rows =
          format === 'csv'
            ? text.split('\r\n').length - 2
            : format === 'documents'
              ? (JSON.parse(text) as { documents: unknown[] }).documents.length
              : (JSON.parse(text) as { documents: number }).documents;
        if (format !== 'csv') expect((JSON.parse(text) as { snapshot: string }).snapshot).toBe(id);
        expect([response.status, rows]).toEqual([200, sizes.get(id)]);
        seen.add(id);
        latest = id;
        answers += 1;
      }
    };
    const readers = [
      ...Array.from({ length: 4 }, () => load('documents', 'documents')),
      ...Array.from({ length: 4 }, () => load('summary', 'summary')),
      ...Array.from({ length: 4 }, () => load('documents?format=csv', 'csv')),
    ];
    for (let turn = 0; turn < 12; turn += 1) {
      const id = [...sizes.keys()][turn % 3] ?? '';
      await setCurrent(outputs, 'wcb', id);
      await eventually(async () => expect(latest).toBe(id));
    }
    stop = true;
    await Promise.all(readers);
    expect(seen.size).toBe(3);
    expect(answers).toBeGreaterThanOrEqual(24);
  });

  it('leaves those who page through the old one with it', async () => {
    const old = await wcb(50);
    const { get } = await start();
    const first = await get('/v1/metrics/wcb/documents?limit=20');
    const [, next = ''] = /^<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    const { snapshot } = await wcb(90);
    await eventually(async () => expect(await total()).toEqual([200, 90, snapshot]));
    const second = (await (await get(next)).json()) as { snapshot: string; total: number };
    expect([second.snapshot, second.total]).toEqual([old.snapshot, 50]);
  });

  it('closes old ones after their last reader, and keeps two beside the current one', async () => {
    await wcb(30);
    const { lines } = await start();
    for (const documents of [31, 32, 33, 34]) {
      const { snapshot } = await wcb(documents);
      await eventually(async () => expect((await total())[2]).toBe(snapshot));
    }
    expect(lines.filter(({ msg }) => msg === 'snapshot-closed')).toHaveLength(2);
  });
});

describe('a snapshot that is not whole', () => {
  const damages: readonly (readonly [string, (folder: string) => void, string])[] = [
    ['a flipped byte in the database', (at) => flip(join(at, 'wcb.duckdb')), 'wcb.duckdb is not what was published.'],
    ['a torn database', (at) => truncateSync(join(at, 'wcb.duckdb'), 4096), 'wcb.duckdb has 4096 bytes'],
    ['no database', (at) => rmSync(join(at, 'wcb.duckdb')), 'wcb.duckdb is missing.'],
    ['a torn manifest', (at) => truncateSync(join(at, 'manifest.json'), 500), 'is damaged'],
    ['no manifest', (at) => rmSync(join(at, 'manifest.json')), 'manifest.json is missing'],
    [
      'another’s manifest',
      (at) => edit(at, (text) => text.replace(/"snapshot":"[0-9a-f]{16}"/, `"snapshot":"${'b'.repeat(16)}"`)),
      'The manifest is of wcb bbbb',
    ],
    [
      'a manifest of other columns',
      (at) => edit(at, (text) => text.replace('"name":"title"', '"name":"tilte"')),
      'has not the columns',
    ],
    [
      'a formula without a column',
      (at) => edit(at, (text) => text.replace('"metrics":[{"name":"stance"', '"metrics":[{"name":"stanza"')),
      'no column for the metric stanza',
    ],
  ];

  it.each(damages)('because of %s is refused, logged and shown, and the old one goes on', async (_, damage, reason) => {
    const old = await wcb(40);
    const { lines } = await start();
    const broken = await wcb(41, { point: false });
    damage(outputs.snapshot('wcb', broken.snapshot));
    await setCurrent(outputs, 'wcb', broken.snapshot);
    await eventually(async () => {
      const { status, datasets } = await readiness();
      expect(status).toBe('degraded');
      expect(datasets[0]).toMatchObject({
        snapshot: old.snapshot,
        refused: { snapshot: broken.snapshot, reason: expect.stringContaining(reason) },
      });
    });
    expect(JSON.stringify(await readiness())).not.toMatch(/\/|fintext/);
    expect(await total()).toEqual([200, 40, old.snapshot]);
    expect((await total(`&snapshot=${broken.snapshot}`))[0]).toBe(404);
    await sleep(150);
    // Told once, not at every look, and whole.
    const told = lines.filter(({ msg }) => msg === 'snapshot-refused').map((line) => String(line.reason));
    expect(told).toEqual([expect.stringContaining(reason)]);
    expect(told[0]?.startsWith(`${outputs.snapshot('wcb', broken.snapshot)}: `)).toBe(true);
    const verify = `fintext snapshots verify --dataset wcb --outputs ${outputs.folder}`;
    expect(told[0]?.endsWith(` ${verify} says which command mends it.`)).toBe(true);
  });

  it('is served once it was mended', async () => {
    const old = await wcb(40);
    await start();
    const broken = await wcb(41, { point: false });
    const file = join(outputs.snapshot('wcb', broken.snapshot), 'wcb.duckdb');
    copyFileSync(file, `${file}.whole`);
    flip(file);
    await setCurrent(outputs, 'wcb', broken.snapshot);
    await eventually(async () => expect((await readiness()).datasets[0]?.refused).not.toBeNull());
    expect((await total())[2]).toBe(old.snapshot);
    copyFileSync(`${file}.whole`, file);
    await eventually(async () => expect(await total()).toEqual([200, 41, broken.snapshot]));
    expect((await readiness()).datasets[0]?.refused).toBeNull();
  });

  it('or a pointer that holds no id is refused at the start too; the log has the command that mends it', async () => {
    const { snapshot } = await wcb(40);
    writeFileSync(outputs.pointer('wcb'), 'latest\n');
    const { lines } = await start();
    expect((await total())[0]).toBe(503);
    const reason = 'The pointer does not hold a snapshot id; the log says which command mends it';
    expect((await readiness()).datasets[0]?.refused).toEqual({ snapshot: '', reason });
    const mend = `fintext snapshots rollback --dataset wcb --outputs ${outputs.folder} points to the one that was served last.`;
    expect(lines.filter(({ msg }) => msg === 'snapshot-refused').map((line) => line.reason)).toEqual([
      `${outputs.pointer('wcb')} does not hold a snapshot id. ${mend}`,
    ]);
    await setCurrent(outputs, 'wcb', snapshot);
    await eventually(async () => expect((await total())[0]).toBe(200));
  });

  it('or a pointer that cannot be read is shown without its place', async () => {
    await wcb(40);
    await start();
    rmSync(outputs.pointer('wcb'));
    mkdirSync(outputs.pointer('wcb'));
    const reason = 'The pointer cannot be read; the log says why';
    await eventually(async () => expect((await readiness()).datasets[0]?.refused).toEqual({ snapshot: '', reason }));
    expect((await total())[1]).toBe(40);
  });

  it('that was deleted goes on being served', async () => {
    await wcb(40);
    await start();
    await rm(outputs.published('wcb'), { recursive: true });
    await sleep(80);
    expect((await total())[1]).toBe(40);
  });
});

describe('a snapshot that cannot be opened for a reason that passes', () => {
  it('is told once, is 503 by its name, and is served when the reason is gone', async () => {
    const { snapshot } = await wcb(40);
    writeFileSync(join(folder, 'scratch'), 'no folder');
    const { lines } = await start();
    await sleep(150);
    const scratch = join(folder, 'scratch');
    expect(lines.filter(({ msg }) => msg === 'snapshot-refused')).toMatchObject([
      { reason: expect.stringContaining(scratch) },
    ]);
    const reason = 'It cannot be opened now; the log says why';
    expect((await readiness()).datasets[0]?.refused).toEqual({ snapshot, reason });
    expect((await total(`&snapshot=${snapshot}`))[0]).toBe(503);
    rmSync(join(folder, 'scratch'));
    await eventually(async () => expect(await total()).toEqual([200, 40, snapshot]));
    expect((await readiness()).datasets[0]?.refused).toBeNull();
  });
});

describe('an older snapshot', () => {
  it('is found by name and by day, while it is kept', async () => {
    const days = ['2026-01-01T23:59:59.000Z', '2026-01-02T00:00:00.000Z', '2026-02-01T12:00:00.000Z'];
    const made: Manifest[] = [];
    for (const [at, publishedAt] of days.entries()) made.push(await wcb(40 + at, { publishedAt }));
    await start();
    const [first, second, third] = made.map(({ snapshot }) => snapshot);
    expect((await total())[2]).toBe(third);
    expect(await total(`&snapshot=${first}`)).toEqual([200, 40, first]);
    expect(await total('&as_of=2026-01-01')).toEqual([200, 40, first]);
    expect(await total('&as_of=2026-01-31')).toEqual([200, 41, second]);
    expect(await total('&as_of=2026-12-31')).toEqual([200, 42, third]);
    expect((await total('&as_of=2025-12-31'))[0]).toBe(404);
    const { get } = service ?? (await start());
    for (const path of ['summary', 'documents/x', 'documents/x/sentences'])
      expect((await get(`/v1/metrics/wcb/${path}?snapshot=${'a'.repeat(16)}`)).status).toBe(404);
  });

  it('of a day is what was served at its end: a rollback counts, and what was taken back is not served again', async () => {
    const old = await wcb(40, { point: false, publishedAt: '2026-01-01T02:15:00.000Z' });
    const wrong = await wcb(41, { point: false, publishedAt: '2026-01-03T02:15:00.000Z' });
    await serve(outputs, 'wcb', { snapshot: old.snapshot, at: '2026-01-01T02:15:00.000Z', by: 'publish' });
    await serve(outputs, 'wcb', { snapshot: wrong.snapshot, at: '2026-01-03T02:15:00.000Z', by: 'publish' });
    await rollback(outputs, 'wcb', { to: undefined, reason: 'test', now: new Date('2026-01-05T09:00:00Z') });
    await start();
    expect(await total()).toEqual([200, 40, old.snapshot]);
    expect((await total('&as_of=2025-12-31'))[0]).toBe(404);
    expect(await total('&as_of=2026-01-02')).toEqual([200, 40, old.snapshot]);
    expect(await total('&as_of=2026-01-04')).toEqual([200, 41, wrong.snapshot]);
    // The one that was published last had been taken back by then.
    expect(await total('&as_of=2026-01-05')).toEqual([200, 40, old.snapshot]);
  });

  it('of a day on which one was served that is not kept is 404, not another one', async () => {
    const gone = await wcb(40, { point: false });
    const kept = await wcb(41, { point: false });
    await serve(outputs, 'wcb', { snapshot: gone.snapshot, at: '2026-01-01T02:15:00.000Z', by: 'publish' });
    await serve(outputs, 'wcb', { snapshot: kept.snapshot, at: '2026-01-03T02:15:00.000Z', by: 'publish' });
    await rm(outputs.snapshot('wcb', gone.snapshot), { recursive: true });
    await start();
    expect(await total('&as_of=2026-01-02')).toEqual([404, `Snapshot not found: ${gone.snapshot}`, null]);
    expect(await total('&as_of=2026-01-03')).toEqual([200, 41, kept.snapshot]);
  });

  it('is opened once for many who ask at once', async () => {
    const old = await wcb(40);
    await wcb(41);
    const { lines } = await start();
    const answers = await Promise.all(Array.from({ length: 8 }, () => total(`&snapshot=${old.snapshot}`)));
    expect(answers).toEqual(new Array(8).fill([200, 40, old.snapshot]));
    expect(lines.filter(({ msg, snapshot }) => msg === 'snapshot-opened' && snapshot === old.snapshot)).toHaveLength(1);
  });

  it('is hashed once, however often it is opened, until its file changes', async () => {
    const ids: string[] = [];
    for (const documents of [40, 41, 42, 43, 44]) ids.push((await wcb(documents)).snapshot);
    const read: string[] = [];
    const { lines } = await start({
      hash: (path) => {
        read.push(ids.find((id) => path.includes(id)) ?? path);
        return hashFile(path);
      },
    });
    for (let round = 0; round < 3; round += 1)
      for (const [at, id] of ids.slice(0, 4).entries())
        expect(await total(`&snapshot=${id}`)).toEqual([200, 40 + at, id]);
    const opened = lines.filter(({ msg, snapshot }) => msg === 'snapshot-opened' && snapshot === ids[0]);
    expect([opened.length, [...read].sort()]).toEqual([3, [...ids].sort()]);
    flip(join(outputs.snapshot('wcb', ids[0] ?? ''), 'wcb.duckdb'));
    expect((await total(`&snapshot=${ids[0]}`))[0]).toBe(404);
  });

  it('is opened as long as openings have not taken too long; then 503 says when, and what is open goes on', async () => {
    const ids: string[] = [];
    for (const documents of [40, 41, 42]) ids.push((await wcb(documents)).snapshot);
    let wait = 0;
    const spent: number[] = [];
    await start({ openings: { wait: () => wait, spend: (seconds) => spent.push(seconds) } });
    expect((await total(`&snapshot=${ids[0]}`))[0]).toBe(200);
    expect(spent).toEqual([expect.any(Number)]);
    wait = 6.5;
    const refused = await service?.get(`/v1/metrics/wcb/documents?snapshot=${ids[1]}`);
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '7']);
    for (const query of [`&snapshot=${ids[0]}`, `&snapshot=${ids[2]}`, '']) expect((await total(query))[0]).toBe(200);
    const { snapshot } = await wcb(43);
    await eventually(async () => expect(await total()).toEqual([200, 43, snapshot]));
    wait = 0;
    expect((await total(`&snapshot=${ids[1]}`))[0]).toBe(200);
    expect(spent).toHaveLength(2);
  });
});

describe('the database', () => {
  it('is read-only and shut off: no file, no other database, no setting, no extension', async () => {
    const { snapshot } = await wcb(40);
    const file = join(outputs.snapshot('wcb', snapshot), 'wcb.duckdb');
    const secret = join(root, 'secret.csv');
    writeFileSync(secret, 'a\n1\n');
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    for (const { sql } of lockDown(join(folder, 'scratch'))) await connection.run(sql);
    for (const sql of [
      `SELECT * FROM read_csv('${secret}')`,
      `SELECT * FROM read_text('${secret}')`,
      `SELECT * FROM glob('${root}/*')`,
      `SELECT * FROM '${secret}'`,
      `COPY documents TO '${join(root, 'stolen.csv')}'`,
      `COPY (SELECT 1) TO '${join(folder, 'scratch', '..', 'stolen.csv')}'`,
      `ATTACH '${join(root, 'other.duckdb')}' AS other`,
      "INSTALL 'httpfs'",
      "LOAD 'httpfs'",
      'SET enable_external_access = true',
      "SET allowed_directories = ['/']",
      'RESET lock_configuration',
      'DELETE FROM documents',
      'CREATE TABLE x (a INTEGER)',
    ]) {
      await expect(connection.run(sql), sql).rejects.toThrow();
    }
    expect(existsSync(join(root, 'stolen.csv'))).toBe(false);
    connection.closeSync();
    instance.closeSync();
  });

  it('makes Parquet also where its folder was cleared away, as temporary ones are', async () => {
    await wcb(20);
    service = await startService(folder, { outputs });
    await rm(join(folder, 'scratch'), { recursive: true });
    const response = await service.get('/v1/metrics/wcb/documents?format=parquet');
    expect([response.status, (await response.text()).slice(0, 4)]).toEqual([200, 'PAR1']);
  });

  it('gives the order of the listing also where its rows lie otherwise', async () => {
    const { snapshot } = await wcb(60);
    const at = outputs.snapshot('wcb', snapshot);
    const file = join(at, 'wcb.duckdb');
    const open = (): Promise<OpenSnapshot> =>
      openSnapshot({
        ...{ dataset: 'wcb', folder: at, id: snapshot, scratch: join(folder, 's'), memoryMb: 128, threads: 2 },
        rows: 'made',
        hash: hashFile,
        log: () => undefined,
      });
    const heads = async (): Promise<readonly string[]> => {
      const opened = await open();
      const found = Array.from(opened.documents.all, (row) => {
        const { bytes, ends } = opened.documents.heads;
        return bytes.toString('utf8', ends[row], ends[row + 1]);
      });
      const parquet = await opened.toParquet(['document_id'], opened.documents.all.subarray(0, 5));
      expect(parquet.subarray(0, 4).toString()).toBe('PAR1');
      opened.close();
      return found;
    };
    const before = await heads();
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE shuffled AS SELECT * FROM documents ORDER BY hash(document_id)');
    await connection.run('DELETE FROM documents');
    await connection.run('INSERT INTO documents SELECT * FROM shuffled');
    await connection.run('DROP TABLE shuffled');
    await connection.run('CHECKPOINT');
    connection.closeSync();
    instance.closeSync();
    const { createHash } = await import('node:crypto');
    const bytes = readFileSync(file);
    edit(at, (text) => {
      const manifest = JSON.parse(text) as { files: Record<string, { sha256: string; bytes: number }> };
      Object.assign(manifest.files['wcb.duckdb'] ?? {}, {
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      return JSON.stringify(manifest);
    });
    expect(await heads()).toEqual(before);
  });
});

const flip = (path: string): void => {
  const bytes = readFileSync(path);
  const at = bytes.length - 5000;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
};

const edit = (at: string, change: (text: string) => string): void => {
  const path = join(at, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
};
