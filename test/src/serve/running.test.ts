import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { fakeClassifier, type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));

beforeAll(async () => {
  await publish({ outputs, dataset: 'earnings', documents: 12_000, seed: 3, counts: 'drawn' });
});

const infer = (service: Running, text: string): Promise<Response> =>
  service.post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances: [{ text }] });

/** Waits until that many texts are being classified. */
const arrived = async ({ server }: Running, texts: number): Promise<void> => {
  while (server.service.inference.state().texts < texts) await sleep(5);
};

describe('stopping', () => {
  it('answers what is under way, takes nothing new, and gives nothing up', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((done) => {
      release = done;
    });
    const service = await startService(folder, { outputs, openClassifier: async () => fakeClassifier(() => gate) });
    const waiting = [infer(service, 'a'), infer(service, 'b')];
    await arrived(service, 2);
    const stopped = service.stop();
    await sleep(100);
    await expect(fetch(`${service.address}/health/live`)).rejects.toThrow();
    release();
    for (const response of await Promise.all(waiting)) {
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ model_id: 'cb_oil_relevancy' });
    }
    await stopped;
  });

  it('ends with an answer of ten thousand rows that is half read', async () => {
    const service = await startService(folder, { outputs });
    const response = await service.get('/v1/metrics/earnings/documents?limit=10000', { 'accept-encoding': 'identity' });
    const stopped = service.stop();
    const body = (await response.json()) as { documents: unknown[] };
    expect(body.documents).toHaveLength(10_000);
    await stopped;
  });

  it('drops what does not end in time', async () => {
    const service = await startService(folder, {
      outputs,
      limits: { drainMs: 200 },
      openClassifier: async () => fakeClassifier(() => sleep(1500)),
    });
    const waiting = infer(service, 'a').then(
      () => 'answered',
      () => 'dropped',
    );
    await arrived(service, 1);
    await service.stop();
    expect(await waiting).toBe('dropped');
  });
});

describe('slow readers', () => {
  let service: Running;
  beforeAll(async () => {
    service = await startService(folder, { outputs });
  });
  afterAll(() => service.stop());

  it.each(['csv', 'json', 'arrow'])('16 of 10,000 rows as %s hold little memory and get every byte', async (format) => {
    const path = `/v1/metrics/earnings/documents?limit=10000&format=${format}`;
    const whole = Buffer.from(await (await service.get(path, { 'accept-encoding': 'identity' })).arrayBuffer());
    expect(whole.length).toBeGreaterThan(5_000_000);
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 10);
    const sizes = await Promise.all(Array.from({ length: 16 }, () => readSlowly(path)));
    clearInterval(watch);
    expect(sizes).toEqual(new Array(16).fill(whole.length));
    // 16 whole answers would be far more.
    expect(most).toBeLessThan(Math.min(400_000_000, whole.length * 16 * 0.8));
  });

  it('of Arrow get it in batches, between which others have their turn, and the rows of the list', async () => {
    const query = '/v1/metrics/earnings/documents?limit=10000&metric=ec_growth_metric,ec_in_claim_given_cyber';
    const { documents } = (await (await service.get(query)).json()) as { documents: Record<string, unknown>[] };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    const response = await service.get(`${query}&format=arrow`, { 'accept-encoding': 'identity' });
    const bytes = Buffer.from(await response.arrayBuffer());
    clearInterval(timer);
    const table = tableFromIPC(bytes);
    expect(table.batches.map(({ numRows }) => numRows)).toEqual(new Array(40).fill(250));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(Object.keys(documents[0] ?? {}));
    const columns = ['document_id', 'year', 'quarter', 'ec_growth_metric', 'ec_in_claim_given_cyber'];
    const found = table.toArray().map((row) => columns.map((name) => row?.[name] ?? null));
    expect(found).toEqual(documents.map((document) => columns.map((name) => document[name])));
    expect(found.some((row) => row.includes(null))).toBe(true);
    // The last batch is followed by the end of the stream, once.
    expect(bytes.readBigUInt64LE(bytes.length - 8)).toBe(0xffff_ffffn);
    expect(turns).toBeGreaterThan(5);
  });

  it('leave others their answers', async () => {
    const slow = readSlowly('/v1/metrics/earnings/documents?limit=10000');
    const started = performance.now();
    for (let turn = 0; turn < 20; turn += 1) expect((await service.get('/v1/models')).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(3000);
    await slow;
  });

  /** Reads an answer with pauses, on its own connection; the bytes of the body. */
  const readSlowly = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.address);
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.0\r\nHost: a\r\nx-api-key: ${service.key}\r\n\r\n`),
      );
      let bytes = 0;
      let reads = 0;
      let header: number | undefined;
      socket.on('data', (piece: Buffer) => {
        if (header === undefined) header = piece.indexOf('\r\n\r\n') + 4;
        bytes += piece.length;
        reads += 1;
        if (reads % 100 === 1) {
          socket.pause();
          setTimeout(() => socket.resume(), 15);
        }
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(bytes - (header ?? 0)));
    });
});
