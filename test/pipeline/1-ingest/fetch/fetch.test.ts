import { writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPace } from '../../../../pipeline/1-ingest/fetch/pace.js';
import { hashText } from '../../../../src/files.js';
import { temporaryFolder } from '../../../support/rig.js';
import { failingFirst, openWebServer, page, redirect, status, type WebServer } from '../../../support/web-server.js';
import { faultOf, openFetchRig, textOf, whyOf } from './rig.js';

const rig = openFetchRig(temporaryFolder());
const { fetch } = rig;
let web: WebServer;
beforeAll(async () => {
  web = await openWebServer();
});
beforeEach(() => {
  web.asked.length = 0;
});
afterAll(() => web.close());

let count = 0;
/** A new address that answers in this way. */
const at = (handler: Parameters<typeof page>[0] | WebServer['pages'][string], ending = ''): string => {
  count += 1;
  const path = `/${count}${ending}`;
  web.pages[path] = typeof handler === 'string' ? page(handler) : handler;
  return web.at(path);
};

describe('a document at an address', () => {
  it('is fetched whole and kept by its content', async () => {
    const fetched = await fetch(at('Rates rose.'));
    expect(fetched).toMatchObject({ kind: 'content', state: 'new', extension: '.txt', bytes: 11 });
    expect(fetched).toHaveProperty('file', rig.outputs.rawFile(hashText('Rates rose.')));
    expect(textOf(fetched)).toBe('Rates rose.');
    expect(rig.leftovers()).toEqual([]);
  });

  it('is asked whether it has changed, and sent again only when it has', async () => {
    const url = at(page('First.', { etag: '"1"' }));
    await fetch(url);
    let sent: string | undefined;
    web.pages[new URL(url).pathname] = (request, answer) => {
      sent = request.headers['if-none-match'];
      page('First.', { etag: '"1"' })(request, answer);
    };
    const again = await fetch(url);
    expect(sent).toBe('"1"');
    expect(again).toMatchObject({ state: 'unchanged' });
    expect(textOf(again)).toBe('First.');
    web.pages[new URL(url).pathname] = page('Second.', { etag: '"2"' });
    const changed = await fetch(url);
    expect(changed).toMatchObject({ state: 'changed' });
    expect(textOf(changed)).toBe('Second.');
  });

  it('is unchanged where the server sends the same again under another etag, or none', async () => {
    const url = at(page('Same.', { etag: '"1"' }));
    await fetch(url);
    web.pages[new URL(url).pathname] = page('Same.', { etag: '"2"' });
    expect(await fetch(url)).toMatchObject({ state: 'unchanged' });
    web.pages[new URL(url).pathname] = page('Same.');
    expect(await fetch(url)).toMatchObject({ state: 'unchanged' });
  });

  it('is fetched anew where its kept content is damaged', async () => {
    const url = at(page('Whole.', { etag: '"1"' }));
    const first = await fetch(url);
    writeFileSync(first.kind === 'content' ? first.file : '', 'Torn.');
    expect(textOf(await fetch(url))).toBe('Whole.');
  });

  it('tells an etag only to the address that gave it', async () => {
    const first = at(page('One.', { etag: '"1"' }));
    const url = at(redirect(first));
    await fetch(url);
    // The new target calls another content by the same etag.
    web.pages[new URL(url).pathname] = redirect(at(page('Two.', { etag: '"1"' })));
    expect(textOf(await fetch(url))).toBe('Two.');
  });

  it('unpacks what the server packed', async () => {
    const packed =
      (encoding: string, bytes: Buffer): WebServer['pages'][string] =>
      (_request, answer) =>
        answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(bytes);
    expect(textOf(await fetch(at(packed('gzip', gzipSync('Packed.')))))).toBe('Packed.');
    expect(textOf(await fetch(at(packed('br', brotliCompressSync('Packed.')))))).toBe('Packed.');
    expect(whyOf(await fetch(at(packed('zstd', Buffer.from('x')))))).toContain('packed its answer as zstd');
    expect(whyOf(await fetch(at(packed('gzip', Buffer.from('no gzip')))))).toContain('incorrect header check');
    expect(whyOf(await fetch(at(packed('gzip', gzipSync('Packed text.').subarray(0, 20)))))).toContain(
      'unexpected end',
    );
  });
});

describe('its format', () => {
  const html = '<!doctype html><title>Minutes</title><p>Rates rose.';
  it.each([
    ['text/html; charset=utf-8', '', html, '.html'],
    ['text/plain', '.md', '# Minutes', '.md'],
    ['text/plain', '', 'Minutes', '.txt'],
    ['application/octet-stream', '.txt', 'Minutes', '.txt'],
    ['application/octet-stream', '', '%PDF-1.7', '.pdf'],
    ['application/pdf', '.html', '%PDF-1.7', '.pdf'],
    ['application/json', '', '[]', '.json'],
    ['application/zip', '.docx', 'PK\u0003\u0004', '.docx'],
    ['', '.html', html, '.html'],
  ])('is known for %s at an address that ends in "%s"', async (type, ending, text, expected) => {
    const send: WebServer['pages'][string] = (_request, answer) => {
      if (type !== '') answer.setHeader('content-type', type);
      answer.end(text);
    };
    expect(await fetch(at(send, ending))).toMatchObject({ extension: expected });
  });

  it.each([
    ['text/html', '.pdf', html, 'the server sent text/html in place of a pdf file'],
    ['text/plain', '.pdf', 'Please log in.', 'the server sent text/plain in place of a pdf file'],
    ['image/png', '', '\u0089PNG', 'the server sent image/png, which no format reads'],
    ['application/octet-stream', '', '\u0000\u0001\u0002', 'which no format reads'],
  ])('is refused for %s at an address that ends in "%s"', async (type, ending, text, why) => {
    expect(whyOf(await fetch(at(page(text, { type }), ending)))).toContain(why);
  });
});

describe('a server that fails', () => {
  it.each([
    ['answers 500', status(500)],
    ['answers 503', status(503)],
    ['answers 408', status(408)],
    ['answers 429', status(429, { 'retry-after': '0' })],
    ['hangs up', (request: Parameters<WebServer['pages'][string]>[0]) => request.socket.destroy()],
    [
      'sends half the document',
      (_request: unknown, answer: Parameters<WebServer['pages'][string]>[1]) => {
        answer.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' }).write('Half of ');
        setTimeout(() => answer.destroy(), 20);
      },
    ],
  ] as const)('and %s is asked again', async (_name, fail) => {
    const fetched = await fetch(at(failingFirst(2, fail, page('At last.'))));
    expect(textOf(fetched)).toBe('At last.');
    expect(web.asked).toHaveLength(3);
    expect(rig.leftovers()).toEqual([]);
  });

  it('in passing for ever is asked a few times, and the reason is kept', async () => {
    expect(whyOf(await fetch(at(status(503))))).toBe('the server answered 503');
    expect(web.asked).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 410, 204, 206, 304])('with %i is asked once', async (code) => {
    expect(whyOf(await fetch(at(status(code))))).toBe(`the server answered ${code}`);
    expect(web.asked).toHaveLength(1);
  });

  it('leaves the last content in place, with the reason', async () => {
    const url = at(page('The last.', { etag: '"1"' }));
    await fetch(url);
    for (const fail of [status(404), status(500), page('<html>Log in', { type: 'image/gif' }), status(200)]) {
      web.pages[new URL(url).pathname] = fail;
      const kept = await fetch(url);
      expect(kept).toMatchObject({ state: 'kept' });
      expect(whyOf(kept)).toMatch(/the server (answered|sent)/);
      expect(textOf(kept)).toBe('The last.');
    }
  });

  it('waits as long as the server asks, and no longer than is bearable', async () => {
    const began = Date.now();
    await fetch(at(failingFirst(1, status(429, { 'retry-after': '1' }), page('Now.'))));
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
    web.asked.length = 0;
    const [first, second] = await rig.fetchMany([at(status(429, { 'retry-after': '3600' })), at('Never asked.')]);
    expect(first).toMatchObject({ kind: 'nothing', why: 'the server answered 429' });
    expect(second).toMatchObject({ why: 'localhost did not answer and is not asked again in this run' });
    expect(web.asked).toHaveLength(1);
  });

  it('is given up after three documents in a row, so that a dead host does not take the night', async () => {
    const dead: WebServer['pages'][string] = (request) => request.socket.destroy();
    const urls = [dead, dead, dead, page('Never.'), page('Nor this.')].map((one) => at(one));
    const all = await rig.fetchMany(urls);
    expect(all.map((one) => whyOf(one).includes('not asked again'))).toEqual([false, false, false, true, true]);
    expect(web.asked).toHaveLength(9);
  });

  it('that answers is asked for the others too, for each only once while it goes on failing', async () => {
    const urls = [status(500), status(502), status(503), status(500), page('This.'), status(500)].map((one) => at(one));
    const all = await rig.fetchMany(urls);
    expect(all.map(({ kind }) => kind)).toEqual(['nothing', 'nothing', 'nothing', 'nothing', 'content', 'nothing']);
    // Three attempts each, then one, one, and three again.
    expect(web.asked).toHaveLength(9 + 1 + 1 + 3);
  });

  it('is not to be found is said as it is', async () => {
    expect(whyOf(await fetch('http://nowhere.invalid/'))).toMatch(/the connection failed: .*nowhere\.invalid/);
    const closed = await openWebServer();
    await closed.close();
    expect(whyOf(await fetch(closed.at('/')))).toContain('ECONNREFUSED');
  });
});

describe('what is published of an address that gives nothing', () => {
  const packed =
    (bytes: Buffer, encoding = 'gzip'): WebServer['pages'][string] =>
    (_request, answer) =>
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(bytes);

  it.each([
    ['no_answer', status(503)],
    ['no_answer', status(429)],
    ['no_answer', packed(gzipSync('Packed text.').subarray(0, 20))],
    ['not_there', status(404)],
    ['not_there', status(410)],
    ['not_allowed', status(403)],
    ['no_document', status(204)],
    ['no_document', page('')],
    ['redirect', redirect('ftp://example.org/')],
    ['packing', packed(Buffer.from('no gzip'))],
    ['packing', packed(Buffer.from('no brotli, for sure'), 'br')],
    ['packing', packed(Buffer.from('x'), 'zstd')],
    ['too_large', page('x'.repeat(200_000))],
    ['format', page('x', { type: 'image/png' })],
  ] as const)('is one of a few reasons: %s', async (fault, handler) => {
    expect(faultOf(await fetch(at(handler)))).toBe(fault);
  });

  it('is that its address is not public, wherever it leads', async () => {
    expect(faultOf(await fetch(at('Inner.'), { mayConnect: () => false }))).toBe('not_public');
  });
});

describe('time and size', () => {
  it('are bounded for a server that does not answer, or drips', async () => {
    const drip: WebServer['pages'][string] = (_request, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => answer.write('.'), 20);
      answer.on('close', () => clearInterval(timer));
    };
    for (const slow of [drip, () => undefined]) {
      const began = Date.now();
      const retries = { attempts: 2, firstMs: 1, longestMs: 1 };
      expect(whyOf(await fetch(at(slow), { timeoutMs: 150, retries }))).toBe(
        'it took longer than 0.15 s (--fetch-seconds)',
      );
      expect(Date.now() - began).toBeLessThan(1500);
    }
    expect(rig.leftovers()).toEqual([]);
  });

  it('are bounded for a body without end, one that says so, and one that unpacks to too much', async () => {
    const endless: WebServer['pages'][string] = (_request, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' });
      const send = (): void => {
        while (!answer.destroyed && answer.write(Buffer.alloc(10_000, 'x')));
      };
      answer.on('drain', send).on('error', () => undefined);
      send();
    };
    const large: WebServer['pages'][string] = (_request, answer) => {
      answer.writeHead(200, { 'content-length': '100001' }).write('x');
    };
    const bomb: WebServer['pages'][string] = (_request, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    };
    for (const fail of [endless, large, bomb]) {
      web.asked.length = 0;
      expect(whyOf(await fetch(at(fail)))).toContain('the document is larger than 0 MiB (--fetch-mb)');
      expect(web.asked).toHaveLength(1);
    }
    expect(rig.leftovers()).toEqual([]);
  });

  it('are spent on one request at a time to a host, with a gap after each', async () => {
    const signal = new AbortController().signal;
    const now = (): Date => new Date();
    const began = Date.now();
    const pace = openPace({ gapMs: 100, now, signal });
    await rig.fetchMany([at('a'), at('b'), at(redirect(at('c')))], { pace });
    expect(Date.now() - began).toBeGreaterThanOrEqual(295);
    expect(web.busiest()).toBe(1);
  });

  it('end at once when the run is stopped', async () => {
    const stopping = new AbortController();
    const reason = new Error('Stopped by hand.');
    setTimeout(() => stopping.abort(reason), 50);
    await expect(
      fetch(
        at(() => undefined),
        { signal: stopping.signal },
      ),
    ).rejects.toBe(reason);
    expect(rig.leftovers()).toEqual([]);
  });
});
