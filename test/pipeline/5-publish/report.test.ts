import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheerioAPI, load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import type { DatasetId } from '../../../data/catalog.js';
import type { CheckResult } from '../../../pipeline/5-publish/checks/run.js';
import { readReportData } from '../../../pipeline/5-publish/report/data.js';
import { renderReport } from '../../../pipeline/5-publish/report/render.js';
import { writeReport } from '../../../pipeline/5-publish/report/report.js';
import type { StageReport } from '../../../pipeline/events.js';
import type { Row } from '../../../src/database.js';
import { countColumn } from '../../../src/formula.js';
import { openReportWorld, type ReportWorld } from './report-world.js';

const PASSED: CheckResult = {
  name: 'document_ids_unique',
  severity: 'block',
  about: 'a document_id occurs once',
  passed: true,
  offending: 0,
  rows: [],
};

const STAGES: readonly StageReport[] = [
  {
    stage: 'classify',
    units: 4,
    stale: 2,
    seconds: 10,
    amounts: { predictions_made: 5000, predictions_reused: 200 },
    made: { predictions_made: 5000 },
    facts: { provider: 'cpu' },
  },
  {
    stage: 'segment',
    units: 4,
    stale: 2,
    seconds: 10,
    amounts: { documents: 9, sentences: 900, rejects: 1 },
    made: { documents: 4, sentences: 400, rejects: 0 },
    facts: {},
  },
];

const fed: Row = {
  document_id: 'federal_reserve_system_2024-03-20',
  bank_name: 'federal_reserve_system',
  year: 2024,
  date: '2024-03-20',
  document_type: 'statement',
  title: 'Statement of March',
  sentence_count: 30,
  stance: 0.25,
  uncertainty: 0.1,
  text_sha256: 'a',
};

const ecb: Row = {
  ...fed,
  document_id: 'european_central_bank_2023-03-16',
  bank_name: 'european_central_bank',
  year: 2023,
  date: '2023-03-16',
  title: null,
  stance: -0.5,
  text_sha256: 'b',
};

const withWorld = async (
  id: DatasetId,
  use: (world: ReportWorld) => Promise<void>,
  reports: readonly StageReport[] = [],
): Promise<void> => {
  const world = await openReportWorld(id, reports);
  try {
    await use(world);
  } finally {
    world.database.close();
  }
};

const tableOf = ($: CheerioAPI, caption: string) =>
  $('table').filter((_, found) => $(found).find('caption').text() === caption);

describe('a report', () => {
  it('is one page that asks nothing of the network and runs no script', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [
        { ...fed, source_url: 'https://example.org/a?b=1&c=2' },
        { ...ecb, source_url: 'javascript:alert(1)' },
      ]);
      const page = renderReport(await read({ checks: [PASSED] }));
      const $ = load(page);
      expect(
        $('script, link, img, iframe, object, embed, base, form, [src], [srcset], [style], [onclick]').length,
      ).toBe(0);
      expect($('meta[http-equiv=Content-Security-Policy]').attr('content')).toMatch(/^default-src 'none'/);
      expect($('style').text()).not.toMatch(/url\(|@import/);
      const links = $('a')
        .toArray()
        .map((link) => $(link).attr('href'))
        .filter((href) => !href?.startsWith('#'));
      expect(links).toEqual(['https://example.org/a?b=1&c=2']);
      expect(page.match(/https?:/g)).toHaveLength(1);
    }));

  it('has its sections in order, each named by its heading', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed]);
      const $ = load(renderReport(await read()));
      expect($('h1').text()).toBe('World Central Banks');
      const ids = $('main > section')
        .toArray()
        .map((section) => $(section).attr('id'));
      expect(ids).toEqual(['measures', 'labels', 'rejects', 'checks', 'run', 'documents', 'models']);
      for (const section of $('main > section').toArray()) {
        expect($(`#${$(section).attr('aria-labelledby')}`).text()).not.toBe('');
      }
      expect(
        $('nav a')
          .toArray()
          .map((link) => $(link).attr('href')),
      ).toEqual(ids.map((id) => `#${id}`));
    }));

  it('tells every picture and table to those who cannot see it', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed, ecb]);
      const $ = load(renderReport(await read({ checks: [PASSED] })));
      expect($('svg').length).toBeGreaterThan(5);
      for (const svg of $('svg').toArray()) {
        const { role, 'aria-label': label, 'aria-hidden': hidden } = svg.attribs;
        expect(hidden === 'true' || (role === 'img' && (label ?? '').length > 10)).toBe(true);
      }
      for (const table of $('table').toArray()) expect($(table).find('caption').text()).not.toBe('');
    }));

  it('shows texts of others as texts, whatever they hold', () =>
    withWorld('wcb', async ({ insert, read }) => {
      const hostile = '"><script>alert(1)</script>\u202E\u0007\'&amp;<img src=x onerror=alert(2)>';
      await insert('documents', [
        {
          ...fed,
          document_id: hostile,
          title: hostile,
          document_type: '<b>',
        },
      ]);
      await insert('rejects', [{ subject: `${hostile}.pdf`, stage: 'ingest', reason: `<iframe> in 'it'` }]);
      const rows = [{ '<u>': hostile, value: null }];
      const page = renderReport(await read({ checks: [{ ...PASSED, passed: false, offending: 1, rows }] }));
      const $ = load(page);
      expect($('script, img, iframe, u, [onerror]').length).toBe(0);
      expect(page).not.toContain('\u202E');
      expect(page).not.toContain('\u0007');
      expect($('#documents .title').text()).toBe(
        '"><script>alert(1)</script>\uFFFD\uFFFD\'&amp;<img src=x onerror=alert(2)>',
      );
      expect($('#rejects').text()).toContain(`<iframe> in 'it'`);
    }));

  it('is the same for the same tables', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed, ecb]);
      await insert('rejects', [{ subject: 'a.pdf', stage: 'ingest', reason: 'It is empty.' }]);
      expect(renderReport(await read())).toBe(renderReport(await read()));
    }));

  it('is written twice, to be read and to be computed with', () =>
    withWorld('wcb', async ({ world, insert }) => {
      await insert('documents', [fed]);
      const staging = await mkdtemp(join(tmpdir(), 'report-'));
      try {
        await writeReport({ world, staging, checks: [PASSED], last: undefined });
        expect(await readFile(join(staging, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
        const data: unknown = JSON.parse(await readFile(join(staging, 'report.json'), 'utf8'));
        expect(data).toMatchObject({ counts: { documents: 1, sentences: 0, rejects: 0 }, last: null });
      } finally {
        await rm(staging, { recursive: true });
      }
    }));

  it('says of what was left out how much was found and published beside it', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed, ecb, { ...ecb, document_id: 'c', text_sha256: 'c' }]);
      await insert('rejects', [{ subject: 'a.pdf', stage: 'ingest', reason: 'It is empty.' }]);
      const $ = load(renderReport(await read()));
      expect($('.figures').text()).toContain('Documents published3');
      expect($('#rejects').text()).toContain('4 found: 3 documents published, 1 left out (25.0%), by reason.');
    }));

  it('of no document at all still says so', () =>
    withWorld('earnings', async ({ read }) => {
      const $ = load(renderReport(await read()));
      expect($('#measures').text()).toContain('There is no document with a metric to plot.');
      expect($('#rejects').text()).toContain('No document was left out.');
      expect($.text()).not.toMatch(/NaN|Infinity|undefined/);
    }));
});

describe('the verdict', () => {
  const verdict = async (world: ReportWorld, options: Parameters<ReportWorld['read']>[0]) =>
    load(renderReport(await world.read(options)))('.verdict').text();

  it('says that all checks passed, and what is new, gone and changed', () =>
    withWorld('wcb', async (world) => {
      await world.insert('documents', [fed, ecb, { ...ecb, document_id: 'c', text_sha256: 'c' }]);
      await world.insert('last_documents', [
        { ...fed, text_sha256: 'another' },
        { ...ecb, stance: -0.4 },
        { ...ecb, document_id: 'gone' },
      ]);
      expect(await verdict(world, { checks: [PASSED], last: 'abc' })).toBe(
        'All checks passed.Documents against the previous snapshot: 1 new, 1 gone, 1 changed, 1 measured anew from the same text.',
      );
    }));

  it('names the checks that failed', () =>
    withWorld('wcb', async (world) => {
      await world.insert('documents', [fed]);
      const failed: CheckResult = { ...PASSED, passed: false, offending: 3, rows: [{ document_id: 'x', times: 2 }] };
      expect(await verdict(world, { checks: [failed] })).toContain(
        'Nothing was published: 1 check failed (document ids unique).',
      );
      expect(await verdict(world, { checks: [{ ...failed, severity: 'warn' }] })).toContain('1 warning to look at');
    }));

  it('compares with nothing where there is nothing to compare with', () =>
    withWorld('wcb', async (world) => {
      await world.insert('documents', [fed]);
      expect(await verdict(world, {})).toContain('no earlier snapshot');
      expect(await verdict(world, { last: 'abc' })).toContain('is not compared');
    }));
});

describe('plots', () => {
  it('of one document stand on an axis of one year', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed]);
      const $ = load(renderReport(await read()));
      const panel = $('#measures figure').first();
      expect(panel.find('h4').text()).toBe('Federal Reserve System');
      expect(panel.find('circle.up title').text()).toBe('2024-03-20 federal_reserve_system_2024-03-20: +0.25');
      expect(
        panel
          .find('text.x')
          .toArray()
          .map((text) => $(text).text()),
      ).toEqual(['2024']);
      expect($.text()).not.toMatch(/NaN|Infinity|undefined/);
    }));

  it('leave out what has no value, and tables write it as a dash', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [fed, { ...ecb, stance: null }]);
      const data = await read();
      expect(data.panels?.panels.map(({ group }) => group)).toEqual(['federal_reserve_system']);
      const $ = load(renderReport(data));
      const row = tableOf($, 'Metrics of the newest documents').find('tbody tr').eq(1);
      expect(
        row
          .find('td')
          .toArray()
          .map((cell) => $(cell).text())
          .slice(0, 6),
      ).toEqual(['2023-03-16', 'statement', 'european_central_bank_2023-03-16', '30', '–', '0.100']);
    }));

  it('put a document without a day in the middle of its year, and means are of years', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('documents', [
        { ...fed, date: null },
        { ...fed, document_id: 'b', stance: 0.75 },
      ]);
      const [panel] = (await read()).panels?.panels ?? [];
      expect(panel?.dots.map(({ t }) => t)).toEqual([2024.2158, 2024.5]);
      expect(panel?.yearly).toEqual([{ year: 2024, t: 2024.3579, mean: 0.5, n: 2 }]);
    }));

  it('leave out what is dated after the day of the run, unless everything is', () =>
    withWorld('wcb', async ({ insert, read }) => {
      const slip = { ...fed, document_id: 'slip', year: 2062, date: '2062-03-20', stance: -1 };
      await insert('documents', [slip]);
      expect((await read()).panels?.panels.map(({ documents }) => documents)).toEqual([1]);
      await insert('documents', [fed]);
      const { panels, trends, heat, coverage } = await read();
      expect(panels?.panels.flatMap(({ dots }) => dots.map(({ name }) => name))).toEqual([
        '2024-03-20 federal_reserve_system_2024-03-20',
      ]);
      expect(trends[0]?.points.map(({ t }) => Math.floor(t))).toEqual([2024]);
      expect(heat?.years ?? [2024]).toEqual([2024]);
      // What there is is counted all the same.
      expect(coverage.years).toEqual([2024, 2062]);
    }));

  it('list what is dated after the day of the run behind the newest documents, and say so', () =>
    withWorld('wcb', async ({ insert, read }) => {
      const slip = { ...fed, document_id: 'slip', title: null, year: 2062, date: '2062-03-20' };
      await insert('documents', [slip, { ...ecb, document_id: 'undated', year: 2020, date: null }, fed, ecb]);
      const data = await read();
      expect(data.documents.map(({ document_id: id, dated_ahead: ahead }) => [id, ahead])).toEqual([
        [fed.document_id, 0],
        [ecb.document_id, 0],
        ['undated', 0],
        ['slip', 1],
      ]);
      const $ = load(renderReport(data));
      expect($('#documents .note').first().text()).toContain(' 1 document dated after the day of the run comes last.');
      const titles = tableOf($, 'Metrics of the newest documents').find('.title').toArray();
      expect(titles.map((title) => $(title).text().includes('dated ahead'))).toEqual([false, false, false, true]);
    }));

  it('of quarters show the median company and the middle half', () =>
    withWorld('earnings', async ({ insert, read }) => {
      await insert(
        'documents',
        [0, 0.1, 0.2, 0.5, 0.9].map((value, at) => ({
          document_id: `t${at}`,
          ticker: `T${at}`,
          year: 2023,
          quarter: 2,
          ec_financial_sentiment_metric: value,
        })),
      );
      const { trends, ranking } = await read();
      expect(trends[0]).toMatchObject({
        metric: 'ec_financial_sentiment_metric',
        points: [{ t: 2023.375, groups: 5, centre: 0.2, low: 0.1, high: 0.5 }],
      });
      expect(ranking?.rows.map(({ group, value }) => [group, value])).toEqual([
        ['T4', 0.9],
        ['T3', 0.5],
        ['T2', 0.2],
        ['T1', 0.1],
        ['T0', 0],
      ]);
    }));

  it('rank the newest document that has a value, the first and last ten', () =>
    withWorld('earnings', async ({ insert, read }) => {
      const metric = 'ec_financial_sentiment_metric';
      await insert('documents', [
        ...Array.from({ length: 30 }, (_, at) => ({
          document_id: `d${at}`,
          ticker: `T${at}`,
          year: 2020,
          quarter: 1,
          [metric]: at / 100,
        })),
        { document_id: 'later', ticker: 'T0', year: 2021, quarter: 1, [metric]: 1 },
        { document_id: 'latest', ticker: 'T0', year: 2021, quarter: 2, [metric]: null },
      ]);
      const { ranking } = await read();
      expect(ranking?.rows).toHaveLength(20);
      expect(ranking?.rows[0]).toMatchObject({ place: 1, document_id: 'later', value: 1 });
      expect(ranking?.rows.map(({ place }) => place).slice(9, 11)).toEqual([10, 21]);
    }));
});

describe('label shares', () => {
  /** A document that has so many sentences of each stance. */
  const counted = (stances: Readonly<Record<string, number>>): Row => ({
    document_id: 'd',
    cb_stance_label__total: Object.values(stances).reduce((sum, one) => sum + one, 0),
    ...Object.fromEntries(Object.entries(stances).map(([label, n]) => [`cb_stance_label__${label}`, n])),
  });

  it('are of all sentences, beside those of the last snapshot', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('counts', [counted({ hawkish: 1, dovish: 0 }), counted({ dovish: 1, neutral: 2 })]);
      await insert('last_counts', [counted({ hawkish: 1, neutral: 1 })]);
      const data = await read({ last: 'abc' });
      expect(data.shares[0]?.labels).toEqual([
        { label: 'Hawkish', share: 0.25, before: 0.5 },
        { label: 'Dovish', share: 0.25, before: 0 },
        { label: 'Neutral', share: 0.5, before: 0.5 },
        { label: 'Irrelevant', share: 0, before: 0 },
      ]);
      expect(load(renderReport(data))('#labels path.was').length).toBeGreaterThan(0);
    }));

  it('are of the sentences that were asked about; how many were not is said', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('counts', [counted({ hawkish: 1 })]);
      await insert('sentences', [
        { document_id: 'd', sentence_index: 0, cb_stance_label: 'Hawkish' },
        { document_id: 'd', sentence_index: 1, mark: 'foreign' },
        { document_id: 'd', sentence_index: 2, mark: 'foreign' },
        { document_id: 'e', sentence_index: 0, mark: 'foreign' },
      ]);
      const data = await read();
      expect(data.counts.marked).toEqual([{ mark: 'foreign', sentences: 3, documents: 2 }]);
      expect(data.shares[0]?.labels[0]).toEqual({ label: 'Hawkish', share: 1, before: null });
      const $ = load(renderReport(data));
      expect($('#labels .note').first().text()).toContain('Shares of all 1 sentence that the models were asked about');
      expect($('#rejects').text()).toContain(
        '3 sentences of 2 documents asked of no model and not counted: in a paragraph that is not in English.',
      );
      expect($('.figures').text()).toContain('Of them marked, asked of no model3');
    }));

  it('have no marks of a last snapshot that is empty or had another model', () =>
    withWorld('wcb', async ({ database, insert, read }) => {
      await insert('counts', [counted({ hawkish: 1 })]);
      expect((await read({ last: 'abc' })).shares[0]?.labels[0]).toEqual({ label: 'Hawkish', share: 1, before: null });
      await insert('last_counts', [counted({ hawkish: 1 })]);
      await database.run('ALTER TABLE last_counts DROP COLUMN cb_stance_label__hawkish');
      expect((await read({ last: 'abc' })).shares[0]?.labels[0]?.before).toBeNull();
    }));
});

describe('rejects', () => {
  it('are of one kind where only names and amounts differ', () =>
    withWorld('wcb', async ({ insert, read }) => {
      await insert('rejects', [
        { subject: 'ecb_2', stage: 'publish', reason: 'Its text is the same as that of ecb_1, which is earlier.' },
        { subject: 'ecb_4', stage: 'publish', reason: 'Its text is the same as that of ecb_3, which is earlier.' },
        { subject: 'a/b.pdf', stage: 'ingest', reason: 'The file is empty.' },
      ]);
      expect((await read()).rejects).toEqual({
        more: 0,
        groups: [
          {
            stage: 'publish',
            reason: 'Its text is the same as that of …, which is earlier.',
            n: 2,
            examples: [
              { subject: 'ecb_2', reason: 'Its text is the same as that of ecb_1, which is earlier.' },
              { subject: 'ecb_4', reason: 'Its text is the same as that of ecb_3, which is earlier.' },
            ],
          },
          { stage: 'ingest', reason: 'The file is empty.', n: 1, examples: [{ subject: 'a/b.pdf', reason: null }] },
        ],
      });
    }));

  it('keep the column that is wrong, and not all that it may hold', () =>
    withWorld('wcb', async ({ insert, read }) => {
      const wrong = (bank: string): string => `bank_name is "${bank}"; allowed: bank_of_england, bank_of_japan`;
      await insert('rejects', [
        { subject: 'manifest.csv row 2', stage: 'ingest', reason: wrong('bank_of_canada') },
        { subject: 'manifest.csv row 3', stage: 'ingest', reason: wrong('norges_bank') },
      ]);
      const [group, ...others] = (await read()).rejects.groups;
      expect(others).toEqual([]);
      expect(group).toMatchObject({ n: 2, reason: 'bank name is …, which is not allowed' });
      expect(group?.examples[0]?.reason).toBe(wrong('bank_of_canada'));
    }));

  it('show five subjects and fold away two hundred at most', () =>
    withWorld('wcb', async ({ insertQuery, read }) => {
      await insertQuery(
        'rejects',
        { subject: `'f' || i || '.pdf'`, stage: `'ingest'`, reason: `'It is empty.'` },
        'range(5000) r(i)',
      );
      const $ = load(renderReport(await read()));
      expect($('#rejects .count').text()).toBe('5,000');
      expect($('#rejects .subjects').first().find('li').length).toBe(5);
      expect($('#rejects details li').length).toBe(195);
      expect($('#rejects summary').text()).toBe('195 more of 4,995');
    }));
});

it('the data has the speed of each stage that made something, and the page shows no other', () =>
  withWorld(
    'wcb',
    async ({ read }) => {
      const data = await read();
      expect(data.stages.map(({ throughput }) => throughput)).toEqual([
        { amount: 'predictions_made', per_second: 500 },
        { amount: 'sentences', per_second: 40 },
        null,
      ]);
      const cells = tableOf(load(renderReport(data)), 'Stages of the run')
        .find('tbody tr')
        .last();
      expect(cells.text()).toContain('–');
    },
    [...STAGES, { stage: 'aggregate', units: 4, stale: 0, seconds: 1, amounts: { documents: 9 }, made: {}, facts: {} }],
  ));

describe('lineage', () => {
  const run = { id: '01941f29-7c00-7000-8000-000000000000', job: 'rebuild' };
  const inputs = ['/home/me/corpora/wcb'];

  it('is in the data as OpenLineage has it, as far as it is known, and names no folder of the machine', () =>
    withWorld('wcb', async ({ insert, world }) => {
      await insert('documents', [fed]);
      const data = await readReportData({ world: { ...world, run, inputs }, checks: [PASSED], last: undefined });
      expect(data.lineage).toMatchObject({
        file: `work/wcb/runs/${run.id}.openlineage.json`,
        event: {
          eventType: 'RUNNING',
          eventTime: data.made_at,
          run: { runId: run.id },
          job: { namespace: 'fintext', name: 'rebuild.wcb' },
          inputs: expect.arrayContaining([
            { namespace: 'file', name: 'wcb' },
            expect.objectContaining({ name: 'models.cb_stance_label' }),
            expect.objectContaining({ name: 'wcb.documents', inputFacets: expect.anything() }),
          ]),
          outputs: expect.arrayContaining([
            expect.objectContaining({
              name: 'wcb.documents',
              outputFacets: { outputStatistics: expect.objectContaining({ rowCount: 1 }) },
            }),
          ]),
        },
      });
      expect(JSON.stringify(data)).not.toContain('corpora');
      expect(load(renderReport(data))('#run').text()).toContain(`in <outputs>/${data.lineage?.file};`);
    }));

  it('has nothing that came out where a check keeps it back, and is none where no record is kept', () =>
    withWorld('wcb', async ({ read, world }) => {
      const failed = { ...PASSED, passed: false };
      const data = await readReportData({ world: { ...world, run, inputs }, checks: [failed], last: undefined });
      expect(data.lineage?.event.outputs).toEqual([]);
      expect((await read()).lineage).toBeNull();
    }));
});

it('checks, stages, models and formulas are tables of the page', () =>
  withWorld(
    'wcb',
    async ({ insert, read, world }) => {
      await insert('documents', [fed]);
      const failed = {
        ...PASSED,
        name: 'ranges',
        passed: false,
        offending: 40,
        rows: [{ document_id: 'x', value: 1.5 }],
      };
      const $ = load(renderReport(await read({ checks: [PASSED, failed] })));
      expect(tableOf($, 'Checks before publishing').find('tbody tr').length).toBe(2);
      expect(tableOf($, 'Offending rows of ranges').text()).toContain('1.5');
      const stage = tableOf($, 'Stages of the run')
        .find('tbody td')
        .toArray()
        .map((cell) => $(cell).text());
      expect(stage.slice(0, 5)).toEqual([
        '4',
        '2',
        '10.0 s',
        '500 predictions',
        '5,000 predictions made · 200 for such texts known from earlier runs',
      ]);
      // Its speed is that of the units that were made, and not of the fresh ones.
      expect(stage.slice(5)).toEqual(['4', '2', '10.0 s', '40 sentences', '9 documents · 900 sentences · 1 left out']);
      expect(tableOf($, 'What the stages say about where they ran').text()).toContain('cpu');
      for (const { fingerprint } of world.fingerprints) expect($('#models').html()).toContain(fingerprint);
      expect(tableOf($, 'Formulas').text()).toContain('(hawkish - dovish) / (total - irrelevant)');
      expect(tableOf($, 'Documents by bank and year').find('tbody tr').text()).toBe('Federal Reserve System11');
    },
    STAGES,
  ));

describe('a report of 50,000 documents', () => {
  const SPREAD = '(hash(i) % 2000) / 1000.0 - 1';

  it.each([
    {
      id: 'wcb' as const,
      values: {
        document_id: `'document ' || i`,
        bank_name: `'bank_of_' || (i % 19)`,
        year: '1990 + i % 35',
        date: 'make_date(CAST(1990 + i % 35 AS BIGINT), CAST(1 + hash(i + 1) % 12 AS BIGINT), CAST(1 + hash(i + 2) % 28 AS BIGINT))',
        title: `repeat('Minutes of the meeting ', 20)`,
        stance: SPREAD,
        uncertainty: 'abs(sin(i))',
      },
    },
    {
      id: 'earnings' as const,
      values: {
        document_id: `'call ' || i`,
        ticker: `'T' || (i % 3000)`,
        year: 'CAST(2000 + i // 12000 AS INTEGER)',
        quarter: 'CAST(1 + (i // 3000) % 4 AS INTEGER)',
        ec_financial_sentiment_metric: SPREAD,
        ec_price_relevancy_metric: 'abs(sin(i))',
      },
    },
  ])('of $id is a page of bounded size', ({ id, values }) =>
    withWorld(id, async ({ insertQuery, read, world }) => {
      await insertQuery('documents', values, 'range(50000) r(i)');
      const counts = Object.fromEntries(world.counts.map((count) => [countColumn(count), '1']));
      await insertQuery('counts', counts, 'range(50000) r(i)');
      await insertQuery('sentences', { sentence_index: 'i' }, 'range(200000) r(i)');
      await insertQuery(
        'rejects',
        { subject: `'f' || i`, stage: `'ingest'`, reason: `repeat(chr(CAST(97 + i % 26 AS INTEGER)), 400)` },
        'range(20000) r(i)',
      );
      const page = renderReport(await read());
      expect(page.length).toBeLessThan(1_500_000);
      const $ = load(page);
      expect($('svg *').length).toBeLessThan(4000);
      expect($('*').length).toBeLessThan(12_000);
      expect($('#documents tbody tr').length).toBe(200);
    }),
  );
});
