import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODELS, type ModelEntry } from '../../../models/catalog.js';
import { AccountsUnavailable } from '../../../src/accounts/accounts.js';
import { openAccounts } from '../../../src/accounts/open.js';
import { outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';
import { fakeClassifier, NOW, type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;
let batches = 0;

const PRO: ModelEntry = { ...MODELS[0], id: 'cb_certain_label', access_tier: 'pro' };

beforeAll(async () => {
  const outputs = outputsIn(join(folder, 'outputs'));
  await publish({ outputs, dataset: 'wcb', documents: 40, seed: 1 });
  await publish({ outputs, dataset: 'earnings', documents: 40, seed: 1 });
  service = await startService(folder, {
    models: [...MODELS.filter(({ id }) => id !== PRO.id), PRO],
    limits: { bodyBytes: 20_000_000 },
    openClassifier: async () =>
      fakeClassifier(async (texts) => {
        batches += 1;
        if (texts.includes('break')) throw new Error('the worker died at /secret/place');
      }),
  });
});

afterAll(() => service.stop());

/** Every failure: the status, a body of exactly one text, JSON, an id. */
const failure = async (response: Response): Promise<string> => {
  const body = (await response.json()) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['detail']);
  expect(body.detail).toEqual(expect.any(String));
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return String(body.detail);
};

const refused = async (path: string, status: number, detail: string | RegExp): Promise<void> => {
  const response = await service.get(path);
  expect([path, response.status]).toEqual([path, status]);
  expect(await failure(response)).toMatch(detail);
};

describe('without a valid key', () => {
  const keyless = (headers: Record<string, string>, query = ''): Promise<Response> =>
    fetch(`${service.address}/v1/models${query}`, { headers });

  it.each([
    ['no key', {}, ''],
    ['an empty key', { 'x-api-key': '' }, ''],
    ['an unknown key', { 'x-api-key': 'ftx_live_nobody' }, ''],
    ['a very long key', { 'x-api-key': 'k'.repeat(8000) }, ''],
    ['a key in another header', { authorization: 'Bearer KEY' }, ''],
    ['a key in the query', {}, '?x-api-key=KEY&api_key=KEY'],
  ])('%s is 401 with one text for all', async (_, headers, query) => {
    const filled = JSON.parse(JSON.stringify(headers).replaceAll('KEY', service.key)) as Record<string, string>;
    const response = await keyless(filled, query.replaceAll('KEY', service.key));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBeTruthy();
    expect(await failure(response)).toBe('Invalid or missing API key');
  });

  it('two keys are none', async () => {
    const answer = await raw(
      `GET /v1/models HTTP/1.1\r\nHost: a\r\nx-api-key: ${service.key}\r\nX-API-KEY: ${service.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('nothing else is told: 401 comes before 400, 404, 405 and 413', async () => {
    for (const path of ['/v1/metrics/nope/documents?limit=0', '/v1/nope', '/v1']) {
      expect((await fetch(`${service.address}${path}`)).status).toBe(401);
    }
    for (const init of [
      { method: 'DELETE' },
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
    ]) {
      expect((await fetch(`${service.address}/v1/models/infer`, init)).status).toBe(401);
    }
  });

  it('a revoked and an expired key are 401 like any other', async () => {
    const { key, record } = await service.accounts.create({ email: 'a@example.org', tier: 'free' }, NOW);
    const ask = (): Promise<Response> => fetch(`${service.address}/v1/models`, { headers: { 'x-api-key': key } });
    expect((await ask()).status).toBe(200);
    await service.accounts.revoke(record.keyId, NOW);
    expect(await failure(await ask())).toBe('Invalid or missing API key');
    const expired = await service.newKey({ expiresAt: new Date(NOW.getTime() + 1) });
    const later = await startService(join(folder, 'later'), {
      accounts: service.accounts,
      now: () => new Date(NOW.getTime() + 5000),
    });
    expect((await fetch(`${later.address}/v1/models`, { headers: { 'x-api-key': expired } })).status).toBe(401);
    await later.stop();
  });
});

describe('a wrong parameter is 400 that names it and what is allowed', () => {
  const listing = '/v1/metrics/wcb/documents';
  it.each([
    [`${listing}?limit=0`, 'limit is a whole number from 1 to 10000; not "0".'],
    [`${listing}?limit=10001`, 'limit is a whole number from 1 to 10000'],
    [`${listing}?limit=`, 'limit is a whole number'],
    [`${listing}?limit=1e3`, 'limit is a whole number'],
    [`${listing}?limit=+5`, 'limit is a whole number'],
    [`${listing}?limit=5.0`, 'limit is a whole number'],
    [`${listing}?offset=-1`, 'offset is a whole number from 0'],
    [`${listing}?offset=99999999999999999999`, 'offset is a whole number from 0'],
    [`${listing}?format=xml`, 'format is one of json, csv, parquet, arrow; not "xml".'],
    [`${listing}?format=CSV`, 'format is one of'],
    [`${listing}?metric=nope`, 'Unknown metric "nope": wcb has stance, uncertainty'],
    [
      `${listing}?metric=stance,inflation`,
      'Unknown metric "inflation". Did you mean inflation_relevancy? /v1/metrics lists all 7 of wcb.',
    ],
    [`${listing}?metric=stance,`, 'metric has an empty value'],
    [`${listing}?metric=ec_growth_metric`, 'Unknown metric "ec_growth_metric"'],
    [`${listing}?bank_name=bank_of_nowhere`, 'bank_name is one of federal_reserve_system'],
    [`${listing}?year=MMXX`, 'year is a whole number'],
    [`${listing}?year=2020,x`, 'year is a whole number'],
    [`${listing}?start_date=2024-02-30`, 'start_date is a day as YYYY-MM-DD; not "2024-02-30".'],
    [`${listing}?start_date=2024-2-3`, 'start_date is a day as YYYY-MM-DD'],
    [`${listing}?end_date=2024-01-01T00:00:00Z`, 'end_date is a day as YYYY-MM-DD'],
    [`${listing}?start_date=2024-02-02&end_date=2024-02-01`, 'start_date 2024-02-02 is after end_date 2024-02-01.'],
    [`${listing}?limit=1&limit=1`, 'limit is given more than once; give it once.'],
    [`${listing}?year=2020&year=2021`, 'year is given more than once; give it once, several values by comma.'],
    [`${listing}?colour=red`, 'Unknown parameter "colour"'],
    [
      `${listing}?bank=bank_of_japan`,
      'Unknown parameter "bank": the parameters are limit, offset, format, metric, year, start_date, end_date, bank_name, snapshot, as_of.',
    ],
    [
      '/v1/metrics/earnings/summary?symbol=AAPL',
      'Unknown parameter "symbol": the parameters are metric, year, start_date, end_date, ticker, quarter, date, snapshot, as_of.',
    ],
    [`${listing}?__proto__=1`, 'Unknown parameter "__proto__"'],
    [`${listing}?toString=1`, 'Unknown parameter "toString"'],
    [`${listing}?ticker=AAPL`, 'ticker is no filter of wcb; its filters are year, start_date, end_date, bank_name.'],
    [`${listing}?quarter=1`, 'quarter is no filter of wcb'],
    [`${listing}?date=2024-01-01`, 'date is no filter of wcb'],
    [`${listing}?snapshot=${'a'.repeat(16)}&as_of=2024-01-01`, 'snapshot and as_of are both given'],
    ['/v1/metrics/earnings/summary?bank_name=bank_of_japan', 'bank_name is no filter of earnings'],
    ['/v1/metrics/earnings/summary?quarter=5', 'quarter is a whole number from 1 to 4; not "5".'],
    ['/v1/metrics/earnings/summary?limit=1', 'Unknown parameter "limit"'],
    ['/v1/metrics/earnings/summary?date=2024-13-01', 'date is a day'],
    ['/v1/metrics?x=1', 'Unknown parameter "x": this address takes none.'],
    ['/v1/models?x=1', 'Unknown parameter "x"'],
    ['/v1/usage/me?days=0', 'days is a whole number from 1 to 365; not "0".'],
    ['/v1/usage/me?days=366', 'days is a whole number from 1 to 365'],
    [`${listing}/x/sentences?label=Hawkish`, 'label needs exactly one model'],
    [`${listing}/x/sentences?model=nope`, 'Unknown model "nope": wcb has cb_stance_label'],
    [
      `${listing}/x/sentences?model=cb_stance_label&label=Bullish`,
      'label is one of Hawkish, Dovish, Neutral, Irrelevant',
    ],
  ])('%s', (path, detail) => refused(path, 400, new RegExp(`^${detail.replaceAll(/[.*+?()[\]\\]/g, '\\$&')}`)));

  it('comes before 404', async () => {
    await refused('/v1/metrics/nope/documents?limit=0', 400, /^limit/);
    await refused(`${listing}?snapshot=${'a'.repeat(16)}&metric=nope`, 400, /^Unknown metric/);
    const sentences = `${listing}/x/sentences?snapshot=${'0'.repeat(16)}`;
    await refused(`${sentences}&model=bogus`, 400, /^Unknown model "bogus"/);
    await refused(`${sentences}&model=cb_stance_label&label=Bullish`, 400, /^label is one of/);
    await refused(`${sentences}&model=cb_stance_label&label=Hawkish`, 404, /^Snapshot not found/);
  });

  it('is JSON also where CSV was asked for', () => refused(`${listing}?format=csv&limit=0`, 400, /^limit/));
});

describe('what is not there is 404', () => {
  it.each([
    ['/v1/metrics/nope/documents', 'Dataset not found: nope'],
    ['/v1/metrics/constructor/summary', 'Dataset not found: constructor'],
    ['/v1/metrics/wcb%2Fx/summary', 'Dataset not found: wcb/x'],
    ['/v1/metrics/..%2F..%2Fetc/documents/passwd', 'Dataset not found: ../../etc'],
    [`/v1/metrics/wcb/documents?snapshot=${'a'.repeat(16)}`, `Snapshot not found: ${'a'.repeat(16)}`],
    ['/v1/metrics/wcb/documents?snapshot=../../wcb', 'Snapshot not found: ../../wcb'],
    ['/v1/metrics/wcb/summary?as_of=1999-01-01', 'Snapshot not found: none was published by 1999-01-01'],
    ['/v1/metrics/wcb/documents/nope', 'Document not found: nope'],
    ["/v1/metrics/wcb/documents/x'%20OR%201=1--/sentences", "Document not found: x' OR 1=1--"],
    ['/v1/nope', 'Not found'],
    ['/v1', 'Not found'],
    ['/nope', 'Not found'],
  ])('%s', (path, detail) => refused(path, 404, detail));
});

describe('a method that an address has not is 405 with Allow', () => {
  it.each([
    ['POST', '/v1/models', 'GET, HEAD'],
    ['DELETE', '/v1/metrics/wcb/documents', 'GET, HEAD'],
    ['PUT', '/v1/metrics/wcb/documents/x/sentences', 'GET, HEAD'],
    ['GET', '/v1/models/infer', 'POST'],
    ['PATCH', '/v1/models/infer/', 'POST'],
    ['OPTIONS', '/v1/usage/me', 'GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const init = method === 'GET' || method === 'OPTIONS' ? {} : { body: '{}' };
    const response = await fetch(`${service.address}${path}`, {
      method,
      headers: { 'x-api-key': service.key },
      ...init,
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    await failure(response);
  });
});

describe('POST /v1/models/infer refuses', () => {
  const one = [{ text: 'a' }];
  const model_id = 'cb_stance_label';
  it.each<readonly [string, unknown, string]>([
    ['no body', '', 'The body is empty'],
    ['broken JSON', '{"model_id":', 'The body is not valid JSON.'],
    ['an array', [], 'The body must be a JSON object'],
    ['null', 'null', 'The body must be a JSON object'],
    ['no model', { instances: one }, 'model_id must be'],
    ['a model that is no string', { model_id: 1, instances: one }, 'model_id must be'],
    ['no instances', { model_id }, 'instances must be an array'],
    ['instances that are none', { model_id, instances: {} }, 'instances must be an array'],
    ['empty instances', { model_id, instances: [] }, 'instances must be an array of at least one'],
    [
      '129 instances',
      { model_id, instances: new Array(129).fill({ text: 'a' }) },
      'instances has 129 entries; at most 128',
    ],
    ['a text that is no string', { model_id, instances: [...one, { text: 5 }] }, 'instances[1].text must be a string.'],
    ['an instance that is a string', { model_id, instances: ['a'] }, 'instances[0].text must be a string.'],
    ['null', { model_id, instances: [null] }, 'instances[0].text must be a string.'],
    ['an empty text', { model_id, instances: [...one, ...one, { text: '' }] }, 'instances[2].text is empty.'],
    ['a blank text', { model_id, instances: [{ text: ' \n\u00a0' }] }, 'instances[0].text is empty.'],
    [
      'a long text',
      { model_id, instances: [{ text: 'a'.repeat(32_769) }] },
      'instances[0].text has 32769 characters; at most 32768',
    ],
    [
      'a long text of characters that are two code units each',
      { model_id, instances: [{ text: `aa${'😀'.repeat(32_767)}` }] },
      'instances[0].text has 32769 characters; at most 32768',
    ],
    [
      'a text of so many code units that its characters need not be counted',
      { model_id, instances: [{ text: 'a'.repeat(65_537) }] },
      'instances[0].text has more than 32768 characters; at most 32768',
    ],
    ['parameters that are none', { model_id, instances: one, parameters: [] }, 'parameters must be an object.'],
    [
      'another return_scores',
      { model_id, instances: one, parameters: { return_scores: 1 } },
      'parameters.return_scores must be',
    ],
    ['a bad text of an unknown model', { model_id: 'nope', instances: [{}] }, 'instances[0].text'],
  ])('%s with 400, and classifies nothing', async (_, body, detail) => {
    const before = batches;
    const response = await service.post('/v1/models/infer', body);
    expect(response.status).toBe(400);
    expect(await failure(response)).toContain(detail);
    expect(batches).toBe(before);
  });

  it('bytes that are no UTF-8 with 400', async () => {
    const response = await fetch(`${service.address}/v1/models/infer`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect([response.status, await failure(response)]).toEqual([400, 'The body is not UTF-8.']);
  });

  it.each(['nope', '../../etc/passwd', 'ec_growth', 'constructor', "x'; DROP TABLE documents"])(
    'the model %j with 404',
    async (id) => {
      const response = await service.post('/v1/models/infer', { model_id: id, instances: one });
      expect([response.status, await failure(response)]).toEqual([404, `Model not found: ${id}`]);
    },
  );

  it('a model above the tier with 403, and not above it', async () => {
    const free = await service.newKey({ tier: 'free', monthlyLimit: undefined });
    const ask = (key: string): Promise<Response> =>
      service.post('/v1/models/infer', { model_id: PRO.id, instances: one }, { 'x-api-key': key });
    const response = await ask(free);
    expect(response.status).toBe(403);
    expect(await failure(response)).toBe('Insufficient tier for model cb_certain_label: requires pro');
    expect((await ask(await service.newKey({ tier: 'pro', monthlyLimit: undefined }))).status).toBe(200);
  });

  it('more than an enterprise account’s own batch size', async () => {
    const key = await service.newKey({ batchSize: 200 });
    const ask = (count: number): Promise<Response> =>
      service.post(
        '/v1/models/infer',
        { model_id, instances: new Array(count).fill({ text: 'a' }) },
        { 'x-api-key': key },
      );
    expect((await ask(200)).status).toBe(200);
    expect(await failure(await ask(201))).toContain('at most 200');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'none'])(
    '%s with 400',
    async (type) => {
      const response = await service.post('/v1/models/infer', '{}', { 'content-type': type });
      expect(response.status).toBe(400);
      expect(await failure(response)).toContain('application/json');
    },
  );

  it('a compressed body with 400', async () => {
    const response = await service.post('/v1/models/infer', '{}', { 'content-encoding': 'gzip' });
    expect([response.status, await failure(response)]).toEqual([400, expect.stringContaining('compressed')]);
  });

  it('millions of values with 400, before they become objects; commas within texts are none', async () => {
    const many = (count: number): string => `{"model_id":"${model_id}","instances":[${'{},'.repeat(count)}{}]}`;
    const response = await service.post('/v1/models/infer', many(1_000_000));
    expect([response.status, await failure(response)]).toEqual([400, 'The body has more than 100000 values.']);
    // These are few enough to be looked at one by one.
    expect(await failure(await service.post('/v1/models/infer', many(1000)))).toContain('instances has 1001 entries');
    const text = '{[,\\",'.repeat(4000);
    const texts = { model_id, instances: new Array(100).fill({ text }) };
    expect((await service.post('/v1/models/infer', texts)).status).toBe(200);
  });

  it('a body that is too large with 413', async () => {
    const response = await service.post('/v1/models/infer', `"${'a'.repeat(20_000_001)}"`);
    const allowed = 'that are allowed: send fewer texts a call';
    const detail = `The body has 20000003 bytes, more than the 20000000 ${allowed}`;
    expect([response.status, await failure(response)]).toEqual([413, detail]);
    const pieces = await fetch(`${service.address}/v1/models/infer`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: new Blob(['"', 'a'.repeat(20_000_000)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([pieces.status, await failure(pieces)]).toEqual([
      413,
      `The body has more than the 20000000 bytes ${allowed}`,
    ]);
  });

  it('a body that is too large with 413 that also arrives at a client that reads only when it has sent all', async () => {
    const length = 30_000_000;
    const head = `POST /v1/models/infer HTTP/1.1\r\nHost: a\r\nx-api-key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const next = `GET /v1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const answers = await raw(head + 'a'.repeat(length) + next);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 401']);
    // Like Python's urllib: it wants the connection closed, which must not break while it sends.
    const closing = await raw(head.replace('Host: a', 'Host: a\r\nConnection: close') + 'a'.repeat(length));
    expect(closing).toMatch(/^HTTP\/1\.1 413 .*connection: close.*\{"detail":"[^"]+"\}$/is);
    const chunk = `${(1_000_000).toString(16)}\r\n${'a'.repeat(1_000_000)}\r\n`;
    const pieces = await raw(
      `${head.replace(`Content-Length: ${length}`, 'Transfer-Encoding: chunked')}${chunk.repeat(30)}0\r\n\r\n`,
    );
    expect(pieces).toMatch(/^HTTP\/1\.1 413 .*\{"detail":"[^"]+"\}$/is);
    const endless = await raw(head.replace(String(length), '9999999999'));
    expect(endless).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
  });
});

describe('a large body that is not wanted', () => {
  it.each([
    ['a wrong key', 401, '/v1/models/infer', () => 'ftx_live_nobody'],
    ['an address that is none', 404, '/v1/nope', () => service.key],
  ])('because of %s is read past, and %i arrives at who closes the connection', async (_, status, path, key) => {
    const length = 10_000_000;
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${key()}\r\nContent-Length: ${length}\r\n\r\n`;
    expect(await raw(head + 'a'.repeat(length))).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*\\{"detail":"[^"]+"\\}$`, 's'),
    );
  });
});

describe('a fault of ours', () => {
  it('is 500 that tells nothing, and is in the log with its id', async () => {
    const response = await service.post(
      '/v1/models/infer',
      { model_id: 'cb_oil_relevancy', instances: [{ text: 'break' }] },
      { 'x-request-id': 'fault-1' },
    );
    expect([response.status, await failure(response)]).toEqual([500, 'Internal error']);
    expect(JSON.stringify(service.lines.filter(({ request_id: id }) => id === 'fault-1'))).toContain('/secret/place');
  });

  it('of the accounts is 503 with Retry-After: nothing is known about the key', async () => {
    const accounts = await openAccounts(':memory:');
    const broken = await startService(join(folder, 'broken'), {
      accounts: {
        ...accounts,
        findByKey: () => Promise.reject(new AccountsUnavailable('gone')),
        check: () => Promise.reject(new AccountsUnavailable('gone')),
      },
    });
    for (const path of ['/v1/models', '/health/ready']) {
      const response = await broken.get(path);
      expect([path, response.status]).toEqual([path, 503]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await failure(response);
    }
    expect((await broken.get('/health/live')).status).toBe(200);
    await broken.stop();
    await accounts.close();
  });
});

describe('bytes that are no request', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['POST /v1/models/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ])('get one text as JSON', async (bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(Object.keys(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))).toEqual(['detail']);
    for (const header of ['x-content-type-options: nosniff', 'cache-control: no-store', 'x-request-id: '])
      expect(answer.toLowerCase()).toContain(header);
    const [, id] = /x-request-id: (\S+)/i.exec(answer) ?? [];
    expect(service.lines.filter(({ request_id }) => request_id === id)).toMatchObject([{ msg: 'request', status }]);
  });

  it('an expectation that nobody knows is passed over', async () => {
    const answer = await raw(
      'GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('an address with a broken escape where no key is needed is 400', async () => {
    const answer = await raw('GET /explorer/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\{"detail":"[^"]+"\}$/);
  });
});

describe('an address that cannot be read', () => {
  const ADDRESSES = [
    ['has a broken escape', '/v1/metrics/%zz/documents', 400, 1],
    ['is too long', `/v1/metrics/${'a'.repeat(600)}/summary`, 414, 0],
  ] as const;
  const ask = async (path: string, headers = ''): Promise<readonly [status: number, head: string, body: string]> => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return [Number(head.split(' ')[1]), head.toLowerCase(), body];
  };

  it.each(ADDRESSES)('because it %s is 401 without a key, like any other', async (_, path) => {
    for (const key of ['', 'x-api-key: ftx_live_nobody\r\n']) {
      const [status, head, body] = await ask(path, key);
      expect([status, body]).toEqual([401, '{"detail":"Invalid or missing API key"}']);
      for (const header of ['www-authenticate: ', 'x-content-type-options: nosniff', 'x-request-id: '])
        expect(head).toContain(header);
    }
  });

  it.each(ADDRESSES)(
    'because it %s takes from the quota what its status takes, and is logged',
    async (_, path, status, counts) => {
      const key = await service.newKey({ monthlyLimit: 2 });
      const before = service.lines.length;
      const [first, head, body] = await ask(path, `x-api-key: ${key}\r\n`);
      expect([first, Object.keys(JSON.parse(body) as object)]).toEqual([status, ['detail']]);
      expect(head).toContain(`ratelimit: "month";r=${2 - counts};`);
      await expect
        .poll(() => service.lines.slice(before).filter(({ msg, status: told }) => msg === 'request' && told === status))
        .toHaveLength(1);
      for (let spent: number = counts; spent < 2; spent += 1)
        expect((await service.get('/v1/models', { 'x-api-key': key })).status).toBe(200);
      expect((await ask(path, `x-api-key: ${key}\r\n`))[0]).toBe(429);
    },
  );
});

describe('an answer', () => {
  it('carries the caller’s request id, or a new one where it is unfit', async () => {
    const echo = async (id: string): Promise<string | null> =>
      (await service.get('/v1/models', { 'x-request-id': id })).headers.get('x-request-id');
    expect(await echo('abc-1:2.3_4')).toBe('abc-1:2.3_4');
    expect(await echo('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await echo('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is found with a trailing slash too', async () => {
    expect(await (await service.get('/v1/models/')).json()).toEqual(await (await service.get('/v1/models')).json());
  });

  it('to HEAD has the headers of GET and no body', async () => {
    for (const path of ['/v1/models', '/v1/metrics/wcb/documents?limit=5', '/v1/metrics/wcb/summary', '/health/live']) {
      const head = await fetch(`${service.address}${path}`, { method: 'HEAD', headers: { 'x-api-key': service.key } });
      const get = await service.get(path);
      expect(await head.text()).toBe('');
      expect(head.status).toBe(200);
      for (const name of ['content-type', 'etag', 'x-total-count', 'x-snapshot', 'link', 'cache-control'])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    }
  });

  it.each([
    '/v1/models',
    '/v1/metrics',
    '/v1/metrics/wcb/documents?limit=5',
    '/v1/metrics/wcb/documents?format=csv',
    '/v1/metrics/wcb/summary',
  ])('%s has a strong ETag of its own for each coding, and is 304 to who holds it', async (path) => {
    const tags = new Set<string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const first = await service.get(path, { 'accept-encoding': coding });
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect(first.headers.get('cache-control')).toMatch(/^private/);
      expect(first.headers.get('vary')).toContain('accept-encoding');
      tags.add(etag);
      for (const held of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
        const again = await service.get(path, { 'accept-encoding': coding, 'if-none-match': held });
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
        // The length of the 200 would be allowed, and 0 is another one.
        expect(again.headers.get('content-length')).toBeNull();
      }
      const other = await service.get(path, { 'accept-encoding': coding, 'if-none-match': '"x"' });
      expect(other.status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it('differs in its ETag by what was asked, not by how', async () => {
    const tag = async (query: string): Promise<string | null> =>
      (await service.get(`/v1/metrics/wcb/documents?${query}`)).headers.get('etag');
    expect(await tag('year=2001,2002&limit=5')).toBe(await tag('limit=5&year=2002,2001,2002'));
    expect(await tag('metric=stance,uncertainty')).toBe(await tag('metric=uncertainty,stance&offset=0&limit=1000'));
    const tags = await Promise.all(
      ['limit=5', 'limit=6', 'limit=5&offset=1', 'limit=5&format=csv', 'limit=5&year=2001'].map(tag),
    );
    expect(new Set(tags).size).toBe(5);
  });

  it.each(['gzip', 'br'])('comes as %s where asked for', async (coding) => {
    const plain = await service.get('/v1/metrics', { 'accept-encoding': 'identity' });
    const coded = await service.get('/v1/metrics', { 'accept-encoding': coding });
    expect([plain.headers.get('content-encoding'), coded.headers.get('content-encoding')]).toEqual([null, coding]);
    expect(await coded.json()).toEqual(await plain.json());
  });

  it.each([
    ['*', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0, *', null],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['BR;Q=0.4, gzip;q=0.3', 'br'],
    ['deflate, zstd', null],
    ['identity', null],
  ])('to who accepts %s has the tag of the bytes that are sent', async (accepted, coding) => {
    for (const path of ['/v1/metrics', '/']) {
      const response = await service.get(path, { 'accept-encoding': accepted });
      const etag = response.headers.get('etag') ?? '';
      expect([response.headers.get('content-encoding'), /-(\w+)"$/.exec(etag)?.[1] ?? null]).toEqual([coding, coding]);
    }
  });

  it('to who wants no compression has the tag of the plain bytes', async () => {
    const plain = await service.get('/v1/metrics', { 'accept-encoding': 'identity' });
    const refused = await service.get('/v1/metrics', { 'accept-encoding': 'br', 'x-no-compression': '1' });
    expect(refused.headers.get('content-encoding')).toBeNull();
    expect(refused.headers.get('etag')).toBe(plain.headers.get('etag'));
  });

  it('names each file that is no JSON', async () => {
    const response = await service.get('/v1/metrics/wcb/documents?format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="wcb.csv"');
  });
});

/** Sends bytes as they are and returns what comes back. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.address);
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
