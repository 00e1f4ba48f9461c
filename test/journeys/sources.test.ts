import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashText } from '../../src/files.js';
import { entryPoint } from '../../src/package-root.js';
import { idOf, manifestOf, type Night, openNights, textOf } from '../support/nightly.js';
import { openWebServer, page, status, type WebServer } from '../support/web-server.js';

const ids = (...months: readonly number[]): readonly string[] => months.map(idOf);

describe('a document that goes from its folder', () => {
  const nights = openNights();
  const FILES = ['1.txt', '2.txt', '3.txt', '4.txt'];
  let first: Night;

  beforeAll(async () => {
    for (const [at, file] of FILES.entries()) nights.write(`corpus/${file}`, textOf(at + 1));
    nights.write('corpus/manifest.csv', manifestOf(FILES));
    first = await nights.rebuild(['corpus']);
  });

  it('stays in the same snapshot, with a note and nothing made again', async () => {
    nights.remove('corpus/2.txt');
    const night = await nights.rebuild(['corpus']);
    expect(night.snapshot).toBe(first.snapshot);
    expect(night.ingested).toBe(0);
    expect(night.notes).toContain(`Gone from their folders, and kept: 1 (${idOf(2)})`);
    expect(night.events).toContainEqual(
      expect.objectContaining({
        type: 'doubted',
        doubt: expect.stringMatching(/^it is gone from .*; what was read on/),
      }),
    );
  });

  it('stays when its row is gone too, and when all that was made of it has to be made again', async () => {
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '', '3.txt', '4.txt']));
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(first.snapshot);
    rmSync(nights.outputs.work('wcb'), { recursive: true });
    const night = await nights.rebuild(['corpus']);
    expect(night.snapshot).toBe(first.snapshot);
    expect(night.ingested).toBe(1);
  });

  it('does not come along when other folders are read', async () => {
    nights.write('other/9.txt', textOf(9));
    nights.write('other/manifest.csv', manifestOf(['', '', '', '', '9.txt']));
    expect((await nights.rebuild(['other'])).documents).toEqual(ids(5));
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(first.snapshot);
    expect((await nights.rebuild(['corpus', 'other'])).documents).toEqual(ids(1, 2, 3, 4, 5));
  });

  it('is left out of a second folder that holds it under the same path, and the log names both', async () => {
    nights.write('twin/1.txt', textOf(8));
    nights.write('twin/manifest.csv', manifestOf(['1.txt']));
    const night = await nights.rebuild(['corpus', 'twin']);
    expect(night.rejects['1.txt']).toContain('1.txt in input folder 1, which comes first and is kept');
    expect(night.rejects['1.txt']).not.toContain(nights.folder);
    expect(night.notes).toContain(`${nights.input('twin/1.txt')} for ${nights.input('corpus/1.txt')}`);
  });

  it('is forgotten for good when somebody says so, and only then', async () => {
    const forget = [idOf(2)];
    const before = (await nights.rebuild(['corpus'])).snapshot;
    const [inspection] = await nights.inspect(['corpus'], { forget });
    expect(inspection).toMatchObject({ documents: 3, recalled: 0 });
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(before);

    // A store that cannot be opened: the run fails when the snapshot is made, and can be run again as it was.
    const settings = { ...nights.settings, publish: 's3://nowhere/published' };
    for (const _attempt of [1, 2]) {
      await expect(nights.rebuild(['corpus'], { forget, settings })).rejects.toThrow(
        /is published here, but not brought to/,
      );
    }
    expect((await nights.rebuild(['corpus'], { forget })).documents).toEqual(ids(1, 3, 4));
    expect((await nights.rebuild(['corpus'])).documents).toEqual(ids(1, 3, 4));
    // Snapshots of before are kept, and can be gone back to: its file goes with the last of them.
    expect(existsSync(nights.outputs.rawFile(hashText(textOf(2))))).toBe(true);
  });

  it('is forgotten by an attempt after one that has done so already', async () => {
    const night = await nights.rebuild(['corpus'], { forget: [idOf(2)], attempts: 'tonight' });
    expect(night.documents).toEqual(ids(1, 3, 4));
    expect(night.notes).toMatch(
      new RegExp(`No document ${idOf(2)} is kept of .*; nothing to forget. An attempt before may have forgotten it.`),
    );
  });

  it('cannot be forgotten while it is still listed, or where it was never known', async () => {
    await expect(nights.rebuild(['corpus'], { forget: [idOf(1)] })).rejects.toThrow(/is still in .*corpus, as 1\.txt/);
    await expect(nights.rebuild(['corpus'], { forget: [idOf(2)] })).rejects.toThrow(/No document .* is kept of/);
    await expect(nights.rebuild(['other'], { forget: [idOf(4)] })).rejects.toThrow(/No document .* is kept of/);
  });

  it('is none when its folder is gone or holds nothing: that is an error', async () => {
    const before = await nights.rebuild(['corpus']);
    nights.write('empty/manifest.csv', manifestOf([]));
    await expect(nights.rebuild(['empty'])).rejects.toThrow('No document of wcb was found');
    await expect(nights.rebuild(['none'])).rejects.toThrow('there is no such folder');
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(before.snapshot);
  });
});

describe('a document that changes', () => {
  const nights = openNights();

  it('is a new version; one that turns bad is a reject; one that is taken away then is what could last be read', async () => {
    nights.write('corpus/1.txt', textOf(1));
    nights.write('corpus/2.txt', textOf(2));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt']));
    const first = await nights.rebuild(['corpus']);

    nights.write('corpus/2.txt', textOf(22));
    const changed = await nights.rebuild(['corpus']);
    expect(changed.documents).toEqual(first.documents);
    expect(changed.snapshot).not.toBe(first.snapshot);

    nights.write('corpus/2.txt', Buffer.alloc(100));
    const bad = await nights.rebuild(['corpus']);
    expect(bad.documents).toEqual(ids(1));
    expect(bad.rejects['2.txt']).toContain('holds binary data');

    nights.remove('corpus/2.txt');
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(changed.snapshot);

    nights.write('corpus/2.txt', textOf(2));
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(first.snapshot);
  });

  it('is one document still when its row gives it another id', async () => {
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '', '2.txt']));
    expect((await nights.rebuild(['corpus'])).documents).toEqual(ids(1, 3));
    nights.remove('corpus/2.txt');
    expect((await nights.rebuild(['corpus'])).documents).toEqual(ids(1, 3));
  });
});

describe('documents at addresses', () => {
  const nights = openNights();
  let web: WebServer;
  let first: Night;
  const urls = (): readonly string[] => ['/1', '/2', '/3'].map((path) => web.at(path));

  beforeAll(async () => {
    web = await openWebServer({
      '/1': page(textOf(1), { etag: '"1"' }),
      '/2': page(`<!doctype html><title>Statement</title><p>${textOf(2)}`, { type: 'text/html' }),
      '/3': page(textOf(3), { type: 'application/octet-stream' }),
    });
    nights.write('corpus/manifest.csv', manifestOf(urls()));
  });
  afterAll(() => web.close());

  it('are counted by a dry run, which asks nobody', async () => {
    const [inspection] = await nights.inspect(['corpus']);
    expect(inspection).toMatchObject({ documents: 0, urls: { all: 3, unasked: 3 } });
    expect(web.asked).toEqual([]);
  });

  it('are fetched and published like files', async () => {
    first = await nights.rebuild(['corpus']);
    expect(first.documents).toEqual(ids(1, 2, 3));
    expect(first.notes).toContain('Addresses asked: 3 (3 new or changed, 0 unchanged');
    const again = await nights.rebuild(['corpus']);
    expect(again.snapshot).toBe(first.snapshot);
    expect(again.ingested).toBe(0);
    expect(again.notes).toContain('3 (0 new or changed, 3 unchanged');
    web.asked.length = 0;
    expect(await nights.inspect(['corpus'])).toMatchObject([{ documents: 3, urls: { all: 3, unasked: 0 } }]);
    expect(web.asked).toEqual([]);
  });

  it('keep their last content while their server fails, and when their row is gone', async () => {
    web.pages['/1'] = status(404);
    web.pages['/2'] = page('Please log in.', { type: 'image/png' });
    nights.write('corpus/manifest.csv', manifestOf(urls().slice(0, 2)));
    const night = await nights.rebuild(['corpus']);
    expect(night.snapshot).toBe(first.snapshot);
    expect(night.notes).toContain('2 gave nothing and keep their last content');
    expect(night.notes).toContain(`kept: 1 (${idOf(3)})`);
    const lost = [{ subject: 'bank_of_mexico', documents: 3 }];
    expect(night.events).toContainEqual(
      expect.objectContaining({ type: 'listed', kept: { gone: 1, unread: 0, unanswered: 2, too_many: false, lost } }),
    );
    expect(night.notes).toContain('Warning: nothing was found of bank_of_mexico (3)');
    expect(night.events).toContainEqual(
      expect.objectContaining({
        type: 'doubted',
        doubt: expect.stringMatching(/^the server answered 404; what was fetched/),
      }),
    );
  });

  it('keep what the address before gave where a row names another one that gives nothing', async () => {
    nights.write('corpus/manifest.csv', manifestOf([web.at('/moved'), ...urls().slice(1)]));
    const night = await nights.rebuild(['corpus']);
    expect(night.documents).toEqual(first.documents);
    expect(night.events).toContainEqual(
      expect.objectContaining({ type: 'listed', kept: expect.objectContaining({ gone: 0, unanswered: 2 }) }),
    );
    expect(night.notes).not.toContain('Gone from their folders');
    expect(night.events).toContainEqual(
      expect.objectContaining({ doubt: expect.stringMatching(/^its address in .*corpus gave nothing; what was read/) }),
    );
  });

  it('that were never fetched are rejects with the reason, and do not keep the others from being published', async () => {
    const refusing = { ...nights.settings, privateAddresses: 'refuse' } as const;
    nights.write('mixed/a.txt', textOf(7));
    nights.write('mixed/manifest.csv', manifestOf(['a.txt', web.at('/none'), 'https://nowhere.invalid/b.pdf']));
    const allowed = await nights.rebuild(['mixed']);
    expect(allowed.documents).toEqual(ids(1));
    expect(allowed.rejects).toMatchObject({
      [web.at('/none')]: `${web.at('/none')} could not be fetched: its server says that there is nothing`,
      'https://nowhere.invalid/b.pdf': expect.stringContaining('could not be asked'),
    });
    expect(allowed.notes).toContain(`${web.at('/none')} gave nothing: the server answered 404.`);
    expect(allowed.notes).toContain('https://nowhere.invalid/b.pdf gave nothing: the connection failed: ');
    const { rejects, notes } = await nights.rebuild(['mixed'], { settings: refusing });
    expect(rejects[web.at('/none')]).toContain('it leads to what is no public address');
    expect(notes).toMatch(/localhost leads to .*, which is no public address/);
  });

  it('leave no password of their list anywhere in the outputs or in the log', async () => {
    const secret = 'sesame';
    const address = (path: string): string => web.at(path).replace('//', `//me:${secret}@`);
    nights.write('secret/a.txt', textOf(8));
    nights.write('secret/b.txt', '');
    nights.write(
      'secret/manifest.csv',
      [
        'path,url,bank_name,start_date,document_type,source_url',
        `a.txt,,bank_of_mexico,2023-01-18,statement,${address('/1')}`,
        `b.txt,${address('/2')},bank_of_mexico,2023-02-18,statement,`,
        `,${address('/3')},bank_of_mexico,2023-03-18,statement,`,
        `${address('/4')},,bank_of_mexico,2023-04-18,statement,`,
      ].join('\n'),
    );
    const night = await nights.rebuild(['secret']);
    expect(night.documents).toEqual(ids(1));
    expect(Object.keys(night.rejects)).toHaveLength(3);
    const [document] = await nights.published(night.snapshot, 'documents');
    expect(document).toMatchObject({ source_url: web.at('/1') });
    expect(JSON.stringify([night.events, night.rejects, document])).not.toContain(secret);
    const files = readdirSync(nights.outputs.folder, { recursive: true, withFileTypes: true });
    const holding = files.filter(
      (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(secret),
    );
    expect(holding.map(({ name }) => name)).toEqual([]);
  });

  it('are fetched on where a run was killed, and end in the same snapshot', async () => {
    for (const path of ['/1', '/2', '/3']) web.pages[path] = page(textOf(Number(path.slice(1))), { etag: path });
    nights.write('killed/manifest.csv', manifestOf(urls()));
    const reference = await nights.rebuild(['killed']);
    rmSync(nights.outputs.folder, { recursive: true });

    // The second document never ends; the run is killed in the middle of it.
    const { '/2': whole = status(500) } = web.pages;
    const reached = new Promise<void>((resolve) => {
      web.pages['/2'] = (_request, answer) => {
        answer.writeHead(200, { 'content-type': 'text/plain' }).write('Half of ');
        setTimeout(resolve, 100);
      };
    });
    const env = {
      ...process.env,
      FINTEXT_DEVICE: 'cpu',
      FINTEXT_FETCH_GAP_MS: '0',
      FINTEXT_PRIVATE_ADDRESSES: 'allow',
    };
    const args = ['rebuild', '--dataset', 'wcb', '--input', nights.input('killed'), '--outputs', nights.outputs.folder];
    const child = spawn(process.execPath, [entryPoint('src/cli/fintext'), ...args], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('close', (_code, signal) => resolve(signal)));
    await reached;
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');

    web.pages['/2'] = whole;
    web.asked.length = 0;
    const night = await nights.rebuild(['killed']);
    expect(night.snapshot).toBe(reference.snapshot);
    expect(night.notes).toContain('3 (2 new or changed, 1 unchanged');
    const left = readdirSync(nights.outputs.raw, { recursive: true }).map(String);
    expect(left.filter((name) => /^[0-9a-f]{2}[\\/]/.test(name))).toHaveLength(3);
    expect(existsSync(join(nights.outputs.scratch('wcb')))).toBe(false);
  });
});
