import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputsIn } from '../../../src/outputs.js';
import type { Parameters } from '../../../src/serve/parameters.js';
import { ROUTES } from '../../../src/serve/routes.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;

beforeAll(async () => {
  const outputs = outputsIn(join(folder, 'outputs'));
  await publish({ outputs, dataset: 'wcb', documents: 60, seed: 1 });
  await publish({ outputs, dataset: 'earnings', documents: 60, seed: 1 });
  service = await startService(folder);
});

afterAll(() => service.stop());

/** Whatever is asked: no fault of ours, and each failure has its one text. */
const check = async (response: Response, question: string): Promise<number> => {
  const { status } = response;
  const text = await response.text();
  if (status >= 500 || ![200, 304].includes(status)) {
    expect([question, status, text]).toEqual([
      question,
      expect.toSatisfy((s: number) => s >= 400 && s < 500),
      expect.any(String),
    ]);
    expect([question, Object.keys(JSON.parse(text) as object)]).toEqual([question, ['detail']]);
  }
  return status;
};

/** What people, scripts and attackers put where a value belongs. */
const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '5',
  '1.5',
  '1e9',
  '01',
  '+1',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '2024-01-01',
  '2024-02-30',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2024-1-1',
  '-2024-01-01',
  'today',
  '2024',
  '1996,2001',
  ',',
  ',,',
  '1,',
  'a,b,,c',
  'stance',
  'STANCE',
  'stance,stance',
  'ec_growth_metric',
  'bank_of_japan',
  'Bank of Japan',
  'T0001',
  'aapl',
  'json',
  'csv',
  'parquet',
  'arrow',
  'xml',
  "'",
  '"',
  "' OR '1'='1",
  '; DROP TABLE documents; --',
  ') UNION SELECT 1 --',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  '/etc/passwd',
  'file:///etc/passwd',
  '%00',
  '\u0000',
  '\r\nX: y',
  '\ud83d\ude00',
  '\u202e',
  'ﷺ',
  'ı',
  'ß',
  '１２',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a'.repeat(5000),
  '9'.repeat(400),
  '9007199254740993',
  '99999999999999999999',
  'a'.repeat(16),
  'f'.repeat(16),
  '*',
  '%',
  '_',
  '?',
  '#',
  '&',
  '=',
  '+',
] as const;

const fill = (path: string): readonly string[] =>
  ['wcb', 'earnings'].map((dataset) => path.replace('{dataset_id}', dataset).replace('{document_id}', 'T0001_2008_Q1'));

const GETS = ROUTES.filter(({ method, access }) => method === 'GET' && access !== 'open');

describe('never a 5xx', () => {
  it.each(GETS.map(({ path, query }): [string, Parameters] => [path, query]))(
    'from %s with any value of any parameter',
    async (path, query) => {
      const seen = new Set<number>();
      for (const address of new Set(fill(path))) {
        for (const name of [...Object.keys(query), 'unknown', 'limit', '__proto__']) {
          const answers = NASTY.map(async (value) => {
            const question = `${address}?${new URLSearchParams([[name, value]])}`;
            seen.add(await check(await service.get(question), question));
          });
          await Promise.all(answers);
        }
      }
      expect([...seen].every((status) => [200, 400, 404].includes(status))).toBe(true);
    },
  );

  it('from any value in any place of any path', async () => {
    for (const { path } of GETS.filter(({ path }) => path.includes('{'))) {
      for (const place of path.match(/\{[a-z_]+\}/g) ?? []) {
        await Promise.all(
          NASTY.map(async (value) => {
            const question = path
              .replace(place, encodeURIComponent(value))
              .replace('{dataset_id}', 'wcb')
              .replace('{document_id}', 'x');
            await check(await service.get(question), question);
          }),
        );
      }
    }
  });

  it('from combinations of parameters', async () => {
    const value = fc.oneof(
      fc.constantFrom(...NASTY),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.integer().map(String),
    );
    const names = [...new Set(GETS.flatMap(({ query }) => Object.keys(query)))];
    const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 });
    const path = fc.constantFrom(...GETS.flatMap((route) => fill(route.path)));
    await fc.assert(
      fc.asyncProperty(path, query, async (address, pairs) => {
        const question = `${address}?${new URLSearchParams(pairs)}`;
        await check(await service.get(question), question);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('from any bytes as a query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'%&=+;,?/#[]{}|\\^`~ab09éż'), maxLength: 40 }),
        async (text) => {
          const question = `/v1/metrics/wcb/documents?${text}`;
          await check(await service.get(question), question);
        },
      ),
      { numRuns: 150, seed: 12 },
    );
  });

  it('from any JSON as a body', async () => {
    const known = fc.record(
      {
        model_id: fc.oneof(fc.constant('cb_stance_label'), fc.constantFrom('nope', ...NASTY), fc.jsonValue()),
        instances: fc.oneof(
          fc.array(
            fc.record({
              text: fc.oneof(
                { arbitrary: fc.string({ unit: 'binary' }), weight: 4 },
                fc.constantFrom(...NASTY),
                fc.jsonValue(),
              ),
            }),
            { maxLength: 4 },
          ),
          fc.jsonValue(),
        ),
        parameters: fc.oneof(fc.record({ return_scores: fc.oneof(fc.boolean(), fc.jsonValue()) }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ arbitrary: known, weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 }),
        async (body) => {
          const text = JSON.stringify(body);
          seen.add(await check(await service.post('/v1/models/infer', text), text));
        },
      ),
      { numRuns: 400, seed: 13 },
    );
    expect(seen).toContain(200);
  });

  it.each([
    '{"__proto__":{"model_id":"cb_stance_label"},"instances":[]}',
    '{"constructor":{"prototype":1}}',
    '['.repeat(50_000),
    '{"a":'.repeat(20_000),
    '"\\ud800"',
    '\ufeff{}',
    '1e999',
    '{"model_id":"cb_stance_label","instances":[{"text":"\\u0000\\ud83d"}]}',
  ])('from the body %.60s', async (body) => {
    await check(await service.post('/v1/models/infer', body), body.slice(0, 60));
  });

  it('from any method', async () => {
    for (const path of [
      '/v1/models',
      '/v1/metrics/wcb/documents',
      '/v1/models/infer',
      '/metrics',
      '/docs',
      '/',
      '/v1/x',
    ]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH', 'LOCK']) {
        const response = await fetch(`${service.address}${path}`, { method, headers: { 'x-api-key': service.key } });
        const status = await check(response, `${method} ${path}`);
        expect([400, 404, 405]).toContain(status);
        if (status === 405) expect(response.headers.get('allow')).toBeTruthy();
      }
    }
  });

  it('from any header', async () => {
    for (const name of [
      'if-none-match',
      'accept-encoding',
      'accept',
      'x-request-id',
      'range',
      'authorization',
      'content-type',
      'cookie',
      'expect-ct',
    ]) {
      await Promise.all(
        [
          '',
          ',',
          ';q=',
          '*',
          'gzip;q=0',
          'br;q=2,gzip;q=x',
          '"',
          'W/',
          'bytes=0-1',
          'a'.repeat(4000),
          '\u00e9',
          'deflate',
          'identity;q=0',
        ].map(async (value) => {
          await check(await service.get('/v1/metrics/wcb/documents?limit=3', { [name]: value }), `${name}: ${value}`);
        }),
      );
    }
  });
});
