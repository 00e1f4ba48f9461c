import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CENTRAL_BANKS } from '../../../data/catalog.js';
import { listInput } from '../../../pipeline/1-ingest/sources/index.js';
import { toFacts } from '../../../pipeline/1-ingest/sources/manifest-row.js';
import { readCsvRows } from '../../../pipeline/1-ingest/sources/manifest-rows.js';
import { collect, openRig } from './rig.js';

const rig = openRig();

const csv = (rows: string, files: Readonly<Record<string, string>> = { 'a.txt': 'x', 'b.txt': 'x' }) =>
  collect(listInput(rig.write({ 'manifest.csv': rows, ...files })));

describe('a manifest', () => {
  it('describes documents of both datasets, and derives what follows from other columns', async () => {
    const { documents, rejects } = await csv(
      [
        'path,bank_name,start_date,end_date,release_date,document_type,ticker,company,year,quarter,title,source_url',
        'a.txt,european_central_bank,2022-07-21,2022-07-21,2022-08-25,statement,,,,,"Decisions, July",https://example.org/a',
        'b.txt,,,,,,BRK.B,Berkshire,2023,4,,',
      ].join('\n'),
    );
    expect(rejects).toEqual([]);
    expect(documents[0]).toMatchObject({
      dataset: 'wcb',
      documentId: 'european_central_bank_2022-07-21_statement',
      partition: 'european_central_bank/2022',
      dimensions: { year: 2022, date: '2022-08-25', document_type: 'statement' },
      title: 'Decisions, July',
      sourceUrl: 'https://example.org/a',
      path: 'a.txt',
    });
    expect(documents[1]).toMatchObject({
      dataset: 'earnings',
      documentId: 'BRK.B_2023_Q4',
      dimensions: { company: 'Berkshire', date: null },
      title: null,
    });
  });

  it('is read as JSON lines with the same columns', async () => {
    const lines = [{ path: 'a.txt', ticker: 'AAPL', year: 2019, quarter: 1 }, 5].map((row) => JSON.stringify(row));
    const { ids, rejects } = await collect(
      listInput(rig.write({ 'manifest.jsonl': `${lines.join('\n')}\n\n{"path"`, 'a.txt': 'x' })),
    );
    expect(ids).toEqual(['AAPL_2019_Q1']);
    expect(rejects.map(({ subject, reason }) => [subject, reason])).toEqual([
      ['manifest.jsonl row 2 (line 2)', 'it is no JSON object'],
      ['manifest.jsonl row 3 (line 4)', 'it is no JSON'],
    ]);
  });

  it.each([
    [
      'bank_name',
      'a.txt,bank_of_atlantis,2022-07-21,,',
      'bank_name is "bank_of_atlantis"; allowed: federal_reserve_system',
    ],
    [
      'a day that does not exist',
      'a.txt,bank_of_japan,2022-02-30,,',
      'start_date is "2022-02-30"; allowed: a day written',
    ],
    ['document_type', 'a.txt,bank_of_japan,2022-02-03,,Press Conference', 'allowed: lower case words joined by _'],
    [
      'an end before the start',
      'a.txt,bank_of_japan,2022-02-03,2022-02-01,',
      'end_date is 2022-02-01, before start_date',
    ],
    ['nothing that identifies', 'a.txt,bank_of_japan,,,', 'year is missing'],
    ['no dataset', 'a.txt,,2022-02-03,,', 'fill dataset, or either bank_name or ticker'],
    ['no path', ',bank_of_japan,2022-02-03,,', 'path is missing'],
    ['a missing file', 'c.txt,bank_of_japan,2022-02-03,,', 'path "c.txt": there is no such file'],
    ['a folder', 'sub,bank_of_japan,2022-02-03,,', 'path "sub": is a folder'],
    ['a path upwards', '../x/a.txt,bank_of_japan,2022-02-03,,', 'leads out of the folder and is not read'],
    ['an absolute path', '/etc/passwd,bank_of_japan,2022-02-03,,', 'an absolute path is not read'],
    ['too many cells', 'a.txt,bank_of_japan,2022-02-03,,,x,y', 'it has 7 cells and the header 5'],
  ])('rejects a row with %s, naming row, column, value and what is allowed', async (_what, row, reason) => {
    const { documents, rejects } = await csv(`path,bank_name,start_date,end_date,document_type\n${row}\n`, {
      'a.txt': 'x',
      'sub/b.txt': 'x',
    });
    expect(documents).toEqual([]);
    expect(rejects).toHaveLength(1);
    // Once: the log shows the subject before the reason.
    const said = `${rejects[0]?.subject}: ${rejects[0]?.reason}`;
    expect(said.split('manifest.csv row 1 (line 2)')).toHaveLength(2);
    expect(rejects[0]?.reason).toContain(reason);
  });

  it.each([
    ['quarter', 'AAPL,2019,5', 'quarter is "5"; allowed: 1, 2, 3, 4'],
    ['ticker', 'aapl inc,2019,1', 'ticker is "aapl inc"; allowed: upper case'],
    ['year', 'AAPL,19,1', 'year is "19"; allowed: a year from 1900'],
  ])('rejects a call with an impossible %s', async (_what, row, reason) => {
    expect((await csv(`path,ticker,year,quarter\na.txt,${row}\n`)).rejects[0]?.reason).toContain(reason);
  });

  it('reads a quarter as people write it', async () => {
    const { documents, rejects } = await csv(
      'path,ticker,year,quarter\na.txt,AAPL,2019,Q2\nb.txt,AAPL,2019,q3\na.txt,AAPL,2019,Q5\n',
    );
    expect(documents.map(({ documentId }) => documentId)).toEqual(['AAPL_2019_Q2', 'AAPL_2019_Q3']);
    expect(rejects[0]?.reason).toContain('quarter is "Q5"; allowed: 1, 2, 3, 4');
  });

  it('takes a row that names only a url as a document at that address', async () => {
    const { remote, rejects } = await csv('path,url,ticker,year,quarter\n,HTTPS://Example.org/a#top,AAPL,2019,1\n');
    expect(rejects).toEqual([]);
    expect(remote[0]?.url.href).toBe('https://example.org/a');
    expect(remote[0]).toMatchObject({ documentId: 'AAPL_2019_Q1', path: 'https://example.org/a' });
  });

  it.each([
    ['ftp://example.org/a', 'ftp: is not asked; allowed: http: and https:'],
    ['file:/etc/passwd', 'file: is not asked'],
    ['example.org/a.pdf', 'it is no address; write it whole'],
    ['https://me:secret@example.org/a', 'it holds a user or a password'],
  ])('rejects the url %s', async (url, reason) => {
    const { remote, rejects } = await csv(`path,url,ticker,year,quarter\n,${url},AAPL,2019,1\n`);
    expect(remote).toEqual([]);
    expect(rejects[0]?.reason).toContain(reason);
  });

  it.each([
    ['the url', 'url', 'https://me:secret@example.org/a'],
    ['a url of another scheme', 'url', 'ftp://me:secret@example.org/a'],
    ['a url without a scheme', 'url', 'me:secret@example.org/a'],
    ['a url with a slash in its password', 'url', 'https://me:sec/secret@example.org/a'],
    ['the path', 'path', 'https://me:secret@example.org/a'],
    ['a path that no disk can hold', 'path', `https://me:secret@example.org/${'a'.repeat(300)}`],
    ['the path that leads elsewhere', 'path', '//me:secret@example.org/a'],
    ['a column of figures', 'quarter', 'https://me:secret@example.org/a'],
    ['the document_id', 'document_id', 'https://me:secret@example.org/a'],
    ['the dataset', 'dataset', 'https://me:secret@example.org/a'],
  ])('shows no password that stands in %s of a row', async (_what, column, address) => {
    const row = { path: 'a.txt', ticker: 'AAPL', year: '2019', quarter: '1', [column]: address };
    const { path = '', ...others } = column === 'url' ? { ...row, path: '' } : row;
    const folder = rig.write({ 'manifest.jsonl': `${JSON.stringify({ path, ...others })}\n`, 'a.txt': 'x' });
    const { rejects } = await collect(listInput(folder));
    expect(rejects).toHaveLength(1);
    expect(JSON.stringify(rejects)).toContain('example.org');
    expect(JSON.stringify(rejects)).not.toMatch(/secret|me:/);
  });

  it('shows no password of a row that is no JSON, nor of what stands where the names of columns should', async () => {
    const lines = ['{"url":"https://me:secret@example.org/a" "ticker":"AAPL"}', '{"url":"https://me:secret'];
    const folder = rig.write({ 'manifest.jsonl': `${lines.join('\n')}\n` });
    const { rejects } = await collect(listInput(folder));
    expect(rejects).toHaveLength(2);
    expect(JSON.stringify(rejects)).not.toMatch(/ecre/);
    const { documents } = await csv('path,ticker,year,quarter,https://me:secret@example.org\na.txt,AAPL,2019,1,x\n');
    expect(documents[0]?.notes?.join()).toMatch(/ignored: https:\/\/example\.org$/);
  });

  it('publishes a link without its password, wherever the row has it', async () => {
    const rows = [
      'a.txt,,AAPL,2019,1,https://me:secret@example.org/a?b=c@d',
      'b.txt,https://me:secret@x.org/,AAPL,2019,2,',
    ];
    const { documents } = await csv(`path,url,ticker,year,quarter,source_url\n${rows.join('\n')}\n`);
    expect(documents.map(({ sourceUrl }) => sourceUrl)).toEqual(['https://example.org/a?b=c@d', 'https://x.org/']);
  });

  it('never reads through a link that leads out of its folder', async () => {
    const outside = rig.write({ 'secret.txt': 'secret' });
    const folder = rig.write({ 'manifest.csv': 'path,ticker,year,quarter\nlink.txt,AAPL,2019,1\n' });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    expect((await collect(listInput(folder))).rejects[0]?.reason).toContain('through a link out of the folder');
  });

  it('never reads in a folder that is a link out of its own, and reads in one that leads back into it', async () => {
    const outside = rig.write({ 'a.txt': 'AAPL', 'b.txt': 'AAPL' });
    const rows = ['out/a.txt,AAPL,2019,1', 'out/b.txt,AAPL,2019,2', 'in/a.txt,AAPL,2019,3', 'files/a.txt,AAPL,2019,4'];
    const folder = rig.write({
      'files/a.txt': 'AAPL',
      'manifest.csv': `path,ticker,year,quarter\n${rows.join('\n')}\n`,
    });
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(join(folder, 'files'), join(folder, 'in'));
    const { documents, rejects } = await collect(listInput(folder));
    expect(documents.map(({ path }) => path)).toEqual(['in/a.txt', 'files/a.txt']);
    expect(rejects.map(({ reason }) => reason.includes('through a link out of the folder'))).toEqual([true, true]);
  });

  it('names no folder of this machine where the system says that a file cannot be reached', async () => {
    const folder = rig.write({ 'manifest.csv': 'path,ticker,year,quarter\nround.txt,AAPL,2019,1\n' });
    symlinkSync('round.txt', join(folder, 'round.txt'));
    const { rejects } = await collect(listInput(folder));
    expect(rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('the system says ELOOP')]);
    expect(JSON.stringify(rejects)).not.toContain(folder);
  });

  it('says once which columns it ignores', async () => {
    const { documents } = await csv('path,ticker,year,quarter,analyst\na.txt,AAPL,2019,1,x\nb.txt,AAPL,2019,2,y\n');
    expect(documents.map(({ notes }) => notes)).toEqual([[expect.stringContaining('ignored: analyst')], undefined]);
  });

  it('keeps the document_id that a row gives, when it may be part of a URL and of a file name', async () => {
    const { ids, rejects } = await csv(
      'path,ticker,year,quarter,document_id\na.txt,AAPL,2019,1,my-call.1\nb.txt,AAPL,2019,2,../x\n',
    );
    expect(ids).toEqual(['my-call.1']);
    expect(rejects[0]?.reason).toContain('document_id is "../x"; allowed');
  });

  it('reads what spreadsheets write: a byte order mark, semicolons, windows-1252', async () => {
    const text = Buffer.from('path;ticker;company;year;quarter\r\na.txt;NESN;Nestl\xe9;2019;1\r\n', 'latin1');
    const { documents } = await collect(listInput(rig.write({ 'manifest.csv': text, 'a.txt': 'x' })));
    expect(documents[0]?.dimensions.company).toBe('Nestlé');
  });

  it('goes on after a row whose quotes are wrong', async () => {
    const rows = ['path,ticker,year,quarter', 'a.txt,AAPL,2019,1', 'b.txt,"AA"PL,2019,2', 'b.txt,AAPL,2019,3'];
    const { ids, rejects } = await csv(`${rows.join('\n')}\n`);
    expect(ids).toEqual(['AAPL_2019_Q1', 'AAPL_2019_Q3']);
    expect(rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('row 2 (line 3): ticker is')]);
  });

  it('says where a quote is never closed', async () => {
    const { ids, rejects } = await csv('path,ticker,year,quarter\na.txt,AAPL,2019,1\nb.txt,"AAPL,2019,2\n');
    expect(ids).toEqual(['AAPL_2019_Q1']);
    expect(rejects.map(({ subject, reason }) => `${subject}: ${reason}`)).toEqual([
      expect.stringMatching(/row 2 .*cannot be read: Quote Not Closed/),
    ]);
  });

  it('never throws for a row, and every id that it makes is safe in a path', () => {
    const odd = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant(undefined), fc.constant({}));
    const row = fc.record(
      {
        bank_name: fc.oneof(odd, fc.constantFrom(...CENTRAL_BANKS)),
        ticker: fc.oneof(odd, fc.constantFrom('AAPL', 'BRK.B', '../x')),
        year: fc.oneof(odd, fc.integer({ min: 1890, max: 2110 })),
        quarter: fc.oneof(odd, fc.integer({ min: 0, max: 5 })),
        start_date: fc.oneof(odd, fc.constantFrom('2020-02-29', '2021-02-29', '2020-01-01')),
        document_type: fc.oneof(odd, fc.constantFrom('minutes', 'a/b')),
        document_id: odd,
        dataset: fc.oneof(odd, fc.constantFrom('wcb', 'earnings')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(row, (fields) => {
        const facts = toFacts(fields);
        if ('wrong' in facts) expect(facts.wrong).not.toBe('');
        else {
          expect(facts.documentId).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
          expect(facts.partition).toMatch(/^[A-Za-z0-9_.-]+(\/\d{4})?$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives back any cell that was written by the rules of CSV', async () => {
    const cell = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n\0]/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), async (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = ['path,title', ...rows.map((row) => row.map(quote).join(','))].join('\r\n');
        const read: unknown[] = [];
        for await (const row of readCsvRows(text)) read.push('fields' in row ? row.fields : row.wrong);
        expect(read).toEqual(rows.map(([path, title]) => ({ path, title })));
      }),
      { numRuns: 100 },
    );
  });
});
