/** Publishing to an object store and serving from it, against a real one: Ceph's S3 service, started for this file. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outputs, outputsIn } from '../../src/outputs.js';
import { entryPoint } from '../../src/package-root.js';
import { openMirror } from '../../src/serve/mirror.js';
import { serve } from '../../src/snapshot/history.js';
import type { Manifest } from '../../src/snapshot/manifest.js';
import { findCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { findStoredManifest, getPointer, listStored, readPointer, verifyStored } from '../../src/snapshot/stored.js';
import { pruneStored, rollbackStored } from '../../src/snapshot/stored-changes.js';
import { type Uploaded, uploadCurrent } from '../../src/snapshot/upload.js';
import { parseStoreAddress } from '../../src/store/address.js';
import type { ObjectStore } from '../../src/store/object-store.js';
import { openS3 } from '../../src/store/s3.js';
import { startCeph } from '../support/ceph.js';
import { openCutLine } from '../support/cut-line.js';
import { fintext, openRig } from '../support/fintext.js';
import { leaveOut } from '../support/left-out.js';
import { smallManifest } from '../support/manifest.js';
import { publish } from '../support/published.js';
import { temporaryFolder } from '../support/rig.js';
import { startService } from '../support/service.js';

const ceph = await startCeph();

if (typeof ceph === 'string') {
  leaveOut('publishing to an object store', ceph);
} else {
  // The client tells whoever runs Node 20 to leave it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const root = temporaryFolder();
  const { signal } = new AbortController();
  // Twenty publishers of one process listen to it.
  setMaxListeners(200, signal);
  const { environment } = ceph;
  const raw = new S3Client({
    endpoint: environment.AWS_ENDPOINT_URL ?? '',
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
  beforeAll(async () => {
    await raw.send(new CreateBucketCommand({ Bucket: 'tests' }));
  });
  afterAll(async () => {
    raw.destroy();
    await ceph.stop();
  });

  let worlds = 0;
  /** A prefix that nothing was published below. */
  const newAddress = (): string => {
    worlds += 1;
    return `s3://tests/world-${worlds}`;
  };
  const open = (
    address: string,
    env: Readonly<Record<string, string>> = environment,
    partBytes?: number,
  ): ObjectStore =>
    openS3({
      address: parseStoreAddress('publish', address),
      signal,
      environment: env,
      ...(partBytes === undefined ? {} : { partBytes }),
    });
  const through = (port: number): Readonly<Record<string, string>> => ({
    ...environment,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  });
  const overwrite = (address: string, key: string, body: string | Uint8Array): Promise<unknown> =>
    raw.send(
      new PutObjectCommand({ Bucket: 'tests', Key: `${address.slice('s3://tests/'.length)}/${key}`, Body: body }),
    );
  const read = async (address: string, key: string): Promise<Uint8Array> => {
    const Key = `${address.slice('s3://tests/'.length)}/${key}`;
    const { Body } = await raw.send(new GetObjectCommand({ Bucket: 'tests', Key }));
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  };

  const newOutputs = (): Outputs => {
    worlds += 1;
    return outputsIn(join(root, `outputs-${worlds}`));
  };
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

  /** Publishes here a snapshot whose id is made of its table; whatever else it holds is this machine's. */
  const publishHere = async (
    outputs: Outputs,
    table: string | Buffer,
    { minute, machine = 'a' }: { readonly minute: number; readonly machine?: string },
  ): Promise<string> => {
    const id = createHash('sha256').update(table).digest('hex').slice(0, 16);
    const folder = outputs.snapshot('wcb', id);
    mkdirSync(folder, { recursive: true });
    const files: Manifest['files'] = {};
    for (const [name, content] of [
      ['documents.parquet', table],
      ['wcb.duckdb', `database of ${machine}`],
      ['report.html', `<p>${machine}</p>`],
    ] as const) {
      writeFileSync(join(folder, name), content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      files[name] = { sha256, bytes: Buffer.byteLength(content), rows: null, in_id: name === 'documents.parquet' };
    }
    const manifest = smallManifest(id, at(minute), files);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await serve(outputs, 'wcb', { snapshot: id, at: at(minute), by: 'publish' });
    return id;
  };
  const upload = (store: ObjectStore, outputs: Outputs): Promise<Uploaded> =>
    uploadCurrent({ store, outputs, dataset: 'wcb', now: () => new Date(at(600)), random: Math.random, signal });
  const servedFrom = async (store: ObjectStore): Promise<readonly string[]> =>
    (await getPointer(store, 'wcb', signal)).history.map(({ snapshot }) => snapshot);
  const idsIn = async (store: ObjectStore): Promise<readonly string[]> =>
    (await listStored(store, 'wcb', signal)).map(({ id }) => id).sort();

  describe('publishing to an object store', () => {
    it('brings the files, the manifest and the pointer there, and nothing the second time', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      const id = await publishHere(outputs, 'one', { minute: 1 });
      expect(await upload(store, outputs)).toMatchObject({ snapshot: id, objects: 4, pointer: 'moved' });
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
      const local = readFileSync(join(outputs.snapshot('wcb', id), 'manifest.json'), 'utf8');
      expect((await findStoredManifest(store, 'wcb', id, signal))?.text).toBe(local);
      expect(await upload(store, outputs)).toMatchObject({ objects: 0, bytes: 0, pointer: 'there already' });
      expect(await servedFrom(store)).toEqual([id]);
    });

    it('twenty that publish the same at once end in one snapshot and one line of history', async () => {
      const [outputs, address] = [newOutputs(), newAddress()];
      const id = await publishHere(outputs, 'the same', { minute: 1 });
      const all = await Promise.all(Array.from({ length: 20 }, () => upload(open(address), outputs)));
      // An object is written by one of them: the other nineteen were refused it.
      expect(all.reduce((sum, { objects }) => sum + objects, 0)).toBe(4);
      expect(all.map(({ pointer }) => pointer).sort()).toEqual(['moved', ...Array(19).fill('there already')]);
      expect(await servedFrom(open(address))).toEqual([id]);
      expect(await verifyStored(open(address), 'wcb', id, signal)).toEqual([]);
    });

    it('of twenty that publish something else each at once, the latest is served, and none undoes a later one', async () => {
      const address = newAddress();
      const ids: string[] = [];
      const all = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const outputs = newOutputs();
          ids[n] = await publishHere(outputs, `number ${n}`, { minute: n, machine: `m${n}` });
          return upload(open(address), outputs);
        }),
      );
      const store = open(address);
      const { history } = await getPointer(store, 'wcb', signal);
      expect(history.at(-1)?.snapshot).toBe(ids[19]);
      expect(history.map((entry) => entry.at)).toEqual(history.map((entry) => entry.at).sort());
      const moved = all.filter(({ pointer }) => pointer === 'moved').map(({ snapshot }) => snapshot);
      expect(history.map(({ snapshot }) => snapshot).sort()).toEqual(moved.sort());
      for (const { pointer, by, snapshot } of all) {
        if (pointer === 'superseded') expect(ids.indexOf(by?.snapshot ?? '')).toBeGreaterThan(ids.indexOf(snapshot));
      }
      for (const id of moved) expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
    });

    it('an earlier run that ends late does not undo a later one, nor a rollback', async () => {
      const [early, late, store] = [newOutputs(), newOutputs(), open(newAddress())];
      const first = await publishHere(late, 'first', { minute: 1 });
      await upload(store, late);
      const old = await publishHere(early, 'early', { minute: 2 });
      const second = await publishHere(late, 'second', { minute: 3 });
      await upload(store, late);
      expect(await upload(store, early)).toMatchObject({ snapshot: old, pointer: 'superseded', objects: 0 });
      expect(await servedFrom(store)).toEqual([first, second]);
      const now = new Date(at(4));
      expect(await rollbackStored(store, 'wcb', { to: undefined, reason: 'wrong', now, signal })).toBe(first);
      expect(await upload(store, late)).toMatchObject({
        pointer: 'superseded',
        by: { by: 'rollback', reason: 'wrong' },
      });
      const third = await publishHere(late, 'third', { minute: 5 });
      expect(await upload(store, late)).toMatchObject({ pointer: 'moved' });
      expect(await servedFrom(store)).toEqual([first, second, first, third]);
    });

    it('two machines that made the same snapshot agree on the one that came first', async () => {
      const [a, b, store] = [newOutputs(), newOutputs(), open(newAddress())];
      const id = await publishHere(a, 'equal', { minute: 1, machine: 'a' });
      expect(await publishHere(b, 'equal', { minute: 2, machine: 'b' })).toBe(id);
      await upload(store, a);
      expect(await upload(store, b)).toMatchObject({ objects: 0 });
      expect((await findStoredManifest(store, 'wcb', id, signal))?.manifest.published_at).toBe(at(1));
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
    });

    it('an object that is there with another content is never written over, and one that is gone is put back', async () => {
      const [outputs, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const id = await publishHere(outputs, 'table', { minute: 1 });
      const key = `wcb/snapshots/${id}/documents.parquet`;
      await overwrite(address, key, 'somebody else was here');
      await expect(upload(store, outputs)).rejects.toThrow(
        /documents\.parquet is there with another content.*delete it/,
      );
      expect(Buffer.from(await read(address, key)).toString()).toBe('somebody else was here');
      expect(await servedFrom(store)).toEqual([]);
      await store.delete(key);
      await upload(store, outputs);
      await store.delete(key);
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual(['documents.parquet is missing']);
      expect(await upload(store, outputs)).toMatchObject({ objects: 1, pointer: 'there already' });
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
    });

    it('a file that was damaged here goes nowhere', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      const id = await publishHere(outputs, 'table', { minute: 1 });
      writeFileSync(join(outputs.snapshot('wcb', id), 'documents.parquet'), 'tabel');
      await expect(upload(store, outputs)).rejects.toThrow(/documents\.parquet is not what was published/);
      expect(await store.list('')).toEqual([]);
    });

    it('a store that ignores conditions is found out before anything is pointed to', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      await publishHere(outputs, 'table', { minute: 1 });
      for (const ignored of ['absent', 'etag'] as const) {
        // The same store, but for writing what it refuses.
        const careless: ObjectStore = {
          ...store,
          put: async (key, body, condition) => {
            const written = await store.put(key, body, condition);
            const isIgnored = condition === 'absent' ? ignored === 'absent' : ignored === 'etag';
            const there = await store.head(key);
            if (written !== undefined || !isIgnored || there === undefined) return written;
            return store.put(key, body, { etag: there.etag });
          },
        };
        await expect(upload(careless, outputs)).rejects.toThrow(
          ignored === 'absent' ? /ignores If-None-Match/ : /ignores If-Match/,
        );
      }
      expect(await servedFrom(store)).toEqual([]);
    });

    it('a pointer from the future stops whoever publishes, with both times', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      await publishHere(outputs, 'table', { minute: 1200 });
      await upload(store, outputs);
      await publishHere(outputs, 'later', { minute: 599 });
      await expect(upload(store, outputs)).rejects.toThrow(/2026-01-01T20:00:00.000Z, but here it is 2026-01-01T10:00/);
    });
  });

  describe('an upload that is cut off', () => {
    it('leaves no snapshot that anybody sees, wherever it is cut; the next one completes it', async () => {
      const address = newAddress();
      const [outputs, store, line] = [newOutputs(), open(address), await openCutLine(ceph.port)];
      const before = await publishHere(outputs, 'before', { minute: 1 });
      await upload(store, outputs);
      const table = Buffer.alloc(3_000_000, 'table');
      const id = await publishHere(outputs, table, { minute: 2 });
      // In the first request; in the middle of the table; right before the pointer, by the bytes of what is left then.
      for (const after of [100, 1_000_000, 3_004_000]) {
        line.set({ after, what: 'cut' });
        await expect(upload(open(address, through(line.port)), outputs)).rejects.toThrow(
          /s3:\/\/tests\/world-\d+\/.*run/i,
        );
        expect(await servedFrom(store)).toEqual([before]);
      }
      expect(await verifyStored(store, 'wcb', id, signal)).not.toEqual([]);
      line.set('whole');
      expect(await upload(open(address, through(line.port)), outputs)).toMatchObject({
        snapshot: id,
        pointer: 'moved',
      });
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
      expect(await servedFrom(store)).toEqual([before, id]);
      await line.close();
    }, 180_000);

    it('in parts is as invisible, keeps its condition, and leaves nothing behind', async () => {
      const address = newAddress();
      const [outputs, line] = [newOutputs(), await openCutLine(ceph.port)];
      const MiB = 1024 * 1024;
      const table = Buffer.alloc(11 * MiB + 7, 'the table is large ');
      const id = await publishHere(outputs, table, { minute: 1 });
      line.set({ after: 7 * MiB, what: 'cut' });
      await expect(upload(open(address, through(line.port), 5 * MiB), outputs)).rejects.toThrow(/documents\.parquet/);
      const store = open(address, environment, 5 * MiB);
      expect(await idsIn(store)).toEqual([]);
      const key = `wcb/snapshots/${id}/documents.parquet`;
      expect(await store.head(key)).toBeUndefined();
      // The line was down, so it could not say that it gave up.
      expect(await store.abandonUploads('wcb/', new Date(Date.now() - 3_600_000))).toEqual([]);
      expect(await store.abandonUploads('wcb/', new Date(Date.now() + 60_000))).toEqual([key]);

      await upload(store, outputs);
      expect(await verifyStored(store, 'wcb', id, signal)).toEqual([]);
      expect((await store.head(key))?.etag).toMatch(/-3$/);
      const path = join(outputs.snapshot('wcb', id), 'documents.parquet');
      const file = { path, bytes: table.length, sha256: '', md5: '', type: 'text/plain' };
      expect(await store.put(key, file, 'absent')).toBeUndefined();
      expect(await store.put(key, file, { etag: '0'.repeat(32) })).toBeUndefined();
      expect(await store.abandonUploads('wcb/', new Date(Date.now() + 60_000))).toEqual([]);
      await line.close();
    }, 180_000);

    it('what is left of it is pruned after a day, and snapshots beyond those that are kept', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      const ids: string[] = [];
      for (const minute of [1, 2, 3]) {
        ids.push(await publishHere(outputs, `night ${minute}`, { minute }));
        await upload(store, outputs);
      }
      const cutOff = `wcb/snapshots/${'a'.repeat(16)}/documents.parquet`;
      await store.put(cutOff, { text: 'rest', type: 'text/plain' }, 'absent');
      const soon = await pruneStored(store, 'wcb', { keep: 2, now: new Date(), signal });
      expect([soon.snapshots.map(({ id }) => id), soon.leftovers]).toEqual([ids.slice(0, 1), []]);
      await rollbackStored(store, 'wcb', { to: ids[1], reason: undefined, now: new Date(), signal });
      const tomorrow = new Date(Date.now() + 25 * 3_600_000);
      const later = await pruneStored(store, 'wcb', { keep: 1, now: tomorrow, signal });
      expect(later).toEqual({ snapshots: [], leftovers: [{ what: 'upload', path: cutOff, bytes: 4 }] });
      expect(await idsIn(store)).toEqual(ids.slice(1).sort());
    });
  });

  describe('a pointer that is gone', () => {
    it('keeps all snapshots from being pruned, until somebody points to one of them', async () => {
      const [outputs, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const ids: string[] = [];
      for (const minute of [1, 2]) {
        ids.push(await publishHere(outputs, `night ${minute}`, { minute }));
        await upload(store, outputs);
      }
      const [first = ''] = ids;
      await rollbackStored(store, 'wcb', { to: first, reason: undefined, now: new Date(), signal });
      await store.delete('wcb/history.jsonl');
      const pruning = { keep: 1, now: new Date(), signal };
      await expect(pruneStored(store, 'wcb', pruning)).rejects.toThrow(
        `/wcb/history.jsonl names no snapshot, so it is not known which one is the current one, and nothing was deleted. Point to one with fintext snapshots rollback --dataset wcb --published ${store.address} --to <id>: ${[...ids].reverse().join(', ')}.`,
      );
      expect(await idsIn(store)).toEqual([...ids].sort());
      await rollbackStored(store, 'wcb', { to: first, reason: undefined, now: new Date(), signal });
      await pruneStored(store, 'wcb', pruning);
      expect(await idsIn(store)).toContain(first);
    });
  });

  describe('a damaged pointer', () => {
    it('moves for nobody but who rolls back, and keeps what can be read of its history', async () => {
      const [outputs, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const first = await publishHere(outputs, 'first', { minute: 1 });
      await upload(store, outputs);
      const second = await publishHere(outputs, 'second', { minute: 2 });
      await upload(store, outputs);
      const text = Buffer.from(await read(address, 'wcb/history.jsonl')).toString();
      await overwrite(address, 'wcb/history.jsonl', `${text.slice(0, -30)}\n`);
      await publishHere(outputs, 'third', { minute: 3 });
      await expect(upload(store, outputs)).rejects.toThrow(/history\.jsonl is damaged.*fintext snapshots rollback/);
      const now = new Date(at(4));
      expect(await rollbackStored(store, 'wcb', { to: second, reason: undefined, now, signal })).toBe(second);
      expect(await servedFrom(store)).toEqual([first, second]);
    });

    it('is not moved by who read it before somebody else moved it', async () => {
      const [outputs, store] = [newOutputs(), open(newAddress())];
      const first = await publishHere(outputs, 'first', { minute: 1 });
      await upload(store, outputs);
      const second = await publishHere(outputs, 'second', { minute: 2 });
      // Another publishes between reading and writing.
      let isFirst = true;
      const slow: ObjectStore = {
        ...store,
        put: async (key, body, condition) => {
          if (isFirst && key.endsWith('history.jsonl')) {
            isFirst = false;
            await upload(store, outputs);
          }
          return store.put(key, body, condition);
        },
      };
      const now = new Date(at(3));
      await expect(rollbackStored(slow, 'wcb', { to: first, reason: undefined, now, signal })).rejects.toThrow(
        /Somebody moved .* just now/,
      );
      expect(await servedFrom(store)).toEqual([first, second]);
    });
  });

  describe('serving from an object store', () => {
    const wcb = (outputs: Outputs, documents: number, seed: number, minute: number): Promise<Manifest> =>
      publish({ outputs, dataset: 'wcb', documents, seed, point: false }).then(async (manifest) => {
        await serve(outputs, 'wcb', { snapshot: manifest.snapshot, at: at(minute), by: 'publish' });
        return manifest;
      });

    it('swaps to what is published, goes on answering for the one before, and refuses what is damaged', async () => {
      const [here, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const cache = outputsIn(join(root, `cache-${worlds}`));
      const first = await wcb(here, 20, 1, 1);
      await upload(store, here);

      const source = await openMirror({ store, outputs: cache, signal });
      const service = await startService(join(root, `service-${worlds}`), {
        outputs: cache,
        snapshots: { pollMs: 50, source },
      });
      const served = async (query = ''): Promise<unknown> => {
        const answer = await service.get(`/v1/metrics/wcb/documents?limit=1${query}`);
        const body = (await answer.json()) as { total?: number; detail?: string };
        return body.total ?? body.detail;
      };
      const ready = async () => {
        const answer = await service.get('/health/ready');
        return (await answer.json()) as {
          status: string;
          datasets: { id: string; snapshot: string; refused: unknown }[];
        };
      };
      const ofWcb = async () => (await ready()).datasets.find(({ id }) => id === 'wcb');
      try {
        expect(await served()).toBe(20);
        expect(await verifySnapshot(cache, 'wcb', first.snapshot)).toEqual([]);

        const second = await wcb(here, 21, 2, 2);
        await upload(store, here);
        await expect.poll(served, { timeout: 60_000 }).toBe(21);
        expect(await served(`&snapshot=${first.snapshot}`)).toBe(20);
        expect(await ofWcb()).toMatchObject({ snapshot: second.snapshot, refused: null });

        // One byte of the third becomes another one, for a machine that has not brought it yet.
        const third = await wcb(here, 22, 3, 3);
        const database = third.files['wcb.duckdb'];
        const key = `wcb/snapshots/${third.snapshot}/wcb.${database?.sha256}.duckdb`;
        const bytes = readFileSync(join(here.snapshot('wcb', third.snapshot), 'wcb.duckdb'));
        await upload(store, here);
        bytes[5000] = (bytes[5000] ?? 0) ^ 1;
        await overwrite(address, key, bytes);
        const other = outputsIn(join(root, `other-${worlds}`));
        const late = await openMirror({ store, outputs: other, signal });
        expect(await late.bringCurrent('wcb')).toMatchObject({
          state: 'refused',
          snapshot: third.snapshot,
          reason: 'wcb.duckdb is not what was published',
        });
        expect(await readdir(other.snapshots('wcb'))).toEqual([]);
        expect(await findCurrent(other, 'wcb')).toBeUndefined();
      } finally {
        await service.stop();
      }
    }, 180_000);

    it('a damaged snapshot is refused, logged and shown; the old one goes on, and the repaired one is taken', async () => {
      const [here, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const cache = outputsIn(join(root, `cache-${worlds}`));
      const first = await wcb(here, 20, 1, 1);
      await upload(store, here);
      let hold = false;
      const mirror = await openMirror({ store, outputs: cache, signal });
      const service = await startService(join(root, `service-${worlds}`), {
        outputs: cache,
        snapshots: {
          pollMs: 50,
          source: {
            ...mirror,
            // Looks away while the test damages what was published.
            bringCurrent: async (dataset) => (hold ? { state: 'here' } : mirror.bringCurrent(dataset)),
          },
        },
      });
      const state = async () => {
        const answer = await service.get('/health/ready');
        const body = (await answer.json()) as { status: string; datasets: { id: string }[] };
        return { status: body.status, ...body.datasets.find(({ id }) => id === 'wcb') };
      };
      try {
        expect(await state()).toMatchObject({ snapshot: first.snapshot, refused: null });
        hold = true;
        const second = await wcb(here, 22, 3, 3);
        await upload(store, here);
        const key = `wcb/snapshots/${second.snapshot}/wcb.${second.files['wcb.duckdb']?.sha256}.duckdb`;
        const good = readFileSync(join(here.snapshot('wcb', second.snapshot), 'wcb.duckdb'));
        const bad = Buffer.from(good);
        bad[5000] = (bad[5000] ?? 0) ^ 1;
        await overwrite(address, key, bad);
        hold = false;
        const refused = { snapshot: second.snapshot, reason: 'wcb.duckdb is not what was published' };
        await expect
          .poll(state, { timeout: 60_000 })
          .toMatchObject({ status: 'degraded', snapshot: first.snapshot, refused });
        const told = service.lines.filter(({ msg }) => msg === 'snapshot-refused');
        expect(told).toMatchObject([{ reason: `${address}: wcb.duckdb is not what was published` }]);
        expect((await (await service.get('/v1/metrics/wcb/documents')).json()) as object).toMatchObject({ total: 20 });
        await sleep(300);
        // Said once, however often it is looked at.
        expect(service.lines.filter(({ msg }) => msg === 'snapshot-refused')).toHaveLength(1);
        await store.delete(key);
        await upload(store, here);
        await expect.poll(state, { timeout: 60_000 }).toMatchObject({ snapshot: second.snapshot, refused: null });
      } finally {
        await service.stop();
      }
    }, 180_000);

    it('keeps the current snapshot and the lately used ones, and brings an older one when it is asked for', async () => {
      const [here, store] = [newOutputs(), open(newAddress())];
      const cache = newOutputs();
      const mirror = await openMirror({ store, outputs: cache, signal });
      expect(await mirror.bringCurrent('wcb')).toEqual({ state: 'unknown' });
      const ids: string[] = [];
      for (const minute of [1, 2, 3, 4, 5]) {
        ids.push(await publishHere(here, `night ${minute}`, { minute }));
        await upload(store, here);
        expect(await mirror.bringCurrent('wcb')).toMatchObject({ state: 'fetched', snapshot: ids.at(-1) });
        expect(await mirror.bringCurrent('wcb')).toEqual({ state: 'here' });
      }
      expect((await readdir(cache.snapshots('wcb'))).sort()).toEqual(ids.slice(2).sort());
      const [oldest = ''] = ids;
      expect(await Promise.all([mirror.bring('wcb', oldest), mirror.bring('wcb', oldest)])).toMatchObject([
        { state: 'fetched' },
        { state: 'fetched' },
      ]);
      expect(await verifySnapshot(cache, 'wcb', oldest)).toEqual([]);
      expect(await findCurrent(cache, 'wcb')).toBe(ids[4]);
      expect(await readdir(cache.snapshots('wcb'))).toContain(ids[4]);
      expect(await mirror.bring('wcb', 'f'.repeat(16))).toEqual({ state: 'unknown' });
    });

    it('goes on with what it has while the store cannot be reached, also when it is started again', async () => {
      const [here, address, cache] = [newOutputs(), newAddress(), newOutputs()];
      const line = await openCutLine(ceph.port);
      const { snapshot } = await wcb(here, 20, 1, 1);
      await upload(open(address), here);
      const remote = open(address, through(line.port));
      expect(await (await openMirror({ store: remote, outputs: cache, signal })).bringCurrent('wcb')).toMatchObject({
        state: 'fetched',
      });
      line.set({ after: 0, what: 'cut' });
      // Half brought by a process that is gone.
      mkdirSync(join(cache.snapshots('wcb'), `${'e'.repeat(16)}.999999999.00000000.tmp`));
      const source = await openMirror({ store: remote, outputs: cache, signal });
      const service = await startService(join(root, `service-${worlds}`), {
        outputs: cache,
        snapshots: { pollMs: 50, source },
      });
      try {
        expect(await (await service.get('/v1/metrics/wcb/documents?limit=1')).json()).toMatchObject({
          total: 20,
          snapshot,
        });
        const refused = { snapshot: '', reason: 'The store cannot be read; the log says why' };
        const ready = async () => (await service.get('/health/ready')).json();
        await expect.poll(ready, { timeout: 60_000 }).toMatchObject({
          status: 'degraded',
          datasets: expect.arrayContaining([expect.objectContaining({ id: 'wcb', snapshot, refused })]),
        });
        expect(String(source.fault())).toMatch(/s3:\/\/tests\/.* broke off/);
        line.set('whole');
        await expect.poll(ready, { timeout: 60_000 }).toMatchObject({
          datasets: expect.arrayContaining([expect.objectContaining({ id: 'wcb', snapshot, refused: null })]),
        });
        expect(await readdir(cache.snapshots('wcb'))).toEqual([snapshot]);
      } finally {
        await service.stop();
        await line.close();
      }
    }, 180_000);

    it('a manifest that names files outside of its folder is refused', async () => {
      const [here, address] = [newOutputs(), newAddress()];
      const store = open(address);
      const id = await publishHere(here, 'table', { minute: 1 });
      await upload(store, here);
      const key = `wcb/snapshots/${id}/manifest.json`;
      const text = Buffer.from(await read(address, key)).toString();
      await overwrite(address, key, text.replace('report.html', '../../../report.html'));
      const cache = newOutputs();
      const mirror = await openMirror({ store, outputs: cache, signal });
      expect(await mirror.bringCurrent('wcb')).toMatchObject({ state: 'refused', snapshot: id });
      expect(await readdir(cache.folder).catch(() => [])).toEqual([]);
    });
  });

  describe('what goes wrong on the way to the store', () => {
    const WRONG: readonly (readonly [string, string, Readonly<Record<string, string>>, RegExp])[] = [
      [
        'a wrong key',
        's3://tests/x',
        { AWS_ACCESS_KEY_ID: 'NOBODY' },
        /does not know this access key: check AWS_ACCESS/,
      ],
      [
        'a wrong secret',
        's3://tests/x',
        { AWS_SECRET_ACCESS_KEY: 'no' },
        /not this secret: check AWS_SECRET_ACCESS_KEY/,
      ],
      ['no bucket', 's3://nowhere/x', {}, /no bucket nowhere at http:\/\/127\.0\.0\.1:\d+\. Create it/],
      ['no permission', 's3://tests/x', ceph.stranger, /is not allowed to this access key: it needs s3:ListBucket/],
      [
        'nobody listens',
        's3://tests/x',
        { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
        /cannot be reached: check AWS_END/,
      ],
      [
        'no such name',
        's3://tests/x',
        { AWS_ENDPOINT_URL: 'http://s3.invalid' },
        /cannot be reached: check AWS_ENDPOINT/,
      ],
      [
        'no TLS',
        's3://tests/x',
        { AWS_ENDPOINT_URL: environment.AWS_ENDPOINT_URL?.replace('http:', 'https:') ?? '' },
        /http:\/\/ or https:\/\//,
      ],
      [
        'no credentials',
        's3://tests/x',
        { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
        /needs credentials: set AWS_/,
      ],
    ];

    it.each(WRONG)('%s is said with the place and the next step', async (_what, address, wrong, words) => {
      const store = open(address, { ...environment, ...wrong });
      const error: unknown = await readPointer(store, 'wcb', { signal }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'StoreError' });
      expect(String(error)).toContain(`${address}/wcb/history.jsonl`);
      expect(String(error)).toMatch(words);
      expect(String(error)).not.toContain('SECRETpublisher');
    });

    it('a clock that is wrong by hours is named, and nothing is written by it', async () => {
      const [outputs, address] = [newOutputs(), newAddress()];
      const store = open(address);
      for (const minute of [1, 2]) {
        await publishHere(outputs, `night ${minute}`, { minute });
        await upload(store, outputs);
      }
      const before = await servedFrom(store);
      const late = `const N=Date,D=class extends N{constructor(...a){super(...(a.length?a:[N.now()+18e6]))}static now(){return N.now()+18e6}};globalThis.Date=D`;
      const ended = await fintext(['snapshots', 'rollback', '--dataset', 'wcb', '--published', address], {
        env: { ...environment, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(late)}` },
      });
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/set its clock \(NTP\); it is \d{4}-/)]);
      expect(await servedFrom(store)).toEqual(before);
    });
  });

  describe('the commands', () => {
    it('publish on one machine, serve on another, roll back, and go on after a kill', async () => {
      const address = newAddress();
      const line = await openCutLine(ceph.port);
      const rig = await openRig();
      const env = { ...environment, FINTEXT_WORKERS: '2' };
      const rebuild = (...more: readonly string[]): readonly string[] => [
        ...['rebuild', '--dataset', 'wcb', '--input', rig.input, '--publish', address],
        ...more,
      ];
      try {
        const made = await rig.run(rebuild(), { env });
        expect(made.stderr).toMatch(new RegExp(`Brought [0-9a-f]{16} to ${address}, which serves it now \\(8 objects`));
        const first = await rig.current('wcb');

        const child = spawn(
          process.execPath,
          [
            entryPoint('src/cli/fintext'),
            ...['serve', '--port', '0', '--published', address],
            ...['--outputs', join(rig.folder, 'elsewhere'), '--accounts', join(rig.folder, 'accounts.db')],
          ],
          { env: { ...process.env, ...env, FINTEXT_DEVICE: 'cpu' }, stdio: ['ignore', 'pipe', 'pipe'] },
        );
        let log = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          log += text;
        });
        const at = await new Promise<string>((resolve, reject) => {
          child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
          child.once('exit', () => reject(new Error(log)));
        });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        const servedNow = async (): Promise<unknown> => {
          const answer = await fetch(`${at}/health/ready`);
          const { datasets } = (await answer.json()) as { datasets: { id: string; snapshot: string }[] };
          return datasets.find(({ id }) => id === 'wcb')?.snapshot;
        };
        expect(await servedNow()).toBe(first);

        // The next night is killed in the middle of its upload.
        line.set({ after: 600_000, what: 'hold' });
        const killed = await rig.run(rebuild('--uncertainty', 'net'), {
          env: { ...env, ...through(line.port) },
          watch: (_stderr, process) => {
            void line.broken().then(() => process.kill('SIGKILL'));
          },
        });
        expect(killed.signal).toBe('SIGKILL');
        const second = await rig.current('wcb');
        expect(second).not.toBe(first);
        const store = open(address);
        expect(await idsIn(store)).toEqual([first]);
        expect(await servedNow()).toBe(first);

        const resumed = await rig.run(rebuild('--uncertainty', 'net'), { env });
        expect(resumed.stderr).toContain(`Brought ${second} to ${address}`);
        await expect.poll(servedNow, { timeout: 60_000 }).toBe(second);

        const snapshots = (...args: readonly string[]) =>
          fintext(['snapshots', ...args, '--dataset', 'wcb', '--published', address], { env });
        const listed = await snapshots('list', '--json');
        expect(
          listed.stdout
            .trim()
            .split('\n')
            .map((text) => (JSON.parse(text) as { snapshot: string }).snapshot),
        ).toEqual([second, first]);
        expect((await snapshots('verify')).stdout).toBe(`${second} whole (current)\n${first} whole\n`);
        expect((await snapshots('diff')).stdout).toMatch(/uncertainty .*formula \(21\)/);
        expect((await snapshots('rollback', '--reason', 'a try')).stdout).toContain(
          `wcb now serves ${first} from ${address}`,
        );
        await expect.poll(servedNow, { timeout: 60_000 }).toBe(first);
        expect((await snapshots('history')).stdout).toMatch(new RegExp(`→ .* ${first} {2}rollback: a try\n$`));
        expect((await snapshots('prune', '--keep', '1')).stdout).toBe('Nothing to delete.\n');

        child.kill('SIGTERM');
        expect(await ended).toBe(0);
        // The store is gone: publishing there fails, here it does not; and with nothing brought, nothing can be served.
        const nobody = { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
        const failed = await rig.run(rebuild('--uncertainty', 'net'), { env: nobody });
        expect([failed.code, failed.stderr]).toEqual([
          1,
          expect.stringContaining('wcb is published here, but not brought to'),
        ]);
        rmSync(join(rig.folder, 'elsewhere'), { recursive: true });
        const nothing = await fintext(
          [
            ...['serve', '--port', '0', '--published', address, '--log', 'quiet'],
            ...['--outputs', join(rig.folder, 'elsewhere'), '--accounts', join(rig.folder, 'accounts.db')],
          ],
          { env: nobody },
        );
        expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('cannot be reached')]);
      } finally {
        await line.close();
        await rig.close();
      }
    }, 400_000);
  });
}
