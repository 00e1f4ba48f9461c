import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));
let service: Running;

beforeAll(async () => {
  await publish({ outputs, dataset: 'wcb', documents: 40, seed: 1 });
  service = await startService(folder, {
    outputs,
    limits: {
      bodyBytes: 1000,
      bodiesBytes: 3000,
      accountBodiesBytes: 2000,
      headersMs: 400,
      requestMs: 1200,
      overdueMs: 100,
    },
  });
});

afterAll(() => service.stop());

interface Opened {
  readonly socket: Socket;
  /** What came, once the connection has ended, and after how many milliseconds. */
  readonly ended: Promise<{ readonly answer: string; readonly ms: number }>;
}

/** Sends bytes that are no whole request and waits. */
const open = (bytes: string, { address }: Running = service): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const started = performance.now();
    let answer = '';
    const socket = connect(Number(port), hostname);
    const ended = new Promise<{ answer: string; ms: number }>((done) => {
      socket.on('close', () => done({ answer, ms: performance.now() - started }));
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', reject);
    socket.on('connect', () => socket.write(bytes, () => resolve({ socket, ended })));
  });

const beginning = (key: string, length: string): string =>
  `POST /v1/models/infer HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

const ONE = { model_id: 'cb_oil_relevancy', instances: [{ text: 'a' }] };
const FULL = JSON.stringify({ ...ONE, more: 'x'.repeat(900) }).padEnd(1000);

describe('a sender that takes its time', () => {
  it.each([
    ['sends nothing', ''],
    ['does not end its headers', 'GET /v1/models HTTP/1.1\r\nHost: a\r\n'],
  ])('and %s is told so and dropped', async (_, bytes) => {
    const { answer, ms } = await (await open(bytes)).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\{"detail":"The request took too long to arrive"\}$/s);
    expect(ms).toBeGreaterThan(350);
    expect(ms).toBeLessThan(5000);
  });

  it('and does not end its body is dropped', async () => {
    const { answer, ms } = await (await open(`${beginning(service.key, 'Content-Length: 500')}{"model`)).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeGreaterThan(1100);
    expect(ms).toBeLessThan(6000);
  });
});

describe('bodies that are under way', () => {
  it.each([
    ['a length', 'Content-Length: 1000'],
    ['no length', 'Transfer-Encoding: chunked'],
  ])('and tell %s have room of one account and of all; beyond it 503, which is not counted', async (_, length) => {
    const [own, other] = [await service.newKey(), await service.newKey()];
    const ask = async (key: string): Promise<number> =>
      (await service.post('/v1/models/infer', FULL, { 'x-api-key': key })).status;
    const used = async (key: string): Promise<number> => {
      const { quota } = (await (await service.get('/v1/usage/me', { 'x-api-key': key })).json()) as {
        readonly quota: { readonly used: number };
      };
      return quota.used;
    };
    expect(await ask(own)).toBe(200);

    const first = [await open(beginning(own, length)), await open(beginning(own, length))];
    // Their headers have been read when they are counted.
    await expect.poll(() => used(own)).toBe(3);
    const refused = await service.post('/v1/models/infer', FULL, { 'x-api-key': own });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await used(own)).toBe(3);
    expect(await ask(other)).toBe(200);

    const third = await open(beginning(other, length));
    await expect.poll(() => used(other)).toBe(2);
    expect(await ask(await service.newKey())).toBe(503);

    for (const { socket } of [...first, third]) socket.destroy();
    await expect.poll(() => ask(own)).toBe(200);
    expect(await ask(other)).toBe(200);
  });

  it('behind one another on a connection that breaks give back what they held', async () => {
    const own = await service.newKey();
    const request = `${beginning(own, 'Content-Length: 1000')}${FULL}`;
    for (let round = 0; round < 3; round += 1) {
      const { socket, ended } = await open(request.repeat(2));
      socket.destroy();
      await ended;
    }
    const ask = async (): Promise<number> =>
      (await service.post('/v1/models/infer', FULL, { 'x-api-key': own })).status;
    await expect.poll(async () => Promise.all([ask(), ask()])).toEqual([200, 200]);
  });
});

describe('answers that nobody reads', () => {
  let small: Running;
  beforeAll(async () => {
    const many = outputsIn(join(folder, 'many'));
    await publish({ outputs: many, dataset: 'earnings', documents: 12_000, seed: 3, counts: 'drawn' });
    const limits = { blocks: 1, answersBytes: 6_000_000, accountAnswersBytes: 4_000_000 };
    small = await startService(join(folder, 'many'), { outputs: many, limits });
  });
  afterAll(() => small.stop());

  const PAGE = '/v1/metrics/earnings/documents?limit=10000';

  /** Asks, reads the first bytes, and no more. */
  const ask = async (key: string, format: string): Promise<{ readonly socket: Socket; readonly status: number }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(small.address);
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET ${PAGE}&format=${format} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`);
      });
      socket.on('error', reject);
      socket.once('data', (first: Buffer) => {
        socket.pause();
        resolve({ socket, status: Number(first.toString('latin1').split(' ')[1]) });
      });
    });

  it.each(['arrow', 'csv', 'json'])(
    'as %s take the room of one account and of all; beyond it 503, which is not counted, and small answers go on',
    async (format) => {
      const [own, other] = [await small.newKey(), await small.newKey()];
      const sockets: Socket[] = [];
      const fill = async (key: string): Promise<number> => {
        for (let answers = 0; ; answers += 1) {
          const { socket, status } = await ask(key, format);
          sockets.push(socket);
          if (status === 503) return answers;
          expect([status, answers < 200]).toEqual([200, true]);
        }
      };
      const mine = await fill(own);
      expect(mine).toBeGreaterThan(1);
      const refused = await small.get(`${PAGE}&format=${format}`, { 'x-api-key': own });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      expect(((await refused.json()) as { detail: string }).detail).toMatch(/^Too many answers are waiting to be read/);
      const usage = await small.get('/v1/usage/me', { 'x-api-key': own });
      expect(await usage.json()).toMatchObject({ quota: { used: mine } });

      const theirs = await fill(other);
      expect(theirs).toBeGreaterThan(0);
      expect(theirs).toBeLessThan(mine);
      expect((await small.get('/v1/metrics/earnings/documents?limit=5', { 'x-api-key': own })).status).toBe(200);

      for (const socket of sockets) socket.destroy();
      const again = async (): Promise<number> => {
        const { socket, status } = await ask(own, format);
        socket.destroy();
        return status;
      };
      await expect.poll(again).toBe(200);
    },
  );

  it('as Parquet have their room before they are made', async () => {
    const key = await small.newKey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await small.get(`${PAGE}&format=parquet`, { 'x-api-key': key });
        return [response.status, (await response.arrayBuffer()).byteLength] as const;
      }),
    );
    const made = answers.filter(([status]) => status === 200);
    expect(answers.filter(([status]) => status === 503).length).toBe(8 - made.length);
    expect([made.length > 0, made.length < 8]).toEqual([true, true]);
    expect(Math.min(...made.map(([, bytes]) => bytes))).toBeGreaterThan(1_000_000);
    await expect.poll(async () => (await small.get(`${PAGE}&format=parquet`, { 'x-api-key': key })).status).toBe(200);
  });
});

describe('questions to the database', () => {
  it('wait in a bounded queue; beyond it 503 with Retry-After', async () => {
    const id = (
      (await (await service.get('/v1/metrics/wcb/documents?limit=1')).json()) as {
        documents: { document_id: string }[];
      }
    ).documents[0]?.document_id;
    const path = `/v1/metrics/wcb/documents/${id}/sentences`;
    const answers = await Promise.all(Array.from({ length: 600 }, () => service.get(path)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(250);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await service.get(path)).status).toBe(200);
  });
});

describe('connections', () => {
  it('beyond the most are closed, and those that are open go on', async () => {
    const few = await startService(join(folder, 'few'), { outputs, limits: { connections: 2 } });
    const kept = [await open('GET /health/live HTTP/1.1\r\nHost: a\r\n', few), await open('GET', few)];
    const { answer } = await (await open('', few)).ended;
    expect(answer).toBe('');
    kept[0]?.socket.write('Connection: close\r\n\r\n');
    expect((await kept[0]?.ended)?.answer).toMatch(/^HTTP\/1\.1 200 /);
    kept[1]?.socket.destroy();
    await few.stop();
  });
});
