/** Ad hoc jobs: exactly what is asked for is done again, and whatever else has changed meanwhile waits for the next night. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Selection } from '../../pipeline/run/plan.js';
import type { Redo } from '../../pipeline/run/redo.js';
import { hashFile } from '../../src/files.js';
import { importPackage } from '../../src/inference/import.js';
import { packagePath } from '../../src/package-root.js';
import { openRig, type Rig } from '../support/fintext.js';
import { idOf, type Night, openNights, textOf } from '../support/nightly.js';
import { openWebServer, page, type WebServer } from '../support/web-server.js';

const MODELS = 7;
/** Sentences of each of these documents, no two alike. */
const SENTENCES = 2;
const IN_ID = ['documents.parquet', 'counts.parquet', 'sentences.parquet', 'rejects.parquet'];

const asking = (selection: Selection, model?: Extract<Redo, { what: 'selection' }>['model']): { redo: Redo } => ({
  redo: { what: 'selection', selection, ...(model !== undefined && { model }) },
});

/** A manifest of statements of one bank, one a month, each released on the 18th: `files` are paths or addresses, in order. */
const manifestOf = (files: readonly string[], title = ''): string =>
  [
    'path,url,bank_name,start_date,release_date,document_type,title',
    ...files.flatMap((file, at) => {
      const [path, url] = /^https?:/.test(file) ? ['', file] : [file, ''];
      const day = `2023-${String(at + 1).padStart(2, '0')}-18`;
      return file === '' ? [] : [`${path},${url},bank_of_mexico,${day},${day},statement,${title}`];
    }),
  ]
    .map((line) => `${line}\n`)
    .join('');

describe('reprocessing the documents of some days', () => {
  const nights = openNights();
  const FILES = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'];
  /** Statements of the 18th of February and of March. */
  const SPAN = { from: '2023-02-18', to: '2023-03-18' };
  let first: Night;

  const write = (number: (month: number) => number, files: readonly string[] = FILES): void => {
    for (const [at, file] of FILES.entries()) nights.write(`corpus/${file}`, textOf(number(at + 1)));
    nights.write('corpus/manifest.csv', manifestOf(files));
  };
  const hashes = (snapshot: string): Promise<readonly string[]> =>
    Promise.all(IN_ID.map((name) => hashFile(join(nights.outputs.snapshot('wcb', snapshot), name))));
  const allBut = (...months: readonly number[]): string =>
    `WHERE document_id NOT IN (${months.map((month) => `'${idOf(month)}'`).join(', ')})`;
  const rowsOf = async (snapshot: string, where: string) => {
    const tables = ['documents', 'counts', 'sentences'].map((table) => nights.published(snapshot, table, where));
    return Promise.all(tables);
  };
  const textsOf = async (snapshot: string): Promise<readonly string[]> =>
    (await nights.published(snapshot, 'sentences')).map(({ text }) => String(text));

  beforeAll(async () => {
    write((month) => month, FILES.slice(0, 4));
    first = await nights.rebuild(['corpus']);
    cpSync(nights.outputs.folder, nights.input('as-first'), { recursive: true });
  });
  beforeEach(() => {
    rmSync(nights.outputs.folder, { recursive: true, force: true });
    cpSync(nights.input('as-first'), nights.outputs.folder, { recursive: true });
    write((month) => month, FILES.slice(0, 4));
  });

  it('reads those again, makes no prediction, and gives the same bytes where nothing has changed', async () => {
    const before = await hashes(first.snapshot);
    rmSync(nights.outputs.snapshot('wcb', first.snapshot), { recursive: true });
    const night = await nights.rebuild(['corpus'], asking(SPAN));
    expect([night.snapshot, night.ingested, night.predictions]).toEqual([first.snapshot, 1, 0]);
    expect(await hashes(night.snapshot)).toEqual(before);
  });

  it('takes in what has changed of them, and of no other: not a changed text, not a new document', async () => {
    write((month) => 10 * month);
    const night = await nights.rebuild(['corpus'], asking(SPAN));
    expect(night.documents).toEqual(first.documents);
    expect(night.predictions).toBe(2 * SENTENCES * MODELS);
    expect(await rowsOf(night.snapshot, allBut(2, 3))).toEqual(await rowsOf(first.snapshot, allBut(2, 3)));
    const texts = (await textsOf(night.snapshot)).filter((text) => text.includes('basis points'));
    expect(texts.map((text) => /by (\d+)/.exec(text)?.[1]).sort()).toEqual(['1', '20', '30', '4']);
    // The next night takes in the rest.
    const after = await nights.rebuild(['corpus']);
    expect(after.documents).toEqual([...first.documents, idOf(5)]);
    expect(after.predictions).toBe(3 * SENTENCES * MODELS);
  });

  it('stays as it is when others are reprocessed after it', async () => {
    write((month) => 10 * month);
    const night = await nights.rebuild(['corpus'], asking(SPAN));
    write((month) => 100 * month);
    const other = await nights.rebuild(['corpus'], asking({ to: '2023-01-18' }));
    expect(await rowsOf(other.snapshot, allBut(1))).toEqual(await rowsOf(night.snapshot, allBut(1)));
    expect((await textsOf(other.snapshot)).some((text) => text.includes('by 100 basis'))).toBe(true);
  });

  it('leaves the others where their file turned bad, their row says another thing, or both are gone', async () => {
    nights.write('corpus/1.txt', Buffer.alloc(2000));
    nights.remove('corpus/4.txt');
    nights.write('corpus/2.txt', textOf(20));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt', '3.txt', ''], 'Renamed'));
    const night = await nights.rebuild(['corpus'], asking({ from: '2023-02-18', to: '2023-02-18' }));
    expect(night.documents).toEqual(first.documents);
    expect(night.rejects).toEqual(first.rejects);
    expect(await rowsOf(night.snapshot, allBut(2))).toEqual(await rowsOf(first.snapshot, allBut(2)));
  });

  it('says what is wrong with one of them, as a night would', async () => {
    nights.write('corpus/2.txt', Buffer.alloc(2000));
    const night = await nights.rebuild(['corpus'], asking(SPAN));
    expect(night.documents).toEqual([1, 3, 4].map(idOf));
    expect(night.rejects['2.txt']).toContain('binary data');
  });

  it('asks one model again for their sentences alone, and reads no file', async () => {
    write((month) => 10 * month);
    const night = await nights.rebuild(['corpus'], asking(SPAN, 'cb_stance_label'));
    expect([night.snapshot, night.ingested, night.predictions]).toEqual([first.snapshot, 0, 2 * SENTENCES]);
    const one = await nights.rebuild(['corpus'], asking({ documentId: idOf(4) }, 'cb_stance_label'));
    expect([one.snapshot, one.predictions]).toEqual([first.snapshot, SENTENCES]);
  });

  it('is wrong use where there is none of these days, and changes nothing', async () => {
    await expect(nights.rebuild(['corpus'], asking({ from: '2023-04-19' }))).rejects.toThrow(
      `No document of wcb in ${nights.input('corpus')} is of --from 2023-04-19. The dates go from 2023-01-18 to 2023-04-18.`,
    );
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(first.snapshot);
  });

  it('is counted by a dry run', async () => {
    write((month) => 10 * month);
    const [inspection] = await nights.inspect(['corpus'], asking(SPAN));
    expect(inspection).toMatchObject({ documents: 4, asked: { documents: 2, partitions: 1 } });
    expect(inspection?.units.filter(({ state }) => state === 'stale').map(({ stage }) => stage)).toContain('ingest');
    const [none] = await nights.inspect(['corpus'], asking({ from: '2023-04-18' }, 'cb_stance_label'));
    expect(none?.units.filter(({ state }) => state === 'stale')).toEqual([]);
    expect(none?.work).toMatchObject({ documents: 0, bytes: 0 });
    expect(none?.work.texts).toBeGreaterThan(0);
    const [again] = await nights.inspect(['corpus'], asking({ from: '2023-04-18' }));
    expect(again?.work.documents).toBeGreaterThan(0);
  });

  it('makes all there is where nothing was published before', async () => {
    rmSync(nights.outputs.folder, { recursive: true });
    expect((await nights.rebuild(['corpus'], asking(SPAN))).snapshot).toBe(first.snapshot);
  });
});

describe('reprocessing documents at addresses', () => {
  const nights = openNights();
  let web: WebServer;
  beforeAll(async () => {
    web = await openWebServer(Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, page(textOf(n))])));
  });
  afterAll(() => web.close());

  it('asks for those alone that are meant', async () => {
    nights.write('corpus/manifest.csv', manifestOf(['/1', '/2', '/3'].map(web.at)));
    const first = await nights.rebuild(['corpus']);
    for (const n of [1, 2, 3]) web.pages[`/${n}`] = page(textOf(10 * n));
    web.asked.length = 0;
    const night = await nights.rebuild(['corpus'], asking({ from: '2023-02-01', to: '2023-02-28' }));
    expect(web.asked).toEqual(['/2']);
    expect(night.documents).toEqual(first.documents);
    expect(night.predictions).toBe(SENTENCES * MODELS);
  });
});

describe('what the numbers are made of', () => {
  const nights = openNights();
  beforeAll(async () => {
    for (const n of [1, 2, 3]) nights.write(`corpus/${n}.txt`, textOf(n));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt', '3.txt']));
    cpSync(packagePath('models', 'central-bank'), nights.input('models/central-bank'), { recursive: true });
    await nights.rebuild(['corpus'], { settings: { ...nights.settings, models: nights.input('models') } });
  });

  it('one formula that changes classifies nothing', async () => {
    const settings = { ...nights.settings, models: nights.input('models') };
    const ratio = await nights.rebuild(['corpus'], { settings });
    const net = await nights.rebuild(['corpus'], { settings: { ...settings, uncertainty: 'net' } });
    expect(net.snapshot).not.toBe(ratio.snapshot);
    expect([ratio.predictions, net.predictions, net.ingested]).toEqual([0, 0, 0]);
    const sentences = [ratio, net].map(({ snapshot }) => nights.published(snapshot, 'sentences'));
    const [before, after] = await Promise.all(sentences);
    expect(after).toEqual(before);
  });

  it('one model that changes is asked, and no other', async () => {
    const mine = nights.input('mine');
    cpSync(packagePath('models', 'central-bank'), mine, { recursive: true });
    writeFileSync(join(mine, 'tokenizer_config.json'), '{"model_max_length": 128}');
    await importPackage(mine, 'cb_stance_label', nights.input('models'));
    const settings = { ...nights.settings, models: nights.input('models') };
    const night = await nights.rebuild(['corpus'], { settings, ...asking({ documentId: idOf(1) }) });
    // A snapshot names one model for all of its documents.
    expect(night.predictions).toBe(3 * SENTENCES);
  });
});

describe('a document whose date only its file states', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  });
  afterAll(() => rig.close());

  it('is of that day', async () => {
    const turns = [
      { speaker: 'Operator', text: 'Good day and welcome to the call of this fictional company.' },
      { speaker: 'Ann Example', text: 'Revenue grew by nine percent in the quarter. Costs fell by two percent.' },
    ];
    const input = join(rig.folder, 'calls');
    cpSync(join(rig.input, 'earnings-manifest'), input, { recursive: true });
    const call = { ticker: 'AAPL', year: 2023, quarter: 2, date: '2023-05-04', transcript: turns };
    writeFileSync(join(input, 'calls', 'stated.json'), JSON.stringify(call));
    const row = {
      path: 'calls/stated.json',
      dataset: 'earnings',
      ticker: 'AAPL',
      company: 'A',
      year: 2023,
      quarter: 2,
    };
    writeFileSync(join(input, 'manifest.jsonl'), `${JSON.stringify(row)}\n`);
    const run = (...args: readonly string[]) => rig.run([...args, '--dataset', 'earnings', '--input', input]);
    expect((await run('rebuild')).stderr).not.toContain('fintext:');
    const there = await run('reprocess', '--dry-run', '--from', '2023-05-04', '--to', '2023-05-04');
    expect(there.stdout).toContain('redo         1 document in 1 partition on top');
    expect(await run('reprocess', '--dry-run', '--from', '2023-05-05')).toMatchObject({ code: 2 });
    expect(await run('reprocess', '--dry-run', '--to', '2023-05-03')).toMatchObject({ code: 2 });
  }, 240_000);

  it('is wrong use to ask for days that are turned round, in a line, with 2', async () => {
    const ended = await rig.run(['reprocess', '--dataset', 'wcb', '--from', '2024-03-02', '--to', '2024-03-01']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe('fintext: --from 2024-03-02 is after --to 2024-03-01: no document is of such days.\n');
  });
});
