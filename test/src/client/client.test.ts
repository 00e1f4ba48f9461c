import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, type Client, createClient, type Document, IncompleteError } from '../../../src/client/index.js';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));
let service: Running;
let client: Client;

beforeAll(async () => {
  await publish({ outputs, dataset: 'wcb', documents: 120, seed: 1 });
  await publish({ outputs, dataset: 'earnings', documents: 120, seed: 1 });
  service = await startService(folder, { outputs });
  client = createClient({ baseUrl: `${service.address}/`, apiKey: service.key });
});

afterAll(() => service.stop());

describe('the client', () => {
  it('reaches every endpoint', async () => {
    expect((await client.models()).total).toBe(14);
    expect((await client.infer('cb_oil_relevancy', ['a', 'b'])).predictions).toHaveLength(2);
    const [scored] = (await client.infer('cb_oil_relevancy', ['a'], { scores: 'with' })).predictions;
    expect(scored).toMatchObject({ score: 0.75, truncated: false });
    expect((await client.usage({ days: 3 })).period_days).toBe(3);
    expect((await client.datasets()).datasets.map(({ id }) => id)).toEqual(['wcb', 'earnings']);
    const { documents } = await client.documents('earnings', { ticker: ['T0000', 'T0001'], quarter: 2, limit: 3 });
    expect(documents).toHaveLength(3);
    const id = documents[0]?.document_id ?? '';
    expect((await client.document('earnings', id)).document.document_id).toBe(id);
    const { sentences } = await client.sentences('earnings', id, { model: 'ec_growth', limit: 2 });
    expect(Object.keys(sentences[0]?.labels ?? {})).toEqual(['ec_growth']);
    expect((await client.summary('wcb', { metric: ['stance', 'uncertainty'] })).summary).toHaveLength(2);
    expect((await client.coverage('wcb')).by).toBe('bank_name');
    const csv = await client.download('wcb', 'csv', { metric: 'stance', limit: 1 });
    expect(new TextDecoder().decode(csv)).toMatch(/^document_id,.*stance\r\n/);
  });

  it('reads all documents page by page from one snapshot, whatever is published meanwhile', async () => {
    const found: Document[] = [];
    let published = false;
    for await (const document of client.allDocuments('wcb', { limit: 25, metric: 'stance' })) {
      found.push(document);
      if (!published) {
        published = true;
        await publish({ outputs, dataset: 'wcb', documents: 77, seed: 9 });
        await service.server.service.snapshots.look();
      }
    }
    expect(found).toHaveLength(120);
    expect(new Set(found.map(({ document_id: id }) => id)).size).toBe(120);
    expect((await client.documents('wcb')).total).toBe(77);
  });

  it('throws what the service says is wrong, at once', async () => {
    const error: unknown = await client.documents('wcb', { year: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      detail: expect.stringContaining('year'),
      requestId: expect.any(String),
    });
    for (const id of ['a/b?c', '', '.', '..']) {
      const failure = { status: 404, detail: `Document not found: ${id}` };
      await expect(client.document('wcb', id)).rejects.toMatchObject(failure);
      await expect(client.sentences('wcb', id)).rejects.toMatchObject(failure);
    }
  });
});

describe('a download', () => {
  const answering = (total: number) => {
    const asked: string[] = [];
    const answeringClient = createClient({
      baseUrl: 'http://x',
      apiKey: 'k',
      fetch: async (address) => {
        asked.push(String(address));
        return new Response('rows', { headers: { 'x-total-count': String(total) } });
      },
    });
    return { answeringClient, asked };
  };

  it('holds every document that meets the filters, also where there are more than a list has by itself', async () => {
    const { answeringClient, asked } = answering(10_000);
    expect(new TextDecoder().decode(await answeringClient.download('wcb', 'csv', { year: [2022, 2023] }))).toBe('rows');
    expect(asked).toEqual(['http://x/v1/metrics/wcb/documents?year=2022,2023&limit=10000&format=csv']);
  });

  it('of more documents than one file holds is an error that says so, and no part of them', async () => {
    const error: unknown = await answering(10_001)
      .answeringClient.download('earnings', 'parquet')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IncompleteError);
    expect(error).toMatchObject({ total: 10_001, received: 10_000 });
    expect(String(error)).toMatch(/earnings: 10001 documents meet the filters, and one file holds 10000\. Narrow/);
  });

  it('of a page holds that page', async () => {
    const { answeringClient, asked } = answering(10_001);
    await answeringClient.download('wcb', 'csv', { offset: 1000 });
    await answeringClient.download('wcb', 'csv', { limit: 5 });
    expect(asked.map((address) => address.split('?')[1])).toEqual(['offset=1000&format=csv', 'limit=5&format=csv']);
  });
});

describe('trying again', () => {
  const scripted = (...answers: readonly (readonly [status: number, retryAfter?: string])[]) => {
    const waits: number[] = [];
    let asked = 0;
    const scriptedClient = createClient({
      baseUrl: 'http://x',
      apiKey: 'k',
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
      fetch: async () => {
        const [status, retryAfter] = answers[asked] ?? [200];
        asked += 1;
        return new Response(JSON.stringify(status === 200 ? { total: 1 } : { detail: 'no' }), {
          status,
          headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
        });
      },
    });
    return { scriptedClient, waits, asked: () => asked };
  };

  it.each([429, 503])('waits 1, 2 and 4 seconds after %i', async (status) => {
    const { scriptedClient, waits } = scripted([status], [status, '2'], [status]);
    expect(await scriptedClient.models()).toEqual({ total: 1 });
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  it('gives up after three more attempts', async () => {
    const { scriptedClient, waits, asked } = scripted([429], [429], [429], [429], [200]);
    await expect(scriptedClient.models()).rejects.toMatchObject({ status: 429 });
    expect([waits.length, asked()]).toEqual([3, 4]);
  });

  it('does not wait for a quota that resets next month, nor after other failures', async () => {
    for (const answer of [[429, '86400'], [500], [401], [400]] as const) {
      const { scriptedClient, waits } = scripted(answer);
      await expect(scriptedClient.models()).rejects.toMatchObject({ status: answer[0] });
      expect(waits).toEqual([]);
    }
  });
});
