import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listInput, listInputs } from '../../../pipeline/1-ingest/sources/index.js';
import { collect, openRig } from './rig.js';

const rig = openRig();
const bank = 'bank_of_japan';

const entry = (start: string, more: Readonly<Record<string, unknown>> = {}) => ({
  start_date: start,
  end_date: start,
  release_date: start,
  minutes_link: `https://example.org/${start}`,
  doc_id: `${bank}_${start}`,
  original_document_name: `${bank}_${start}.txt`,
  ...more,
});

const release = (years: Readonly<Record<string, readonly unknown[]>>, files: readonly string[]) =>
  rig.write({
    [`raw_data/${bank}/${bank}_metadata.json`]: JSON.stringify(years),
    ...Object.fromEntries(files.map((path) => [`raw_data/${bank}/${path}`, 'Inflation rose.'])),
  });

describe('the World Central Banks release', () => {
  it('gives each document its dates, year, partition, id and link', async () => {
    const folder = release({ '1998': [entry('13-10-1998', { end_date: '14-10-1998', release_date: '18-11-1998' })] }, [
      `1998/${bank}_13-10-1998.txt`,
    ]);
    const { documents, rejects } = await collect(listInput(folder));
    expect(rejects).toEqual([]);
    expect(documents).toEqual([
      {
        dataset: 'wcb',
        documentId: 'bank_of_japan_1998-10-13',
        partition: 'bank_of_japan/1998',
        dimensions: {
          bank_name: bank,
          year: 1998,
          start_date: '1998-10-13',
          end_date: '1998-10-14',
          release_date: '1998-11-18',
          date: '1998-11-18',
          document_type: null,
        },
        title: null,
        sourceUrl: 'https://example.org/13-10-1998',
        file: join(folder, 'raw_data', bank, '1998', `${bank}_13-10-1998.txt`),
        path: `raw_data/${bank}/1998/${bank}_13-10-1998.txt`,
      },
    ]);
    expect(Object.keys(documents[0]?.dimensions ?? {})[0]).toBe('bank_name');
  });

  it('is found from the folder above, from raw_data and from a single bank, with paths from there', async () => {
    const folder = release({ '1998': [entry('13-10-1998')] }, [`1998/${bank}_13-10-1998.txt`]);
    const paths = [];
    for (const way of ['', 'raw_data', `raw_data/${bank}`])
      paths.push((await collect(listInput(join(folder, way)))).documents[0]?.path);
    const file = `1998/${bank}_13-10-1998.txt`;
    expect(paths).toEqual([`raw_data/${bank}/${file}`, `${bank}/${file}`, file]);
  });

  it('reads ending_date and meeting_url as the end and the link', async () => {
    const { end_date: _end, minutes_link: _link, ...rest } = entry('22-06-2017');
    const folder = release({ '2017': [{ ...rest, ending_date: '23-06-2017', meeting_url: 'https://example.org/m' }] }, [
      `2017/${bank}_22-06-2017.txt`,
    ]);
    const { documents } = await collect(listInput(folder));
    expect(documents[0]?.dimensions.end_date).toBe('2017-06-23');
    expect(documents[0]?.sourceUrl).toBe('https://example.org/m');
  });

  it('publishes a link without its user and password', async () => {
    const folder = release({ '2017': [entry('22-06-2017', { minutes_link: 'https://me:secret@example.org/m?a=b' })] }, [
      `2017/${bank}_22-06-2017.txt`,
    ]);
    expect((await collect(listInput(folder))).documents[0]?.sourceUrl).toBe('https://example.org/m?a=b');
  });

  it('takes the year from the start of the meeting, not from the folder', async () => {
    const folder = release({ '2010': [entry('15-12-2009')] }, [`2010/${bank}_15-12-2009.txt`]);
    const { documents } = await collect(listInput(folder));
    expect(documents[0]?.partition).toBe(`${bank}/2009`);
    expect(documents[0]?.notes?.join()).toContain('under 2010');
  });

  it('keeps no end before the start and no day that does not exist, and notes both', async () => {
    const folder = release(
      {
        '2008': [entry('27-11-2008', { end_date: '31-10-2008' }), entry('05-03-2008', { release_date: '208-11-2018' })],
      },
      [`2008/${bank}_27-11-2008.txt`, `2008/${bank}_05-03-2008.txt`],
    );
    const { documents } = await collect(listInput(folder));
    expect(documents.map(({ dimensions }) => [dimensions.end_date, dimensions.release_date, dimensions.date])).toEqual([
      ['2008-03-05', null, '2008-03-05'],
      [null, '2008-11-27', '2008-11-27'],
    ]);
    expect(documents.flatMap(({ notes }) => notes ?? [])).toEqual([
      'release_date "208-11-2018" is no day written dd-mm-yyyy: null',
      'end_date 2008-10-31 is before start_date 2008-11-27: null',
    ]);
  });

  it('dates a text whose release and start are swapped by the day on which it could be read', async () => {
    const folder = release(
      {
        '1997': [
          entry('16-07-1997', { end_date: '17-07-1997', release_date: '06-06-1997' }),
          entry('06-08-1997', { end_date: '07-08-1997', release_date: '06-08-1997' }),
        ],
      },
      [`1997/${bank}_16-07-1997.txt`, `1997/${bank}_06-08-1997.txt`],
    );
    const { documents, ids } = await collect(listInput(folder));
    expect(ids).toEqual([`${bank}_1997-08-06`, `${bank}_1997-07-16`]);
    expect(documents.map(({ dimensions }) => [dimensions.release_date, dimensions.date])).toEqual([
      ['1997-08-06', '1997-08-06'],
      ['1997-07-16', '1997-07-16'],
    ]);
    expect(documents.flatMap(({ notes }) => notes ?? [])).toEqual([
      'release_date 1997-06-06 is before start_date 1997-07-16: the two are swapped, and 1997-07-16 is the release',
    ]);
  });

  it('keeps a document that two entries name once, as the later entry has it', async () => {
    const folder = release(
      { '2008': [entry('27-11-2008', { minutes_link: 'a' }), entry('27-11-2008', { minutes_link: 'b' })] },
      [`2008/${bank}_27-11-2008.txt`],
    );
    const { documents, rejects } = await collect(listInput(folder));
    expect(documents.map(({ sourceUrl }) => sourceUrl)).toEqual(['b']);
    expect(rejects).toHaveLength(1);
    expect(rejects[0]?.reason).toContain(
      `names the same file, 2008/${bank}_27-11-2008.txt, as the later entry 2008[1]`,
    );
  });

  it('rejects a file that is missing, a file that nothing names, and an entry that is none', async () => {
    const folder = release({ '1998': [entry('13-10-1998'), { start_date: 5 }] }, ['1998/stray.txt']);
    const { documents, rejects } = await collect(listInput(folder));
    expect(documents).toEqual([]);
    expect(rejects.map(({ subject, reason }) => `${subject}: ${reason}`)).toEqual([
      expect.stringMatching(/bank_of_japan_13-10-1998\.txt: .*names it at 1998\[0\], but there is no such file/),
      expect.stringMatching(/1998\/stray\.txt: .*does not name it/),
      expect.stringMatching(/metadata\.json 1998\[1\]: start_date/),
    ]);
  });

  it('says which document a missing file is, and which file is only named no more', async () => {
    const folder = release({ '1998': [entry('13-10-1998')] }, ['1998/stray.txt']);
    const { rejects } = await collect(listInput(folder));
    expect(rejects).toMatchObject([{ missing: `${bank}_1998-10-13` }, { unnamed: 'by the list' }]);
  });

  it.each([
    ['no list', undefined, 'there is no such file; fetch it again, or restore it from a backup'],
    ['a list that is cut', '{"1998": [', 'cannot be read: it is no JSON; fetch it again, or restore it from a backup'],
    ['a list with an entry that is none', JSON.stringify({ '1998': [{ start_date: 5 }] }), undefined],
  ])('says which files lie there without a name for want of %s', async (_what, metadata, reason) => {
    const other = 'bank_of_canada';
    const folder = rig.write({
      [`${bank}/1998/a.txt`]: 'Text.',
      ...(metadata !== undefined && { [`${bank}/${bank}_metadata.json`]: metadata }),
      [`${other}/${other}_metadata.json`]: '{}',
    });
    const { rejects } = await collect(listInput(folder));
    expect(rejects).toMatchObject([
      { subject: `${bank}/1998/a.txt`, unnamed: 'for want of a list' },
      { subject: expect.stringMatching(`^${bank}/${bank}_metadata.json`), ...(reason !== undefined && { reason }) },
    ]);
    expect(rejects[1]).not.toHaveProperty('unnamed');
  });

  it('reads a bank whose folder lies elsewhere, behind a link of its name, and what lies behind one within it', async () => {
    const folder = release({ '1998': [entry('13-10-1998')], '1999': [entry('13-10-1999')] }, [
      `1998/${bank}_13-10-1998.txt`,
      `elsewhere/${bank}_13-10-1999.txt`,
    ]);
    const place = join(folder, 'raw_data', bank);
    symlinkSync('elsewhere', join(place, '1999'));
    const elsewhere = join(rig.write({}), 'moved');
    renameSync(place, elsewhere);
    symlinkSync(elsewhere, place);
    const other = 'bank_of_canada';
    mkdirSync(join(folder, 'raw_data', other));
    writeFileSync(join(folder, 'raw_data', other, `${other}_metadata.json`), '{}');
    for (const [input, prefix] of [
      [folder, `raw_data/${bank}/`],
      [place, ''],
    ] as const) {
      const { documents, rejects } = await collect(listInput(input));
      expect(documents.map(({ path }) => path)).toEqual([
        `${prefix}1998/${bank}_13-10-1998.txt`,
        `${prefix}1999/${bank}_13-10-1999.txt`,
      ]);
      expect(rejects.map(({ subject }) => subject)).toEqual([`${prefix}elsewhere/${bank}_13-10-1999.txt`]);
    }
  });

  it('never follows an entry out of its folder', async () => {
    const folder = release({ '1998': [entry('13-10-1998', { original_document_name: '../../../../secret.txt' })] }, []);
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    const { documents, rejects } = await collect(listInput(folder));
    expect(documents).toEqual([]);
    expect(rejects[0]?.reason).toContain('leads out of the folder');
  });

  it('rejects the documents of a bank whose metadata is no JSON', async () => {
    const folder = rig.write({ [`${bank}/${bank}_metadata.json`]: '{"1998": [', [`${bank}/1998/a.txt`]: 'Text.' });
    const { rejects } = await collect(listInput(folder));
    expect(rejects).toHaveLength(2);
    expect(rejects.map(({ reason }) => reason).join()).toContain('cannot be read');
  });

  it('rejects the documents of a bank that the catalog does not know', async () => {
    const folder = rig.write({
      'bank_of_atlantis/bank_of_atlantis_metadata.json': JSON.stringify({ '1998': [entry('13-10-1998')] }),
      [`bank_of_atlantis/1998/${bank}_13-10-1998.txt`]: 'Text.',
    });
    expect((await collect(listInput(folder))).rejects[0]?.reason).toContain(
      'bank_name is "bank_of_atlantis"; allowed: federal',
    );
  });
});

describe('the numerical claim release', () => {
  it('reads a call from its file name, also with the irregular mark of the release', async () => {
    const folder = rig.write({
      'data/raw_earning_calls/AAPL_2019_Q1.txt': 'Operator',
      'data/raw_earning_calls/TXN-2020_Q3.txt': 'Operator',
      'data/raw_earning_calls/notes.txt': 'x',
      'data/raw_earning_calls/IBM_2020_Q5.txt': 'x',
    });
    const { documents, ids, rejects } = await collect(listInput(folder));
    expect(ids).toEqual(['AAPL_2019_Q1', 'TXN_2020_Q3']);
    expect(documents[0]?.dimensions).toEqual({ ticker: 'AAPL', company: null, year: 2019, quarter: 1, date: null });
    expect(documents[0]?.partition).toBe('AAPL');
    expect(rejects.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('quarter is "5"; allowed: 1, 2, 3, 4'),
      expect.stringContaining('TICKER_YEAR_Qn'),
    ]);
  });
});

describe('several inputs', () => {
  it('finds every layout below one folder', async () => {
    const folder = rig.write({
      'calls/AAPL_2019_Q1.txt': 'x',
      'list/manifest.csv': 'path,ticker,year,quarter\nb.txt,MSFT,2020,2\n',
      'list/b.txt': 'x',
      [`banks/raw_data/${bank}/${bank}_metadata.json`]: JSON.stringify({ '1998': [entry('13-10-1998')] }),
      [`banks/raw_data/${bank}/1998/${bank}_13-10-1998.txt`]: 'x',
    });
    const { ids, documents } = await collect(listInput(folder));
    expect(ids).toEqual(['bank_of_japan_1998-10-13', 'AAPL_2019_Q1', 'MSFT_2020_Q2']);
    expect(documents[2]?.path).toBe('list/b.txt');
  });

  it('keeps the first of two documents with one id and names it in the reject of the other', async () => {
    const one = rig.write({ 'AAPL_2019_Q1.txt': 'x' });
    const two = rig.write({ 'AAPL-2019_Q1.txt': 'y' });
    const { ids, rejects } = await collect(listInputs([one, two]));
    expect(ids).toEqual(['AAPL_2019_Q1']);
    expect(rejects).toEqual([
      {
        subject: 'AAPL-2019_Q1.txt',
        reason: expect.stringContaining(
          'AAPL_2019_Q1 is that of AAPL_2019_Q1.txt in input folder 1, which comes first',
        ),
      },
    ]);
  });

  it('tells two documents with one path apart by their folders, which it publishes by their number alone', async () => {
    const [one, two] = [rig.write({ 'AAPL_2019_Q1.txt': 'x' }), rig.write({ 'AAPL_2019_Q1.txt': 'y' })];
    const found = [];
    for await (const listed of listInputs([one, two])) found.push(listed);
    expect(found[1]).toEqual({
      kind: 'reject',
      input: two,
      reject: {
        dataset: 'earnings',
        subject: 'AAPL_2019_Q1.txt',
        stage: 'ingest',
        reason:
          'its document_id AAPL_2019_Q1 is that of AAPL_2019_Q1.txt in input folder 1, which comes first and is kept; this one is in input folder 2',
      },
      double: { left: join(two, 'AAPL_2019_Q1.txt'), kept: join(one, 'AAPL_2019_Q1.txt') },
    });
  });

  it('lists a folder once that is reached twice', async () => {
    const folder = rig.write({ 'data/AAPL_2019_Q1.txt': 'x', 'data/odd.txt': 'x' });
    const { ids, rejects } = await collect(listInputs([folder, join(folder, 'data'), folder]));
    expect([ids.length, rejects.length]).toEqual([1, 1]);
  });

  it('says what is known when a folder holds nothing that is, and when it is not there', async () => {
    const folder = rig.write({ 'a.txt': 'x' });
    await expect(collect(listInput(folder))).rejects.toThrow(/holds no documents in a layout.*manifest\.csv/);
    await expect(collect(listInput(join(folder, 'none')))).rejects.toThrow('there is no such folder');
    for (const empty of ['', ' '])
      await expect(collect(listInput(empty))).rejects.toThrow('An input is empty: --input');
    await expect(collect(listInput(join(folder, 'a.txt')))).rejects.toThrow('is no folder');
  });

  it('says which folder is like one that holds documents, and what it lacks', async () => {
    const folder = rig.write({ [`raw_data/${bank}/1998/a.txt`]: 'Text.' });
    const place = join(folder, 'raw_data', bank);
    const missed = `${place}: it has the name of a bank and no ${bank}_metadata.json; fetch it again, or restore it`;
    for (const input of [folder, place]) await expect(collect(listInput(input))).rejects.toThrow(missed);
    const links = rig.write({});
    symlinkSync(folder, join(links, 'corpus'));
    await expect(collect(listInput(links))).rejects.toThrow(
      `${join(links, 'corpus')}: it is a link, which is not followed; name it with an --input of its own. Known are`,
    );
  });

  it('does not read what a link to elsewhere names', async () => {
    const outside = rig.write({ 'AAPL_2019_Q1.txt': 'x' });
    const folder = rig.write({ 'MSFT_2019_Q1.txt': 'x' });
    symlinkSync(join(outside, 'AAPL_2019_Q1.txt'), join(folder, 'AAPL_2019_Q1.txt'));
    mkdirSync(join(folder, 'IBM_2019_Q1.txt'));
    const { ids, rejects } = await collect(listInput(folder));
    expect(ids).toEqual(['MSFT_2019_Q1']);
    expect(rejects[0]?.reason).toContain('leads through a link out of the folder');
  });
});
