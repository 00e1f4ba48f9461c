import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageRecord } from '../../../src/accounts/accounts.js';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;
let clock = new Date('2026-03-10T12:00:00Z');

beforeAll(async () => {
  const outputs = outputsIn(join(folder, 'outputs'));
  await publish({ outputs, dataset: 'wcb', documents: 40, seed: 1 });
  service = await startService(folder, { now: () => clock });
});

afterAll(() => service.stop());

const withKey = async (monthlyLimit: number) => {
  const key = await service.newKey({ monthlyLimit });
  return {
    get: (path: string, headers: Record<string, string> = {}) => service.get(path, { 'x-api-key': key, ...headers }),
    post: (path: string, body: unknown) => service.post(path, body, { 'x-api-key': key }),
    send: (method: string, path: string) =>
      fetch(`${service.address}${path}`, { method, headers: { 'x-api-key': key } }),
    usage: async (): Promise<UsageRecord> =>
      (await (await service.get('/v1/usage/me', { 'x-api-key': key })).json()) as UsageRecord,
  };
};

describe('the quota', () => {
  it('with 100 left and 400 at once, lets 100 through', async () => {
    const { get, usage } = await withKey(100);
    const answers = await Promise.all(Array.from({ length: 400 }, () => get('/v1/models')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300);
    const { quota, daily_usage: daily, total_requests_period: total } = await usage();
    expect(quota).toMatchObject({ used: 100, remaining: 0, usage_percent: 100, monthly_limit: 100 });
    expect([daily['2026-03-10'], total]).toEqual([100, 100]);
  });

  it('counts 2xx, 400, 403 and 404, one a request whatever its batch', async () => {
    const { get, post, send, usage } = await withKey(50);
    const used = async (): Promise<number> => (await usage()).quota.used;
    await post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances: new Array(128).fill({ text: 'a' }) });
    expect(await used()).toBe(1);
    await get('/v1/metrics/wcb/documents?limit=0');
    await get('/v1/metrics/nope/summary');
    await get('/v1/nope');
    await send('HEAD', '/v1/models');
    expect(await used()).toBe(5);
    await post('/v1/models/infer', 'no JSON');
    expect(await used()).toBe(6);
  });

  it('does not count 304, 405, 5xx, /usage/me and the open addresses', async () => {
    const { get, send, usage } = await withKey(50);
    const etag = (await get('/v1/models')).headers.get('etag') ?? '';
    expect((await get('/v1/models', { 'if-none-match': etag })).status).toBe(304);
    expect((await send('DELETE', '/v1/models')).status).toBe(405);
    expect((await get('/v1/metrics/earnings/summary')).status).toBe(503);
    await get('/v1/usage/me?days=400');
    await get('/health/ready');
    expect((await usage()).quota.used).toBe(1);
  });

  it('says in each answer what is left, and in 429 which limit and until when', async () => {
    const { get, usage } = await withKey(2);
    const first = await get('/v1/models');
    expect(first.headers.get('ratelimit-policy')).toBe('"month";q=2;w=2678400');
    expect(first.headers.get('ratelimit')).toMatch(/^"month";r=1;t=\d+$/);
    const etag = first.headers.get('etag') ?? '';
    expect((await get('/v1/models', { 'if-none-match': etag })).headers.get('ratelimit')).toMatch(/;r=1;/);
    await get('/v1/models');
    const spent = await get('/v1/models');
    expect(spent.status).toBe(429);
    const seconds = (Date.parse('2026-04-01T00:00:00Z') - clock.getTime()) / 1000;
    expect(Number(spent.headers.get('retry-after'))).toBe(seconds);
    expect(spent.headers.get('ratelimit')).toBe(`"month";r=0;t=${seconds}`);
    expect(await spent.json()).toEqual({
      detail: 'Rate limit exceeded: 2 requests a month are used; the quota resets at 2026-04-01T00:00:00Z',
    });
    expect((await usage()).quota.remaining).toBe(0);
  });

  it('comes before what is wrong with the request, and after the key', async () => {
    const { get } = await withKey(1);
    await get('/v1/models');
    expect((await get('/v1/metrics/wcb/documents?limit=0')).status).toBe(429);
    expect((await get('/v1/nope')).status).toBe(429);
    expect((await service.get('/v1/models', { 'x-api-key': 'x' })).status).toBe(401);
  });

  it('is whole again on the first of the month, UTC', async () => {
    const { get, usage } = await withKey(1);
    await get('/v1/models');
    clock = new Date('2026-03-31T23:59:59.999Z');
    expect((await get('/v1/models')).status).toBe(429);
    clock = new Date('2026-04-01T00:00:00Z');
    expect((await get('/v1/models')).status).toBe(200);
    expect((await usage()).quota.period).toBe('2026-04');
    clock = new Date('2026-03-10T12:00:00Z');
  });
});

describe('a burst', () => {
  it('of the free plan is 429 that clears within 7 seconds, and spares the quota', async () => {
    const key = await service.newKey({ tier: 'free', monthlyLimit: undefined });
    const ask = (): Promise<Response> => service.get('/v1/usage/me', { 'x-api-key': key });
    const answers: Response[] = [];
    for (let round = 0; round < 6; round += 1) answers.push(...(await Promise.all(Array.from({ length: 200 }, ask))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(200);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(7);
    expect(await refused[0]?.json()).toEqual({ detail: expect.stringContaining('more than 1000 requests within') });
    clock = new Date(clock.getTime() + 7000);
    const after = await ask();
    expect([after.status, ((await after.json()) as UsageRecord).quota.used]).toEqual([200, 0]);
  });
});
