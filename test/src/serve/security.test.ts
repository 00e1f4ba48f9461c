import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputsIn } from '../../../src/outputs.js';
import { ROUTES } from '../../../src/serve/routes.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;

beforeAll(async () => {
  const outputs = outputsIn(join(folder, 'outputs'));
  await publish({ outputs, dataset: 'wcb', documents: 20, seed: 1 });
  service = await startService(folder, { outputs });
});

afterAll(() => service.stop());

const ADDRESSES = [
  '/v1/models',
  '/v1/models?nope=1',
  '/v1/metrics/wcb/documents',
  '/v1/metrics/wcb/documents?format=csv',
  '/v1/metrics/wcb/documents?format=parquet',
  '/v1/usage/me',
  '/v1/nope',
  '/nope',
  '/',
  '/health/ready',
  '/metrics',
  '/openapi.json',
  '/docs',
];

describe('any answer', () => {
  it.each(ADDRESSES)('of %s keeps browsers from guessing, framing and passing on', async (path) => {
    const { headers } = await service.get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src '(none|self)';.*frame-ancestors '(none|self)'/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    for (const name of ['server', 'x-powered-by']) expect([name, headers.get(name)]).toEqual([name, null]);
  });

  it.each(ADDRESSES)('of %s is for no page of another origin', async (path) => {
    const { headers } = await service.get(path, { origin: 'https://elsewhere.example' });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('what is open to all', () => {
  it('is what operators need, and holds no key, no account and no place on the disk', async () => {
    const open = ROUTES.filter(({ access }) => access === 'open').map(({ path }) => path);
    expect(open).toEqual(['/health/live', '/health/ready', '/metrics', '/openapi.json']);
    await service.get('/v1/models');
    for (const path of [...open, '/docs']) {
      const text = await (await fetch(`${service.address}${path}`)).text();
      expect(text.length).toBeGreaterThan(10);
      for (const secret of [service.key, 'key_', 'acc_', 'someone@example.org', folder])
        expect([path, text.includes(secret)]).toEqual([path, false]);
    }
  });
});

describe('an account', () => {
  it('sees its own usage alone, and cannot name another', async () => {
    const key = await service.newKey({ email: 'other@example.org' });
    const usage = async (query: string): Promise<Response> => service.get(`/v1/usage/me${query}`, { 'x-api-key': key });
    expect(await (await usage('')).json()).toMatchObject({ email: 'other@example.org', quota: { used: 0 } });
    for (const query of ['?email=someone@example.org', '?account_id=1', '?key=1'])
      expect((await usage(query)).status).toBe(400);
    expect((await service.get('/v1/usage/someone@example.org', { 'x-api-key': key })).status).toBe(404);
  });

  it('can change nothing: every address reads, but the one that classifies, which keeps nothing', () => {
    expect(ROUTES.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual(['/v1/models/infer']);
  });
});
