import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../../../pipeline/1-ingest/content.js';
import { LIMITS, openExtractor } from '../../../pipeline/1-ingest/extract.js';
import { ExtractError } from '../../../pipeline/1-ingest/source.js';
import { makeDocx, makePdf, makeZip, openRig } from './rig.js';

const rig = openRig();
const aPdf = () => makePdf([(pdf) => pdf.text('Inflation rose in March and the Board took note.')]);

/** A PDF of one page whose content is `count` times `content`, compressed. */
const makeBomb = (content: string, count: number): Buffer => {
  const stream = deflateSync(Buffer.from(content.repeat(count)));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  ].map((body, index) => Buffer.from(`${index + 1} 0 obj\n${body}\nendobj\n`));
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...objects,
    Buffer.from(`4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n'),
    Buffer.from('trailer\n<< /Root 1 0 R /Size 6 >>\nstartxref\n0\n%%EOF\n'),
  ]);
};

const makeHuge = (name: string, bytes: number): string => {
  const path = join(rig.write({}), name);
  const handle = openSync(path, 'w');
  ftruncateSync(handle, bytes);
  closeSync(handle);
  return path;
};

describe('a file that cannot be used is refused for its true reason', () => {
  it.each([
    ['0 bytes', 'a.txt', '', 'The file is empty (0 bytes).'],
    ['no letters', 'a.txt', ' 1.5 \n 2 \n', 'there is no letter in it'],
    ['an unknown ending', 'a.xyz', 'Text.', '.xyz is not among the formats that are read (.txt'],
    ['no ending', 'a', 'Text.', 'Files without an ending are not among the formats'],
    ['an old Word document', 'a.doc', '\xd0\xcf\x11\xe0', 'save it as docx'],
    ['a page named as a text', 'a.txt', '<!DOCTYPE html><html>', 'named .txt but holds an HTML page: name it .html'],
    ['a text named as a PDF', 'a.pdf', 'Text.', 'named .pdf but holds plain text'],
    ['a text named as docx', 'a.docx', 'Text.', 'named .docx but holds plain text'],
    ['a text without markup named as a page', 'a.html', 'Text.', 'holds no markup'],
    ['NUL characters far into a text', 'a.txt', `${'Text. '.repeat(2000)}\0`, 'NUL characters'],
    ['a cut PDF header', 'a.pdf', '%PDF-1.4\n', 'The PDF is cut off'],
    ['a PDF of rubbish', 'a.pdf', '%PDF-1.4\nrubbish\n%%EOF', 'The PDF is damaged'],
    ['JSON that is none', 'a.json', '{"turns": [', 'The file is no JSON'],
  ])('%s', async (_what, name, content, reason) => {
    const bytes = Buffer.from(content, name === 'a.doc' ? 'latin1' : 'utf8');
    await expect(rig.extract(name, bytes)).rejects.toThrow(reason);
  });

  it('a PDF, a zip and a picture that are named as texts or pages', async () => {
    const pdf = await aPdf();
    await expect(rig.extract('a.txt', pdf)).rejects.toThrow('named .txt but holds a PDF: name it .pdf.');
    await expect(rig.extract('a.html', pdf)).rejects.toThrow('named .html but holds a PDF: name it .pdf.');
    await expect(rig.extract('a.txt', makeZip({ x: 'y' }))).rejects.toThrow('holds a zip archive');
    await expect(rig.extract('a.txt', Buffer.from([0x89, 0x50, 0x4e, 0x47]))).rejects.toThrow('holds an image');
  });

  it('a PDF that is cut off, encrypted, scanned, or has too many pages', async () => {
    const pdf = await aPdf();
    await expect(rig.extract('a.pdf', pdf.subarray(0, pdf.length - 100))).rejects.toThrow('cut off');
    const locked = await makePdf([(page) => page.text('Secret')], { userPassword: 'x' });
    await expect(rig.extract('a.pdf', locked)).rejects.toThrow('encrypted');
    const drawn = await makePdf([(page) => page.rect(0, 0, 9, 9).fill()]);
    await expect(rig.extract('a.pdf', drawn)).rejects.toThrow('no text: its pages are scanned images');
    const many = await makePdf(Array.from({ length: 6 }, () => (page) => page.text('Text')));
    await expect(rig.extract('a.pdf', many, { maxPages: 5 })).rejects.toThrow('has 6 pages, at most 5');
  });

  it('a zip that is no Word document, one that is cut off, one that would unpack to gigabytes', async () => {
    await expect(rig.extract('a.docx', makeZip({ 'hello.txt': 'x' }))).rejects.toThrow('no Word document');
    const docx = await makeDocx();
    await expect(rig.extract('a.docx', docx.subarray(0, docx.length - 30))).rejects.toThrow('cut off');
    const bomb = makeZip({ 'word/document.xml': 'x' }, 0xf0000000);
    await expect(rig.extract('a.docx', bomb)).rejects.toThrow('would unpack to 4027 MB, at most 100');
  });

  it('a folder, a pipe, a missing file, a file that may not be read', async () => {
    const folder = rig.write({ 'locked.txt': 'x' });
    mkdirSync(join(folder, 'x.pdf'));
    const { extract } = rig.open();
    await expect(extract(join(folder, 'x.pdf'), 'x.pdf')).rejects.toThrow('It is a folder');
    await expect(extract(join(folder, 'none.txt'), 'none.txt')).rejects.toThrow('There is no such file');
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe.txt')]);
    await expect(extract(join(folder, 'pipe.txt'), 'pipe.txt')).rejects.toThrow('no regular file');
    chmodSync(join(folder, 'locked.txt'), 0);
    if (process.getuid?.() !== 0)
      await expect(extract(join(folder, 'locked.txt'), 'locked.txt')).rejects.toThrow('permission denied');
  });
});

describe('a file that costs too much is refused at a bounded cost', () => {
  it('200 MB of HTML are refused by their size, unread', async () => {
    const path = makeHuge('a.html', 200 * 1024 * 1024);
    await expect(rig.open().extract(path, 'a.html')).rejects.toThrow('too large: 200 MiB, at most 64');
  });

  it('a million nested elements are refused, thousands are read', async () => {
    const nested = (count: number) => `<html><body>${'<div>'.repeat(count)}Deep down.`;
    await expect(rig.extract('a.html', nested(1_000_000))).rejects.toThrow('nests more than 10000 elements');
    expect((await rig.extract('a.html', nested(9000))).text).toBe('Deep down.');
    expect((await rig.extract('a.html', `${'<p>x'.repeat(300_000)}`)).text.length).toBe(300_000 * 3 - 2);
  });

  it('comments at the beginning of a page are passed over, many of them too, and no page is taken for one', () => {
    expect(contentOf(Buffer.from('<!-- a -->\n<!-- b > c -->\n<!DOCTYPE html><html>'))).toBe('html');
    expect(contentOf(Buffer.from(`${'<!---->'.repeat(140)}<html>`))).toBe('html');
    // Thirty took ten seconds, and each one more twice as long.
    expect(contentOf(Buffer.from(`${'<!---->'.repeat(30)}<x>`))).toBe('text');
  }, 2000);

  it('a large text of no known encoding is read', async () => {
    const { text } = await rig.extract('large.txt', Buffer.alloc(10_000_000, 'caf\xe9 \x93in\x94 ', 'latin1'));
    expect(text.slice(0, 10)).toBe('café “in” ');
  });

  it('a text above the limit is refused', async () => {
    await expect(rig.extract('a.txt', 'word '.repeat(100), { maxTextCharacters: 100 })).rejects.toThrow(
      'too long: 500',
    );
  });

  it('a PDF that unpacks to more memory than allowed ends only its own reading', async () => {
    const bomb = makeBomb('BT /F1 9 Tf 9 9 Td (Inflation) Tj ET\n', 3_000_000);
    const extractor = rig.open({ maxMemoryMb: 200, timeoutMs: 20_000 });
    const folder = rig.write({ 'bomb.pdf': bomb, 'good.pdf': await aPdf() });
    const [first, second] = await Promise.allSettled([
      extractor.extract(join(folder, 'bomb.pdf'), 'bomb.pdf'),
      extractor.extract(join(folder, 'good.pdf'), 'good.pdf'),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'ExtractError' } });
    expect(second).toMatchObject({ status: 'fulfilled' });
    if (first.status === 'rejected') expect(first.reason.message).toContain('more than 200 MB of memory');
  });

  it('a file that takes too long is stopped at its time, and the next is read', async () => {
    const slow = makeBomb('BT /F1 9 Tf 9 9 Td (Inflation rose) Tj ET\n', 300_000);
    const extractor = rig.open({ timeoutMs: 700 });
    const folder = rig.write({ 'slow.pdf': slow, 'good.html': '<p>Inflation rose.</p>' });
    await expect(extractor.extract(join(folder, 'slow.pdf'), 'slow.pdf')).rejects.toThrow('more than 0.7 s');
    expect((await extractor.extract(join(folder, 'good.html'), 'good.html')).text).toBe('Inflation rose.');
  });

  it('a stopped run ends the processes and says why it stopped', async () => {
    const controller = new AbortController();
    const extractor = openExtractor({ limits: LIMITS, processes: 1, signal: controller.signal });
    const folder = rig.write({ 'a.html': '<p>Inflation rose.</p>' });
    const paths = ['a.html', 'a.html', 'a.html'];
    const under = Promise.allSettled(paths.map((path) => extractor.extract(join(folder, path), path)));
    setTimeout(() => controller.abort(new Error('stopped by hand')), 20);
    for (const each of await under)
      if (each.status === 'rejected') {
        expect(each.reason).not.toBeInstanceOf(ExtractError);
        expect(each.reason.message).toBe('stopped by hand');
      }
    await expect(extractor.extract(join(folder, 'a.html'), 'a.html')).rejects.toThrow('stopped by hand');
  });
});

describe('mutated files', () => {
  it('end in text or in a reason, and never end the process that reads them', async () => {
    const files: Readonly<Record<string, Buffer>> = {
      'a.pdf': await aPdf(),
      'a.docx': await makeDocx(),
      'a.html': Buffer.from('<html><body><main><h1>Rates</h1><p>Inflation &amp; growth rose.</p></main></body></html>'),
      'a.json': Buffer.from('{"ticker":"AAPL","turns":[{"speaker":"A","text":"Sales rose."}]}'),
    };
    const random = makeRandom(20240517);
    const extractor = rig.open();
    let texts = 0;
    let refused = 0;
    for (const [name, bytes] of Object.entries(files))
      for (let round = 0; round < 60; round += 1) {
        const folder = rig.write({ [name]: mutate(bytes, random) });
        try {
          expect((await extractor.extract(join(folder, name), name)).text).toMatch(/\p{L}/u);
          texts += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ExtractError);
          expect(String(error)).not.toMatch(/ended the process|is not a function|undefined/);
          refused += 1;
        }
      }
    expect(texts).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  });
});

/** The same numbers on every run: a failure can be run again. */
const makeRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const mutate = (bytes: Buffer, random: (below: number) => number): Buffer => {
  const copy = Buffer.from(bytes);
  for (let count = 1 + random(8); count > 0; count -= 1) copy[random(copy.length)] = random(256);
  return random(6) === 0 ? copy.subarray(0, random(copy.length)) : copy;
};
