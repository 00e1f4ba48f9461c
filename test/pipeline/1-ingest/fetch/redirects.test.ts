import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../../pipeline/1-ingest/fetch/public-address.js';
import { temporaryFolder } from '../../../support/rig.js';
import { openWebServer, page, redirect, status, type WebServer } from '../../../support/web-server.js';
import { openFetchRig, textOf, whyOf } from './rig.js';

const rig = openFetchRig(temporaryFolder());
const { fetch } = rig;
let web: WebServer;
/** What must not be reached. */
let inner: WebServer;
beforeAll(async () => {
  web = await openWebServer();
  inner = await openWebServer({ '/': page('A secret of the inner network.') });
});
afterAll(() => Promise.all([web.close(), inner.close()]));

/** Lets the first connection go to the test's server, which stands for a public one, and checks the others as in a run. */
const onlyFirst = (): ((address: string) => boolean) => {
  let calls = 0;
  return (address) => {
    calls += 1;
    return calls === 1 || isPublicAddress(address);
  };
};

const lookupOf =
  (answers: readonly (readonly string[])[], asked: string[] = []): LookupFunction =>
  (hostname, _options, callback) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

describe('a redirect', () => {
  it('is followed, wherever it stands, at most five times', async () => {
    web.pages['/0'] = page('Arrived.');
    for (let hop = 1; hop <= 6; hop += 1)
      web.pages[`/${hop}`] = redirect(hop % 2 === 0 ? web.at(`/${hop - 1}`) : `${hop - 1}`);
    expect(textOf(await fetch(web.at('/5')))).toBe('Arrived.');
    expect(whyOf(await fetch(web.at('/6')))).toBe('the server redirects more than 5 times');
    web.pages['/loop'] = redirect('/loop');
    expect(whyOf(await fetch(web.at('/loop')))).toBe('the server redirects more than 5 times');
  });

  it.each([
    ['127.0.0.1', (port: number) => `http://${'127.0.0.1'}:${port}/`],
    ['localhost', (port: number) => `http://localhost:${port}/`],
    ['a decimal number', (port: number) => `http://${2 ** 31 - 1 - (2 ** 24 - 2)}:${port}/`],
    ['a hexadecimal number', (port: number) => `http://0x7f000001:${port}/`],
    ['an octal number', (port: number) => `http://0177.0.0.1:${port}/`],
    ['a short form', (port: number) => `http://127.1:${port}/`],
    ['IPv6 loopback', (port: number) => `http://[::1]:${port}/`],
    ['mapped loopback', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['any address', (port: number) => `http://0:${port}/`],
    ['cloud metadata', () => `http://${'169.254.169.254'}/latest/meta-data/`],
    ['a private network', () => `http://${'10.0.0.1'}/`],
  ])('to %s is refused', async (_name, target) => {
    web.pages['/'] = redirect(target(inner.port));
    expect(whyOf(await fetch(web.at('/'), { mayConnect: onlyFirst() }))).toMatch(/is no public address/);
    expect(inner.asked).toEqual([]);
  });

  it.each([
    ['file:///etc/passwd', 'file: is not asked'],
    ['ftp://example.org/', 'ftp: is not asked'],
    ['https://me:secret@example.org/', 'a user or a password'],
    ['//me:secret@example.org/', 'a user or a password'],
    ['https://me:sec/secret@example.org/', 'that is no address'],
    ['http://', 'that is no address'],
  ])('to %s is refused', async (target, why) => {
    web.pages['/'] = redirect(target);
    const said = whyOf(await fetch(web.at('/')));
    expect(said).toContain(why);
    expect(said).not.toContain('secret');
  });

  it('to nowhere is refused', async () => {
    web.pages['/'] = status(302);
    expect(whyOf(await fetch(web.at('/')))).toBe('the server redirects to nowhere: that is no address');
  });
});

describe('a name', () => {
  it('that leads to a private address is refused, and says where it leads', async () => {
    const answer = await fetch(`http://public.test:${inner.port}/`, {
      mayConnect: isPublicAddress,
      lookup: lookupOf([['127.0.0.1', '::1']]),
    });
    expect(whyOf(answer)).toContain('public.test leads to 127.0.0.1, ::1, which is no public address');
    expect(inner.asked).toEqual([]);
  });

  it('is looked up once, and what was checked is what is connected to', async () => {
    web.pages['/name'] = page('Public.');
    const asked: string[] = [];
    // Of two addresses only one may be asked; a second look-up would lead elsewhere.
    const lookup = lookupOf([['10.0.0.1', '127.0.0.1'], ['10.0.0.1']], asked);
    const answer = await fetch(`http://public.test:${web.port}/name`, {
      lookup,
      mayConnect: (address) => address === '127.0.0.1',
    });
    expect(textOf(answer)).toBe('Public.');
    expect(asked).toEqual(['public.test']);
  });

  it('that leads to an inner address the second time is refused the second time', async () => {
    web.pages['/rebind'] = redirect(`http://public.test:${inner.port}/`);
    const answer = await fetch(`http://public.test:${web.port}/rebind`, {
      lookup: lookupOf([['127.0.0.1'], ['127.0.0.1']]),
      mayConnect: onlyFirst(),
    });
    expect(whyOf(answer)).toContain('is no public address');
    expect(inner.asked).toEqual([]);
  });
});
