/** Lists of documents read from kept rows beside the same lists put together: they are the same answers. */
import { Agent, type IncomingMessage, get as request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CENTRAL_BANKS } from '../../../data/catalog.js';
import { metricsOf } from '../../../pipeline/4-aggregate/metrics.js';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));
let reading: Running;
let making: Running;

const settled = async ({ lines }: Running, snapshots: number): Promise<void> => {
  while (lines.filter(({ msg }) => msg === 'rows-kept').length < snapshots) await sleep(10);
};

beforeAll(async () => {
  await publish({ outputs, dataset: 'wcb', documents: 3000, seed: 4, counts: 'drawn' });
  await publish({ outputs, dataset: 'earnings', documents: 12_000, seed: 4, counts: 'drawn' });
  reading = await startService(folder, { outputs, limits: { blocks: 3 } });
  making = await startService(folder, { outputs, snapshots: { rows: 'made' }, limits: { blocks: 0 } });
  await settled(reading, 2);
});

afterAll(async () => {
  await reading.stop();
  await making.stop();
});

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An answer as it comes over the wire; its reader may be slow. */
const ask = (
  { address, key }: Running,
  path: string,
  { pauseMs = 0, agent = false }: { readonly pauseMs?: number; readonly agent?: Agent | false } = {},
): Promise<Got> =>
  new Promise((resolve, reject) => {
    request(`${address}${path}`, { agent, headers: { 'x-api-key': key } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if (pauseMs === 0) return;
        response.pause();
        setTimeout(() => response.resume(), pauseMs);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });

const told = ({ headers }: Got): unknown[] =>
  ['etag', 'content-type', 'link', 'x-total-count', 'x-snapshot', 'cache-control', 'vary'].map((name) => headers[name]);

const same = async (path: string): Promise<void> => {
  const [read, made] = await Promise.all([ask(reading, path), ask(making, path)]);
  expect([path, read.status, told(read)]).toEqual([path, 200, told(made)]);
  expect(read.body.equals(made.body), path).toBe(true);
};

const limit = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(1, 250, 251, 1000, 10_000));
const offset = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_500 }));
const names = metricsOf('earnings', { uncertainty: 'ratio' }).map(({ name }) => name);
const metric = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 4 },
  { arbitrary: fc.constantFrom(...names), weight: 1 },
  { arbitrary: fc.constant(names.join(',')), weight: 1 },
);
const year = fc.constantFrom(undefined, '2008', '2009,2011', '2012', '2020');
const day = fc.constantFrom(undefined, '2009-05-01', '2010-02-11', '2011-12-31');
const question = fc.oneof(
  fc
    .record({ limit, offset, metric, year, quarter: fc.constantFrom(undefined, '1', '2,3'), start_date: day })
    .map((query) => ['earnings', query] as const),
  fc
    .record({ limit, offset, year, bank_name: fc.constantFrom(undefined, ...CENTRAL_BANKS), end_date: day })
    .map((query) => ['wcb', query] as const),
);

const pathOf = ([dataset, query]: readonly [string, Readonly<Record<string, unknown>>]): string => {
  const stated = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `/v1/metrics/${dataset}/documents?${stated.join('&')}`;
};

describe('a list from kept rows', () => {
  it('is, byte for byte, the one that is put together, for any filter and page', async () => {
    await fc.assert(
      fc.asyncProperty(question, (asked) => same(pathOf(asked))),
      { numRuns: 80 },
    );
  });

  it('tells its length, and is the same compressed', async () => {
    const path = '/v1/metrics/earnings/documents?limit=1000&offset=777';
    const plain = await ask(reading, path);
    expect(plain.headers['content-length']).toBe(String(plain.body.length));
    for (const encoding of ['gzip', 'br']) {
      const response = await reading.get(path, { 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(Buffer.from(await response.arrayBuffer()).equals(plain.body)).toBe(true);
    }
  });

  it('is nobody else’s: many at once, of fast and slow readers and those who go away, each get their own', async () => {
    const paths = Array.from({ length: 24 }, (_, at) => `/v1/metrics/earnings/documents?limit=1000&offset=${at * 450}`);
    const wanted = [];
    for (const path of paths) wanted.push((await ask(making, path)).body);
    for (let round = 0; round < 2; round += 1) {
      const leaving = paths.map(leave);
      const got = await Promise.all(paths.map((path, at) => ask(reading, path, { pauseMs: at % 3 === 0 ? 1 : 0 })));
      for (const [at, { body }] of got.entries()) expect(body.equals(wanted[at] ?? Buffer.of()), paths[at]).toBe(true);
      await Promise.all(leaving);
    }
    // Every block came back: an answer that has none comes in pieces, without its length.
    await expect
      .poll(async () => (await ask(reading, paths[0] ?? '')).headers['content-length'])
      .toBe(String(wanted[0]?.length));
  });

  it('of requests behind one another on a connection that breaks gives its memory back', async () => {
    const path = '/v1/metrics/earnings/documents?limit=1000';
    for (let round = 0; round < 4; round += 1) {
      const { hostname, port } = new URL(reading.address);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${reading.key}\r\n\r\n`.repeat(5)),
        );
        socket.once('data', () => socket.destroy());
        socket.once('close', () => resolve());
      });
    }
    await expect.poll(async () => (await ask(reading, path)).headers['content-length']).toBeDefined();
  });

  /** Asks, and hangs up before the answer comes, or meanwhile. */
  const leave = (path: string, at: number): Promise<void> =>
    new Promise((resolve) => {
      const asked = request(`${reading.address}${path}`, { agent: false, headers: { 'x-api-key': reading.key } });
      if (at % 2 === 0) asked.on('response', (response) => response.once('data', () => response.destroy()));
      else setTimeout(() => asked.destroy(), at * 3);
      asked.on('error', () => undefined);
      asked.on('close', () => resolve());
    });
});

describe('a summary', () => {
  it('does not wait for the lists that were asked for before it', async () => {
    let left = 40;
    // Connections that are open already: of new ones a turn accepts only one.
    const agent = new Agent({ keepAlive: true, maxSockets: left + 1 });
    await Promise.all(Array.from({ length: left + 1 }, () => ask(reading, '/v1/metrics', { agent })));
    const lists = Array.from({ length: left }, async (_, at) => {
      await ask(reading, `/v1/metrics/earnings/documents?limit=1000&offset=${at * 100}`, { agent });
      left -= 1;
    });
    await ask(reading, '/v1/metrics/earnings/summary?quarter=2', { agent });
    const waiting = left;
    await Promise.all(lists);
    agent.destroy();
    expect(waiting).toBeGreaterThan(10);
  });
});

describe('when its snapshot is replaced', () => {
  it('a long list that is half read goes on, byte for byte', async () => {
    const own = outputsIn(join(folder, 'own'));
    await publish({ outputs: own, dataset: 'earnings', documents: 12_000, seed: 4, counts: 'drawn' });
    const service = await startService(join(folder, 'own'), {
      outputs: own,
      snapshots: { pollMs: 25, keepOpen: 0 },
    });
    await settled(service, 1);
    const path = '/v1/metrics/earnings/documents?limit=10000';
    const whole = (await ask(service, path)).body;
    const slow = ask(service, path, { pauseMs: 3 });
    await publish({ outputs: own, dataset: 'earnings', documents: 20, seed: 5 });
    await expect.poll(() => service.lines.some(({ msg }) => msg === 'snapshot-closed'), { timeout: 30_000 }).toBe(true);
    expect((await slow).body.equals(whole)).toBe(true);
    expect(service.lines.filter(({ msg }) => msg === 'rows-not-kept')).toEqual([]);
    await service.stop();
  });
});
