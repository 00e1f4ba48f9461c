/** A report as it is read: what a failed run's page says, on a phone, on paper, and how amounts are worded. */
import { type CheerioAPI, load } from 'cheerio';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import type { CheckResult } from '../../../pipeline/5-publish/checks/run.js';
import { renderReport } from '../../../pipeline/5-publish/report/render.js';
import { seconds } from '../../../pipeline/5-publish/report/words.js';
import { hasBrowser, needsBrowser, openBrowser } from '../../support/browser.js';
import { openReportWorld, type ReportWorld } from './report-world.js';

const check = (name: string, more: Partial<CheckResult> = {}): CheckResult => ({
  name,
  severity: 'block',
  about: 'no larger share of the last documents is missing than the setting max-dropped allows',
  passed: true,
  offending: 0,
  rows: [],
  ...more,
});
const BROKEN = { passed: false, offending: 1, rows: [{ document_id: 'd' }] } as const;

const withReport = async (
  id: DatasetId,
  checks: readonly CheckResult[],
  fill: (world: ReportWorld) => Promise<void>,
): Promise<{ readonly $: CheerioAPI; readonly page: string }> => {
  const world = await openReportWorld(id);
  try {
    await fill(world);
    const page = renderReport(await world.read({ checks }));
    return { $: load(page), page };
  } finally {
    world.database.close();
  }
};

const call = (ticker: string, quarter: number, value: number) => ({
  document_id: `${ticker}_2023_Q${quarter}`,
  ticker,
  year: 2023,
  quarter,
  ec_growth_metric: value,
});

describe('a report of what a check holds back', () => {
  const checks = [
    check('fine'),
    check('odd', { ...BROKEN, severity: 'warn' }),
    check('allowed', { ...BROKEN, overridden: 'a known gap' }),
    check('bad', BROKEN),
  ];
  const fill = async ({ insert }: ReportWorld): Promise<void> => {
    await insert('documents', [{ document_id: 'd', bank_name: 'bank_of_japan', year: 2024 }]);
    await insert('rejects', [{ subject: 'a.pdf', stage: 'ingest', reason: 'It is empty.' }]);
  };

  it('calls no document published', async () => {
    const { $ } = await withReport('wcb', checks, fill);
    expect($('.figures').text()).toContain('Documents held back1');
    expect($('#rejects').text()).toContain('2 found: 1 document held back by a check, 1 left out');
    expect($('.figures, #rejects').text()).not.toMatch(/published/);
    expect($('.verdict a').attr('href')).toBe('#checks');
  });

  it('has the checks that want looking at first, and where nothing does leads nowhere', async () => {
    const namesOf = ($: CheerioAPI): readonly string[] =>
      $('#checks table')
        .first()
        .find('tbody th')
        .toArray()
        .map((cell) => $(cell).text());
    expect(namesOf((await withReport('wcb', checks, fill)).$)).toEqual(['bad', 'odd', 'allowed', 'fine']);
    const { $ } = await withReport('wcb', [check('b'), check('a')], fill);
    expect(namesOf($)).toEqual(['b', 'a']);
    expect($('.verdict a').length).toBe(0);
  });
});

it('a trend says of when its last value is and of how many companies: the newest quarter may have one', async () => {
  const { $ } = await withReport('earnings', [], ({ insert }) =>
    insert('documents', [call('AB', 1, 0.2), call('CD', 1, 0.4), call('AB', 2, 0.9)]),
  );
  const captions = $('figcaption')
    .toArray()
    .map((caption) => $(caption).text());
  expect(captions.find((caption) => caption.startsWith('Growth'))).toContain('; Q2 2023 0.900 of 1 company');
});

it('a minute has sixty seconds', () => {
  expect([99.9, 119.4, 119.7, 179.6, 3600].map(seconds)).toEqual([
    '99.9 s',
    '1 min 59 s',
    '2 min 0 s',
    '3 min 0 s',
    '60 min 0 s',
  ]);
});

describe(`a report in a browser${needsBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    if (hasBrowser) browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const BANKS = DATASETS.wcb.dimensions.find(({ name }) => name === 'bank_name')?.values ?? [];
  const everyBank = ({ insertQuery }: ReportWorld): Promise<void> =>
    insertQuery(
      'documents',
      {
        document_id: `bank || '_' || year || '-01-01_press_conference'`,
        bank_name: 'bank',
        year: 'year',
        date: 'make_date(year, 1, 1)',
        document_type: `'press_conference'`,
        sentence_count: '12345',
        ...Object.fromEntries(
          ['stance', 'uncertainty', 'enhanced_uncertainty', 'forward_looking', 'claim_projection'].map((name) => [
            name,
            '-0.25',
          ]),
        ),
      },
      `(SELECT bank, CAST(y AS INTEGER) AS year FROM (SELECT unnest([${BANKS.map((bank) => `'${bank}'`).join(', ')}]) AS bank), range(2000, 2024) r(y)) t`,
    );

  /** Tables that are wider than their place, by caption. */
  const tooWide = async (page: string, width: number, media: 'screen' | 'print'): Promise<readonly string[]> => {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const tab = await context.newPage();
    await tab.emulateMedia({ media });
    await tab.setContent(page);
    const found = await tab
      .locator('.scroll')
      .evaluateAll((boxes) =>
        boxes
          .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
          .map((box) => box.getAttribute('aria-label') ?? ''),
      );
    await context.close();
    return found;
  };

  it.skipIf(!hasBrowser)('fits on paper', async () => {
    const { page } = await withReport('wcb', [check('label_shares_steady_across_models')], everyBank);
    // A4 between margins of 14 mm.
    expect(await tooWide(page, 688, 'print')).toEqual([]);
  });

  it.skipIf(!hasBrowser)('shows on a phone what a check found without being moved sideways', async () => {
    const { page } = await withReport('wcb', [check('label_shares_steady_across_models', BROKEN)], everyBank);
    const wide = await tooWide(page, 390, 'screen');
    for (const caption of ['Checks before publishing', 'Formulas', 'Settings of the run'])
      expect(wide).not.toContain(caption);
  });
});
