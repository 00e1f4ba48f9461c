import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CENTRAL_BANKS, DATASETS } from '../../../data/catalog.js';
import { MODELS } from '../../../models/catalog.js';
import { outputsIn } from '../../../src/outputs.js';
import { ROUTES } from '../../../src/serve/routes.js';
import * as schemas from '../../../src/serve/schemas.js';
import type { Manifest } from '../../../src/snapshot/manifest.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { fakeLabel, openOracle, type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));
let service: Running;
let wcb: Manifest;
let earnings: Manifest;
let oracle: { wcb: Awaited<ReturnType<typeof openOracle>>; earnings: Awaited<ReturnType<typeof openOracle>> };

beforeAll(async () => {
  wcb = await publish({ outputs, dataset: 'wcb', documents: 300, seed: 1 });
  earnings = await publish({ outputs, dataset: 'earnings', documents: 600, seed: 1 });
  oracle = {
    wcb: await openOracle(outputs, 'wcb', wcb.snapshot),
    earnings: await openOracle(outputs, 'earnings', earnings.snapshot),
  };
  service = await startService(folder);
});

afterAll(async () => {
  await service.stop();
  oracle.wcb.close();
  oracle.earnings.close();
});

/** The body of a 200 that is what its schema says. */
const read = async <T>(path: string, schema: TSchema): Promise<T> => {
  const response = await service.get(path);
  const body: unknown = await response.json();
  expect([response.status, body]).toEqual([200, expect.anything()]);
  expect([...Compile(schema).Errors(body)].slice(0, 3)).toEqual([]);
  return body as T;
};

interface Listing {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly next_offset: number | null;
  readonly snapshot: string;
  readonly documents: readonly Record<string, unknown>[];
}

const documents = (dataset: string, query = ''): Promise<Listing> =>
  read(`/v1/metrics/${dataset}/documents${query}`, schemas.documentList);

const HIDDEN = ['path', 'file_sha256', 'text_sha256'];

describe('GET /v1/models', () => {
  it('lists the 14 models of the interface, with every field', async () => {
    const { models, total } = await read<{ models: { id: string }[]; total: number }>('/v1/models', schemas.modelList);
    expect(total).toBe(14);
    expect(models.map(({ id }) => id)).toEqual(MODELS.filter(({ listed }) => listed).map(({ id }) => id));
  });
});

describe('GET /v1/metrics', () => {
  it('tells datasets, metrics with formulas, filters with values, levels, snapshot and coverage', async () => {
    interface Listed {
      readonly id: string;
      readonly snapshot: string;
      readonly metrics: readonly { readonly name: string; readonly formula: string }[];
      readonly filters: readonly { readonly name: string; readonly values?: readonly unknown[] }[];
      readonly coverage: Readonly<Record<string, unknown>>;
    }
    const { datasets, total } = await read<{ datasets: Listed[]; total: number }>('/v1/metrics', schemas.datasetList);
    expect(total).toBe(2);
    const [first, second] = datasets;
    expect([first?.id, second?.id]).toEqual(['wcb', 'earnings']);
    expect([first?.snapshot, second?.snapshot]).toEqual([wcb.snapshot, earnings.snapshot]);
    expect([first?.metrics.length, second?.metrics.length]).toEqual([7, 55]);
    expect(first?.metrics[0]?.formula).toBe('(hawkish - dovish) / (total - irrelevant)');
    const filters = (listed: Listed | undefined): string[] => (listed?.filters ?? []).map(({ name }) => name).sort();
    const shared = ['as_of', 'end_date', 'metric', 'snapshot', 'start_date', 'year'];
    expect(filters(first)).toEqual([...shared, 'bank_name'].sort());
    expect(filters(second)).toEqual([...shared, 'date', 'quarter', 'ticker'].sort());
    expect(first?.filters.find(({ name }) => name === 'bank_name')?.values).toEqual([...CENTRAL_BANKS]);
    const [facts] = await oracle.earnings.rows(
      'SELECT count(*) AS documents, min(date) AS first_date, max(date) AS last_date, min(year) AS first_year, max(year) AS last_year, count(DISTINCT ticker) AS tickers FROM documents',
    );
    expect(second?.coverage).toMatchObject({ ...facts });
  });
});

describe('GET /v1/metrics/{dataset_id}/coverage', () => {
  it.each([
    ['wcb', 'bank_name'],
    ['earnings', 'ticker'],
  ] as const)('gives each of %s that has documents, how many and from when to when', async (dataset, by) => {
    const answer = await read<{ by: string; total: number; groups: Record<string, unknown>[] }>(
      `/v1/metrics/${dataset}/coverage`,
      schemas.coverage,
    );
    const expected = await oracle[dataset].rows(
      `SELECT ${by} AS value, count(*) AS documents, min(year) AS first_year, max(year) AS last_year,
        min(date) AS first_date, max(date) AS last_date FROM documents GROUP BY ${by} ORDER BY value`,
    );
    expect([answer.by, answer.total]).toEqual([by, expected.length]);
    expect(answer.groups.map(({ name: _, ...group }) => group)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(5);
  });

  it('names the company of a ticker', async () => {
    const { groups } = await read<{ groups: { value: string; name: string | null }[] }>(
      '/v1/metrics/earnings/coverage',
      schemas.coverage,
    );
    const names = groups.map(({ value, name }) => name === null || name === `Company ${Number(value.slice(1))}, Inc.`);
    expect(names).not.toContain(false);
    expect(groups.filter(({ name }) => name !== null).length).toBeGreaterThan(1);
  });
});

describe('GET /v1/metrics/{dataset_id}/documents', () => {
  it.each(['wcb', 'earnings'] as const)(
    'gives every column of %s but where the file lay, in the order of the interface',
    async (dataset) => {
      const { documents: rows, total } = await documents(dataset, '?limit=10000');
      const manifest = dataset === 'wcb' ? wcb : earnings;
      const columns = (manifest.tables.documents?.columns ?? [])
        .map(({ name }) => name)
        .filter((n) => !HIDDEN.includes(n));
      const expected = await oracle[dataset].rows(
        `SELECT ${columns.map((c) => `"${c}"`).join(', ')} FROM documents ORDER BY date NULLS LAST, document_id`,
      );
      expect(total).toBe(expected.length);
      expect(rows).toEqual(expected);
      expect(Object.keys(rows[0] ?? {})).toEqual(columns);
      expect(rows.some((row) => Object.values(row).includes(null))).toBe(true);
    },
  );

  it('pages from offset 0 with 1000 a page where nothing is said, and knows the next page', async () => {
    const all = await documents('earnings');
    expect([all.limit, all.offset, all.next_offset, all.total]).toEqual([1000, 0, null, 600]);
    const second = await documents('earnings', '?limit=250&offset=250');
    expect(second.next_offset).toBe(500);
    expect(second.documents).toEqual(all.documents.slice(250, 500));
    const past = await documents('earnings', '?offset=600');
    expect([past.total, past.next_offset, past.documents]).toEqual([600, null, []]);
    const last = await documents('earnings', '?limit=100&offset=500');
    expect([last.next_offset, last.documents.length]).toEqual([null, 100]);
  });

  it('says the same in headers, with a link that stays with its snapshot', async () => {
    const response = await service.get('/v1/metrics/wcb/documents?limit=100&metric=stance');
    expect(response.headers.get('x-total-count')).toBe('300');
    expect(response.headers.get('x-snapshot')).toBe(wcb.snapshot);
    const link = response.headers.get('link') ?? '';
    const [, address = ''] = /^<(.+)>; rel="next"$/.exec(link) ?? [];
    expect(new URL(address, service.address).searchParams.get('snapshot')).toBe(wcb.snapshot);
    const next: unknown = await (await service.get(address)).json();
    expect(next).toMatchObject({ offset: 100, limit: 100 });
    expect((await service.get('/v1/metrics/wcb/documents')).headers.get('link')).toBeNull();
  });

  it('has a link that can be followed, however many tickers were asked for', async () => {
    const tickers = Array.from({ length: 2500 }, (_, at) => `T${String(at).padStart(4, '0')}`).join();
    const response = await service.get(
      `/v1/metrics/earnings/documents?limit=1&metric=ec_growth_metric&ticker=${tickers}`,
    );
    const [, address = ''] = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    expect(await (await service.get(address)).json()).toMatchObject({ offset: 1, documents: [{}] });
  });

  it('selects metrics, one or several by comma, in the order of the interface', async () => {
    const { documents: rows } = await documents('wcb', '?metric=uncertainty,stance&limit=2');
    expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['marked_count', 'stance', 'uncertainty']);
  });

  const FILTERS: readonly (readonly ['wcb' | 'earnings', string, string])[] = [
    ['wcb', 'year=2001', 'year = 2001'],
    ['wcb', 'year=2001,2002', 'year IN (2001, 2002)'],
    ['wcb', 'bank_name=bank_of_japan', "bank_name = 'bank_of_japan'"],
    ['wcb', 'bank_name=bank_of_japan,bank_of_england', "bank_name IN ('bank_of_japan', 'bank_of_england')"],
    ['wcb', 'bank_name=czech_national_bank', 'false'],
    ['wcb', 'start_date=2005-06-01&end_date=2007-01-31', "date BETWEEN '2005-06-01' AND '2007-01-31'"],
    ['earnings', 'ticker=T0003', "ticker = 'T0003'"],
    ['earnings', 'ticker=t0003, T0004', "ticker IN ('T0003', 'T0004')"],
    ['earnings', 'ticker=NOPE', 'false'],
    ['earnings', 'year=1900', 'false'],
    ['earnings', 'quarter=2,4&year=2010', 'quarter IN (2, 4) AND year = 2010'],
    ['earnings', 'start_date=2010-02-01', "date >= '2010-02-01'"],
    ['earnings', 'end_date=2010-02-01', "date <= '2010-02-01'"],
    ['earnings', 'start_date=0001-01-01&end_date=9999-12-31', 'date IS NOT NULL'],
  ];
  it.each(FILTERS)('of %s with %s are those where %s', async (dataset, query, where) => {
    const expected = await oracle[dataset].rows(
      `SELECT document_id FROM documents WHERE ${where} ORDER BY date NULLS LAST, document_id`,
    );
    const { documents: rows, total } = await documents(dataset, `?${query}`);
    expect(total).toBe(expected.length);
    expect(rows.map(({ document_id }) => document_id)).toEqual(expected.map(({ document_id }) => document_id));
  });

  it('of a date are those of that day', async () => {
    const [some] = await oracle.earnings.rows(
      'SELECT date, count(*) AS n FROM documents WHERE date IS NOT NULL GROUP BY date ORDER BY n DESC, date LIMIT 1',
    );
    expect((await documents('earnings', `?date=${some?.date}`)).total).toBe(some?.n);
  });
});

describe('GET /v1/metrics/{dataset_id}/summary', () => {
  it('has average, least, greatest and count of each metric, and the filters as understood', async () => {
    const body = await read<{ filters: unknown; documents: number; summary: Record<string, unknown>[] }>(
      '/v1/metrics/earnings/summary?quarter=3,1&metric=ec_growth_metric',
      schemas.summary,
    );
    const [expected] = await oracle.earnings.rows(
      'SELECT avg(ec_growth_metric) AS avg, min(ec_growth_metric) AS min, max(ec_growth_metric) AS max, count(ec_growth_metric) AS count, count(*) AS documents FROM documents WHERE quarter IN (1, 3)',
    );
    expect(body.filters).toEqual({ quarter: [1, 3], metric: ['ec_growth_metric'] });
    expect(body.documents).toBe(expected?.documents);
    expect(body.summary).toEqual([
      {
        metric: 'ec_growth_metric',
        avg: expect.closeTo(Number(expected?.avg), 12),
        min: expected?.min,
        max: expected?.max,
        count: expected?.count,
      },
    ]);
  });

  it('of nothing is nulls and 0', async () => {
    const body = await read<{ documents: number; summary: unknown[] }>(
      '/v1/metrics/wcb/summary?year=1900',
      schemas.summary,
    );
    expect(body.documents).toBe(0);
    expect(body.summary).toHaveLength(7);
    expect(body.summary[0]).toEqual({ metric: 'stance', avg: null, min: null, max: null, count: 0 });
  });
});

describe('GET /v1/metrics/{dataset_id}/documents/{document_id}', () => {
  it('explains each number by its counts, whose formula gives it again', async () => {
    interface Explained {
      readonly document: Record<string, unknown>;
      readonly metrics: readonly { metric: string; value: number | null; counts: Record<string, number> }[];
      readonly counts: Record<string, number>;
      readonly models: readonly { id: string; fingerprint: string }[];
    }
    const body = await read<Explained>('/v1/metrics/earnings/documents/T0004_2009_Q2', schemas.documentPage);
    expect(body.document.path).toMatch(/^raw\//);
    expect(body.models.map(({ id }) => id)).toEqual(DATASETS.earnings.models);
    const sum = (names: readonly string[]): number =>
      names.reduce((all, name) => all + (body.counts[name] ?? Number.NaN), 0);
    for (const { name, plus, minus, over, over_minus } of earnings.metrics) {
      const below = sum(over) - sum(over_minus);
      const value = below === 0 ? null : (sum(plus) - sum(minus)) / below;
      expect(body.metrics.find(({ metric }) => metric === name)?.value).toBe(value);
      expect(body.document[name]).toBe(value);
    }
  });
});

describe('GET …/sentences', () => {
  const path = '/v1/metrics/wcb/documents';
  interface Sentences {
    readonly total: number;
    readonly sentences: readonly { sentence_index: number; text: string; labels: Record<string, string> }[];
  }

  it('gives text and labels in order; their labels make the counts of the document', async () => {
    const [some] = (await documents('wcb', '?limit=1&offset=7')).documents;
    const { total, sentences } = await read<Sentences>(`${path}/${some?.document_id}/sentences`, schemas.sentenceList);
    expect(total).toBe(9);
    expect(sentences.map(({ sentence_index }) => sentence_index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Object.keys(sentences[0]?.labels ?? {})).toEqual(DATASETS.wcb.models);
    const doubtful = sentences.filter(({ labels }) => labels.cb_certain_label === 'Uncertain').length;
    expect(some?.uncertainty).toBe(doubtful / 9);
  });

  it('filters by model and label, and pages', async () => {
    const [some] = (await documents('wcb', '?limit=1&offset=7')).documents;
    const all = await read<Sentences>(
      `${path}/${some?.document_id}/sentences?model=cb_stance_label`,
      schemas.sentenceList,
    );
    expect(Object.keys(all.sentences[0]?.labels ?? {})).toEqual(['cb_stance_label']);
    const wanted = all.sentences.filter(({ labels }) => ['Hawkish', 'Dovish'].includes(labels.cb_stance_label ?? ''));
    const query = 'model=cb_stance_label&label=Hawkish,Dovish';
    const found = await read<Sentences>(`${path}/${some?.document_id}/sentences?${query}`, schemas.sentenceList);
    expect(found.sentences).toEqual(wanted);
    const page = await read<Sentences>(
      `${path}/${some?.document_id}/sentences?${query}&limit=1&offset=1`,
      schemas.sentenceList,
    );
    expect([page.total, page.sentences]).toEqual([wanted.length, wanted.slice(1, 2)]);
  });
});

describe('POST /v1/models/infer', () => {
  const texts = ['Inflation is too high.', 'Größe 政策 😀', 'x'.repeat(2000)];

  it('gives one label for each text, in order, and nothing else unless asked', async () => {
    const response = await service.post('/v1/models/infer', {
      model_id: 'cb_stance_label',
      instances: texts.map((text) => ({ text, unknown: 1 })),
      whatever: true,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      model_id: 'cb_stance_label',
      task: 'sequence_classification',
      predictions: texts.map((text) => ({ label: fakeLabel('cb_stance_label', text) })),
    });
  });

  it('adds score and truncated where asked', async () => {
    const body = {
      model_id: 'cb_oil_relevancy',
      instances: texts.map((text) => ({ text })),
      parameters: { return_scores: true },
    };
    const answer: unknown = await (await service.post('/v1/models/infer', body)).json();
    expect([...Compile(schemas.inferenceResponse).Errors(answer)]).toEqual([]);
    expect(answer).toMatchObject({
      predictions: [{ score: 0.75, truncated: false }, { truncated: false }, { truncated: true }],
    });
  });

  it('takes 128 texts, and half a character as a replacement', async () => {
    const instances = Array.from({ length: 128 }, (_, at) => ({ text: `text ${at}` }));
    const whole = await service.post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances });
    expect(((await whole.json()) as { predictions: unknown[] }).predictions).toHaveLength(128);
    const half = await service.post(
      '/v1/models/infer',
      '{"model_id":"cb_oil_relevancy","instances":[{"text":"a\\ud83d"}]}',
    );
    expect(half.status).toBe(200);
  });

  it('counts characters as its schema does: an emoji is one', async () => {
    const instances = [{ text: '😀'.repeat(32_768) }];
    expect((await service.post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances })).status).toBe(200);
  });
});

describe('for operators', () => {
  it('GET /health/live and /health/ready need no key', async () => {
    const alive = await fetch(`${service.address}/health/live`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await read<Record<string, unknown>>('/health/ready', schemas.readiness);
    expect(ready.status).toBe('ready');
  });

  it('GET /metrics counts requests by route, without what callers wrote', async () => {
    await service.get('/v1/metrics/secret-place/documents');
    const text = await (await fetch(`${service.address}/metrics`)).text();
    expect(text).toContain('route="/v1/metrics/:dataset_id/documents"');
    expect(text).toContain('fintext_snapshot_documents{dataset="wcb"');
    expect(text).not.toContain('secret-place');
  });

  it('GET /openapi.json is OpenAPI 3.1 of every route, each with its parameters and failures', async () => {
    const document = (await (await fetch(`${service.address}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { parameters: { name: string }[]; responses: Record<string, unknown> }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(ROUTES.map(({ path }) => path));
    const listing = document.paths['/v1/metrics/{dataset_id}/documents']?.get;
    expect(listing?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'dataset_id',
        'limit',
        'offset',
        'format',
        'metric',
        'year',
        'bank_name',
        'ticker',
        'quarter',
        'date',
        'start_date',
        'end_date',
        'snapshot',
        'as_of',
      ]),
    );
    expect(Object.keys(listing?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '304', '400', '401', '404', '429', '500', '503']),
    );
  });

  it('GET /openapi.json says which dataset takes a filter, what type a choice has, and no status that never comes', async () => {
    const { paths } = (await (await fetch(`${service.address}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    interface Operation {
      readonly parameters: readonly { name: string; description: string; schema: { type?: string; items?: object } }[];
      readonly responses: Readonly<Record<string, unknown>>;
    }
    for (const path of ['/v1/metrics/{dataset_id}/documents', '/v1/metrics/{dataset_id}/summary']) {
      const said = new Map(paths[path]?.get?.parameters.map(({ name, description }) => [name, description]));
      for (const name of ['ticker', 'quarter', 'date']) expect(said.get(name)).toMatch(/; earnings only$/);
      expect(said.get('bank_name')).toMatch(/; wcb only$/);
      for (const name of ['year', 'start_date', 'metric', 'as_of']) expect(said.get(name)).not.toMatch(/ only$/);
    }
    const listing = paths['/v1/metrics/{dataset_id}/documents']?.get;
    const schemas = new Map(listing?.parameters.map(({ name, schema }) => [name, schema]));
    expect([schemas.get('format')?.type, schemas.get('bank_name')?.items]).toMatchObject([
      'string',
      { type: 'string' },
    ]);
    expect(Object.keys(listing?.responses ?? {})).toEqual(expect.arrayContaining(['304', '408', '414', '431']));
    const usage = await service.get('/v1/usage/me', { 'if-none-match': '*' });
    expect(usage.status).toBe(200);
    expect(Object.keys(paths['/v1/usage/me']?.get?.responses ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(304|414)$/)]),
    );
  });

  it('GET /openapi.json states the limit of a body where it states those of its texts', async () => {
    const text = await (await fetch(`${service.address}/openapi.json`)).text();
    const { paths } = JSON.parse(text) as { paths: Record<string, { post?: unknown }> };
    const stated = JSON.stringify(paths['/v1/models/infer']?.post);
    for (const limit of ['"maxItems":128', '"maxLength":32768', 'The whole body has at most 16777216 bytes'])
      expect(stated).toContain(limit);
    expect(text).toContain('The body has more than 16777216 bytes');
  });

  it('GET /docs asks no other host', async () => {
    const page = await fetch(`${service.address}/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//);
      expect((await fetch(`${service.address}${file}`)).status).toBe(200);
    }
  });

  it('the files of /docs answer HEAD, and no request for one is a fault of ours', async () => {
    for (const path of ['/docs', '/docs/json', '/docs/static/swagger-ui.css']) {
      const head = await fetch(`${service.address}${path}`, { method: 'HEAD' });
      expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    }
    const before = service.lines.length;
    const refusal = async (file: string, headers = {}) => {
      const response = await fetch(`${service.address}/docs/static/${file}`, { headers });
      return [response.status, Object.keys((await response.json()) as object)];
    };
    expect(await refusal('a%5c..%5cb')).toEqual([404, ['detail']]);
    expect(await refusal('swagger-ui.css', { 'if-match': '"x"' })).toEqual([412, ['detail']]);
    expect(await refusal('swagger-ui.css', { range: 'bytes=99999999-' })).toEqual([416, ['detail']]);
    expect(service.lines.slice(before).filter(({ level }) => level === 50)).toEqual([]);
  });

  it('logs no key that somebody put into the path', async () => {
    const id = { 'x-request-id': 'log-me-2' };
    await service.get(`/v1/metrics/${service.key}/summary`, id);
    await service.get(`/${service.key}`, id);
    const lines = service.lines.filter(({ request_id }) => request_id === 'log-me-2');
    expect(lines.map(({ path }) => path)).toEqual(['/v1/metrics/ftx_live_…/summary', '/ftx_live_…']);
    expect(JSON.stringify(service.lines)).not.toContain(service.key);
  });

  it('logs each request once with its id, its key’s id and no key, query or text', async () => {
    await service.get('/v1/metrics/wcb/documents?bank_name=bank_of_japan', { 'x-request-id': 'log-me-1' });
    await service.post('/v1/models/infer', { model_id: 'cb_oil_relevancy', instances: [{ text: 'top secret text' }] });
    const lines = service.lines.filter(({ request_id: id }) => id === 'log-me-1');
    expect(lines).toMatchObject([{ msg: 'request', method: 'GET', path: '/v1/metrics/wcb/documents', status: 200 }]);
    const log = JSON.stringify(service.lines);
    for (const secret of [service.key, 'top secret', 'bank_of_japan']) expect(log).not.toContain(secret);
  });
});
