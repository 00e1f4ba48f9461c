import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/rig.js';
import { type Running, startService } from '../../support/service.js';

const folder = temporaryFolder();
let service: Running;

beforeAll(async () => {
  service = await startService(join(folder, 'empty'));
});

afterAll(() => service.stop());

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${service.address}${path}`, init);

/** The page and, from it on, every file that a file names. */
const closure = async (): Promise<ReadonlyMap<string, { readonly type: string; readonly text: string }>> => {
  const found = new Map<string, { readonly type: string; readonly text: string }>();
  const read = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    found.set(path, { type: response.headers.get('content-type') ?? '', text });
    const names =
      path === '/'
        ? [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, name]) => name ?? '').filter((name) => name !== 'docs')
        : [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, name]) => name ?? '');
    for (const name of names) await read(new URL(name, `http://host${path}`).pathname);
  };
  await read('/');
  return found;
};

describe('the page at /', () => {
  it('needs no key, and every file that it names is served as what it is', async () => {
    const files = await closure();
    const types = [...files].map(([path, { type }]) => [path.replace(/^.*\.|^\/$/, ''), type]);
    expect(new Map(types as [string, string][])).toEqual(
      new Map([
        ['', 'text/html; charset=utf-8'],
        ['svg', 'image/svg+xml'],
        ['css', 'text/css; charset=utf-8'],
        ['js', 'text/javascript; charset=utf-8'],
      ]),
    );
    expect(files.size).toBeGreaterThan(10);
  });

  it('has no script, style or handler in its markup, and names no other host', async () => {
    for (const [path, { text }] of await closure()) {
      if (path === '/') {
        expect(text.match(/<style|\sstyle=|\son[a-z]+=|javascript:/g)).toBeNull();
        expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="explorer/main.js">']);
      }
      const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
      expect([path, hosts.filter((host) => host !== 'www.w3.org')]).toEqual([path, []]);
    }
  });

  it('makes no markup of text anywhere, and keeps the key nowhere but in the tab', async () => {
    for (const [path, { text }] of await closure()) {
      const markup =
        /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|eval)\b/;
      expect([path, markup.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, /\b(localStorage|indexedDB|document\.cookie)\b/.exec(text)?.[0]]).toEqual([path, undefined]);
    }
  });

  it('comes with a policy that lets nothing in but its own files', async () => {
    for (const path of ['/', '/explorer/main.js', '/explorer/explorer.css']) {
      const { headers } = await get(path);
      const policy = (headers.get('content-security-policy') ?? '').split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy.join()).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('is asked for again each time, and not sent where the browser has it', async () => {
    const headers = { 'accept-encoding': 'br' };
    const first = await get('/', { headers });
    expect([first.headers.get('cache-control'), first.headers.get('content-encoding')]).toEqual(['no-cache', 'br']);
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/', { headers: { ...headers, 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('content-length')]).toEqual([304, '', null]);
    const plain = await get('/', { headers: { 'accept-encoding': 'identity', 'if-none-match': etag } });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('etag')).not.toBe(etag);
  });

  it('answers HEAD without a body, and other methods with 405', async () => {
    const head = await get('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const path of ['/', '/explorer/main.js']) {
      const response = await get(path, { method: 'POST', body: '{}' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it.each([
    '/explorer/',
    '/explorer/nope.js',
    '/explorer/../server.js',
    '/explorer/%2e%2e/server.js',
    '/explorer/main.ts',
  ])('serves nothing else: %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: 'Not found' });
  });
});
