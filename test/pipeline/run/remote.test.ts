import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FETCH_FAULTS } from '../../../pipeline/1-ingest/fetch/faults.js';
import type { RemoteDocument } from '../../../pipeline/1-ingest/source.js';
import type { From } from '../../../pipeline/run/listing.js';
import { askRemote, type RemoteOptions, toFetched } from '../../../pipeline/run/remote.js';
import { outputsIn } from '../../../src/outputs.js';
import { readSettings } from '../../../src/settings.js';
import { temporaryFolder } from '../../support/rig.js';
import { type Handler, openWebServer, page, status, type WebServer } from '../../support/web-server.js';

const root = temporaryFolder();
let web: WebServer;
beforeAll(async () => {
  web = await openWebServer();
});
afterAll(() => web.close());

let runs = 0;
/** What a run with these settings makes of an address that answers in this way. */
const ask = async (url: string, settings: Partial<RemoteOptions['settings']> = {}) => {
  runs += 1;
  const scratch = join(root, `scratch-${runs}`);
  mkdirSync(scratch);
  const read = askRemote({
    outputs: outputsIn(join(root, `outputs-${runs}`)),
    settings: { ...readSettings({ fetchGapMs: '0', privateAddresses: 'allow' }, {}), ...settings },
    scratch,
    signal: new AbortController().signal,
    now: () => new Date(),
    random: () => 0,
    onProgress: () => undefined,
  });
  const address = new URL(url);
  const document: From<RemoteDocument> = {
    input: '/corpora/wcb',
    dataset: 'wcb',
    documentId: 'a',
    partition: 'bank_of_japan/2024',
    dimensions: {},
    title: null,
    sourceUrl: null,
    path: address.href,
    url: address,
  };
  const found = toFetched(document, (await read([address])).get(address.href));
  if (found.kind !== 'reject') throw new Error(`The address gave ${found.kind}.`);
  return { reason: found.reject.reason.replace(url, '<url>'), why: found.why };
};

describe('the reason of an address that gives nothing', () => {
  it('is the same whatever passing failure it was, and however long this machine waits', async () => {
    const handlers: Readonly<Record<string, Handler>> = {
      '/500': status(500),
      '/503': status(503),
      '/429': status(429),
      '/late': status(429, { 'retry-after': '3600' }),
      '/slow': () => undefined,
      '/hangs-up': (request) => request.socket.destroy(),
      '/half': (_request, answer) => {
        answer.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' }).write('Half of ');
        setTimeout(() => answer.destroy(), 20);
      },
    };
    Object.assign(web.pages, handlers);
    const found = await Promise.all([
      ...Object.keys(handlers).map((path) => ask(web.at(path), { fetchSeconds: 1 })),
      ask(web.at('/slow'), { fetchSeconds: 0.1 }),
      ask('http://nowhere.invalid/'),
      ask('http://localhost:1/'),
    ]);
    expect(new Set(found.map(({ reason }) => reason))).toEqual(
      new Set([`<url> could not be fetched: ${FETCH_FAULTS.no_answer}`]),
    );
    // The log has what happened.
    expect(new Set(found.map(({ why }) => why)).size).toBeGreaterThan(5);
    expect(found.map(({ why }) => why)).toContain('it took longer than 0.1 s (--fetch-seconds)');
  }, 60_000);

  it('is the same whatever size is allowed', async () => {
    web.pages['/large'] = page('x'.repeat(3 << 20));
    const found = await Promise.all([1, 2].map((fetchMb) => ask(web.at('/large'), { fetchMb })));
    expect(found).toEqual(
      [1, 2].map((fetchMb) => ({
        reason: `<url> could not be fetched: ${FETCH_FAULTS.too_large}`,
        why: `the document is larger than ${fetchMb} MiB (--fetch-mb)`,
      })),
    );
  });

  it('names no number, of a setting or of anything else', () => {
    for (const reason of Object.values(FETCH_FAULTS)) expect(reason).not.toMatch(/\d/);
  });
});
