/** The explorer in a browser, against a service with snapshots of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { outputsIn } from '../../../../src/outputs.js';
import { hasBrowser, needsBrowser, openBrowser, openPage, type Watched } from '../../../support/browser.js';
import { publish } from '../../../support/published.js';
import { temporaryFolder } from '../../../support/rig.js';
import { type Running, startService } from '../../../support/service.js';

/** What a document may say and a page must not do. */
const HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>&lt;b&gt; ';

const folder = temporaryFolder();
const outputs = outputsIn(join(folder, 'outputs'));
let service: Running;
let browser: Browser;
let open: Watched | undefined;

beforeAll(async () => {
  if (!hasBrowser) return;
  await publish({ outputs, dataset: 'wcb', documents: 300, seed: 1 });
  await publish({ outputs, dataset: 'earnings', documents: 300, seed: 1, text: HOSTILE });
  [service, browser] = await Promise.all([startService(folder, { outputs }), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

afterEach(async () => {
  const faults = open?.faults ?? [];
  await open?.close();
  open = undefined;
  expect(faults).toEqual([]);
});

interface Visit {
  readonly hash?: string;
  readonly key?: string;
  readonly address?: string;
  /** Statuses of failures that the test provokes. */
  readonly expected?: readonly number[];
  readonly phone?: boolean;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Opens the page and enters a key. */
const visit = async ({
  hash = '',
  key = service.key,
  address = service.address,
  expected,
  phone,
  prepare,
}: Visit = {}) => {
  open = await openPage(browser, address, {
    ...(expected === undefined ? {} : { expected }),
    ...(phone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {}),
  });
  const { page } = open;
  page.setDefaultTimeout(30_000);
  await prepare?.(page);
  await page.goto(`${address}/${hash}`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  return open;
};

/** What is seen of it: without what is hidden, lines as they are broken. */
// biome-ignore lint/performance/useDomNodeTextContent: hidden text is not seen
const textOf = (what: Locator): Promise<string> => what.innerText();

/** Machines that do much else at the same time are slow. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

const ready = (page: Page): Promise<void> => page.locator('.chart').first().waitFor();
const problemOf = (page: Page) => page.getByRole('alert').filter({ visible: true });
const rowsOf = (page: Page) => page.locator('#table tbody tr');
const choose = async (page: Page, what: string, words: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: what }).fill(words);
  await page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
  await page.keyboard.press('Escape');
};

interface Listed {
  readonly documents: readonly (Readonly<Record<string, string | number | null>> & { readonly document_id: string })[];
}
const listed = async (path: string): Promise<Listed['documents']> =>
  ((await (await service.get(`/v1/metrics/${path}`)).json()) as Listed).documents;

describe.runIf(hasBrowser)(`a person with a key${needsBrowser}`, () => {
  it('sees a series at once, and the table under it says the same as the API', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance,uncertainty' });
    await ready(page);
    expect(await page.locator('.chart h3').allTextContents()).toEqual(['Stance', 'Uncertainty']);
    const documents = await listed('wcb/documents?bank_name=bank_of_japan&metric=stance,uncertainty');
    expect(await rowsOf(page).count()).toBe(documents.length);
    const shown = await rowsOf(page).locator('td:last-child').allTextContents();
    expect(shown).toEqual(documents.map(({ document_id: id }) => id).reverse());
    expect(await page.getByText(`${documents.length} documents.`).count()).toBe(1);
  });

  it('chooses dataset, ticker, metrics and years; each is in the address, and the key is not', async () => {
    const { page, requests } = await visit();
    await ready(page);
    await page.getByRole('button', { name: 'Earnings calls' }).click();
    await page.getByRole('combobox', { name: 'Tickers' }).waitFor();
    await choose(page, 'Tickers', 'T0002', 'T0002');
    await choose(page, 'Metrics', 'sentiment labor', 'Financial sentiment given labor');
    await page.getByRole('spinbutton', { name: 'From' }).fill('2010');
    await page.getByRole('spinbutton', { name: 'From' }).press('Enter');
    await eventually(() => page.url()).toContain('from=2010-01-01');
    const state = new URLSearchParams(new URL(page.url()).hash.slice(1));
    expect(state.get('dataset')).toBe('earnings');
    expect(state.get('of')?.split(',')).toContain('T0002');
    expect(state.get('metrics')?.split(',')).toEqual([
      'ec_forward_looking_metric',
      'ec_financial_sentiment_metric_given_labor',
    ]);
    const years = await rowsOf(page).locator('th').allTextContents();
    expect(years.length).toBeGreaterThan(0);
    expect(years.every((year) => Number(year) >= 2010)).toBe(true);
    for (const address of [page.url(), ...requests]) expect(address).not.toContain(service.key);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
  });

  it('gives the link to another, who sees the same with a key of their own', async () => {
    const hash = '#dataset=wcb&of=bank_of_japan,bank_of_england&metrics=stance&from=2000-01-01&smooth=4&charts=one';
    const first = await visit({ hash });
    await ready(first.page);
    const [seen, address] = [await textOf(first.page.locator('#view')), first.page.url()];
    await first.close();
    const key = await service.newKey();
    const { page } = await visit({ hash: new URL(address).hash, key });
    await ready(page);
    expect(await textOf(page.locator('#view'))).toBe(seen);
    expect(seen).toContain('Mean of 4');
  });

  it('stays signed in within the tab, and leaves nothing behind', async () => {
    const { page } = await visit();
    await ready(page);
    await page.reload();
    await ready(page);
    expect(await page.title()).toBe('Federal Reserve: stance – Fintext explorer');
    await page.getByRole('link', { name: 'To the charts' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('desk');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.title()).toBe('Fintext explorer');
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await textOf(page.locator('#view'))).not.toContain('Federal Reserve');
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  it('asks the service for each bank once, whatever else is chosen', async () => {
    const { page, requests } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance' });
    await ready(page);
    const asked = (): number => requests.filter((address) => address.includes('/documents?')).length;
    expect(asked()).toBe(1);
    await choose(page, 'Metrics', 'uncertainty', 'Uncertainty');
    await page.getByRole('button', { name: '5 years' }).click();
    await eventually(() => page.locator('.chart').count()).toBe(2);
    expect(asked()).toBe(1);
    await choose(page, 'Banks', 'england', 'Bank of England');
    await eventually(() => page.locator('.legend li').count()).toBe(2);
    expect(asked()).toBe(2);
  });
});

/** A number as the table writes it, without what the page's own code says of it. */
const inTable = (value: string | number | null): string =>
  value === null ? '—no value' : Number(value).toFixed(3).replace('-', '−');

/** A ticker and a metric that has both nulls and zeros, with the documents. */
const findSparse = async () => {
  const all = await listed('earnings/documents?limit=10000');
  const tickers = [...new Set(all.map((row) => String(row.ticker)))];
  const metrics = Object.keys(all[0] ?? {}).filter((name) => name.includes('_given_'));
  for (const ticker of tickers)
    for (const metric of metrics) {
      const documents = all.filter((row) => row.ticker === ticker);
      const count = (value: number | null): number => documents.filter((row) => row[metric] === value).length;
      if (count(null) > 1 && count(0) > 1) return { ticker, metric, documents };
    }
  throw new Error('No metric of these documents has nulls and zeros.');
};

describe.runIf(hasBrowser)(`missing and zero${needsBrowser}`, () => {
  it('are told apart in the table, on the chart and in the file', async () => {
    const { ticker, metric, documents } = await findSparse();
    const values = documents.map((row) => row[metric]);
    const missing = values.filter((value) => value === null).length;
    const { page } = await visit({ hash: `#dataset=earnings&of=${ticker}&metrics=${metric}` });
    await ready(page);
    // Rows are drawn fifty at a time.
    const more = page.getByRole('button', { name: /^Show \d+ more/ });
    while (await more.isVisible()) await more.click();
    const ids = await rowsOf(page).locator('td:last-child').allTextContents();
    const cells = await rowsOf(page).locator('td.n:not(:nth-last-child(2))').allTextContents();
    expect(new Map(ids.map((id, at) => [id, cells[at]]))).toEqual(
      new Map(documents.map((row) => [row.document_id, inTable(row[metric] ?? null)])),
    );
    expect(cells).toEqual(expect.arrayContaining(['—no value', '0.000']));
    const moves = async (part: string): Promise<number> =>
      ((await page.locator(`.chart ${part}`).first().getAttribute('d')) ?? '').split('M').length - 1;
    expect(await moves('.missing')).toBe(missing * 2);
    expect(await moves('.points')).toBe(documents.length - missing);
    const inTime = [...documents].sort(
      (a, b) => Number(a.year) * 4 + Number(a.quarter) - Number(b.year) * 4 - Number(b.quarter),
    );
    const stretches = inTime.filter((row, at) => row[metric] !== null && (inTime[at - 1]?.[metric] ?? null) === null);
    expect(await moves('.line')).toBe(stretches.length);

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^earnings_${ticker}_${metric}_[0-9a-f]{16}\\.csv$`));
    const records: string[][] = parse(readFileSync(await download.path()));
    const heads = await page.locator('#table thead button').evaluateAll((all) => all.map(({ title }) => title));
    expect(records[0]).toEqual(heads);
    const at = heads.indexOf(metric);
    const expected = new Map(
      documents.map((row) => [row.document_id, row[metric] === null ? '' : String(row[metric])]),
    );
    expect(new Map(records.slice(1).map((record) => [record.at(-1), record[at]]))).toEqual(expected);
    // In the order of the table, too.
    expect(records.slice(1).map((record) => record.at(-1))).toEqual(
      await rowsOf(page).locator('td:last-child').allTextContents(),
    );
  });

  it.each([
    { what: 'nulls', value: null, said: 1 },
    { what: 'zeros', value: 0, said: 0 },
  ])('a metric with only $what has the axis of its range', async ({ value, said }) => {
    const metric = 'ec_growth_metric_given_cyber';
    const { page } = await visit({
      hash: `#dataset=earnings&of=T0001&metrics=${metric}`,
      prepare: (opened) =>
        opened.route('**/documents?*', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { documents: Record<string, unknown>[] };
          for (const row of body.documents) row[metric] = value;
          return route.fulfill({ response, json: body });
        }),
    });
    await ready(page);
    const axis = await page.locator('.plot > text.y').allTextContents();
    expect([axis[0], axis.at(-1)]).toEqual(['−1.0', '1.0']);
    expect(await page.getByText('No document here has a value').count()).toBe(said);
  });

  it('a period without documents says so, and what there is', async () => {
    const { page } = await visit({
      hash: '#dataset=wcb&of=bank_of_japan&metrics=stance&from=1950-01-01&to=1951-01-01',
    });
    await page.getByText('No document of Bank of Japan from 1 January 1950 up to 1 January 1951.').waitFor();
    await page.getByRole('button', { name: 'Show every day' }).click();
    await ready(page);
    expect(new URL(page.url()).hash).not.toContain('from');
  });

  it('a link that names what is not there says what was left out', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan,bank_of_nowhere&metrics=stance,mood' });
    await ready(page);
    expect(await textOf(page.locator('#notice'))).toContain('left out: bank_of_nowhere and mood.');
  });

  it('a link with more banks than a chart has, or a day that is none, says what was left out', async () => {
    const banks = (await service.get('/v1/metrics/wcb/coverage').then((response) => response.json())) as {
      groups: { value: string }[];
    };
    const names = banks.groups.slice(0, 10).map(({ value }) => value);
    const { page } = await visit({ hash: `#dataset=wcb&of=${names.join(',')}&metrics=stance&from=2024-02-30` });
    await ready(page);
    const notice = await textOf(page.locator('#notice'));
    expect(notice).toContain(`left out: ${names.slice(8).join(' and ')}.`);
    expect(notice).toContain('left out: from=2024-02-30.');
    await page.getByRole('button', { name: '5 years' }).click();
    await eventually(() => textOf(page.locator('#notice'))).not.toContain('left out');
  });
});

describe.runIf(hasBrowser)(`a document${needsBrowser}`, () => {
  const first = async (): Promise<string> =>
    (await listed('wcb/documents?bank_name=bank_of_japan')).at(-1)?.document_id ?? '';

  it('opens from the table with its formula, its counts and its sentences, each with its label', async () => {
    const id = await first();
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance' });
    await ready(page);
    await page.getByRole('button', { name: `sentences of ${id}` }).click();
    const sheet = page.getByRole('dialog');
    await sheet.locator('.sentences li').first().waitFor();
    const answer = (await (await service.get(`/v1/metrics/wcb/documents/${id}/sentences`)).json()) as {
      sentences: { text: string; labels: Record<string, string> }[];
    };
    expect(await sheet.locator('.sentences .text').allTextContents()).toEqual(answer.sentences.map(({ text }) => text));
    const labels = answer.sentences.map(({ labels: all }) => all.cb_stance_label ?? '');
    expect(await sheet.locator('.sentences .tag').allTextContents()).toEqual(labels);
    const counted = (label: string): number => labels.filter((other) => other === label).length;
    expect(await textOf(sheet.locator('.formula'))).toContain(
      `= (${counted('Hawkish')} − ${counted('Dovish')}) ÷ (${labels.length} − ${counted('Irrelevant')}) = `,
    );
    expect(new URL(page.url()).hash).toContain(`document=${id}`);

    const [label = ''] = labels;
    await sheet.getByRole('button', { name: `${label} ${counted(label)}` }).click();
    expect(await sheet.locator('.sentences li').count()).toBe(counted(label));
    await sheet.getByLabel('Metric').selectOption('uncertainty');
    expect(await textOf(sheet.locator('.formula'))).toContain('uncertainty = uncertain ÷ total');

    await sheet.getByRole('button', { name: 'Earlier' }).click();
    await eventually(() => page.url()).not.toContain(`document=${id}`);
    await page.keyboard.press('Escape');
    await eventually(() => page.url()).not.toContain('document=');
  });

  it('shows what no model was asked about, and why', async () => {
    const id = await first();
    const { page } = await visit({
      hash: `#dataset=wcb&of=bank_of_japan&metrics=stance&document=${id}`,
      prepare: (opened) =>
        opened.route('**/sentences?*', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as {
            sentences: { mark: string | null; labels: Record<string, null> }[];
          };
          const [marked] = body.sentences;
          if (marked !== undefined) {
            marked.mark = 'foreign';
            for (const model of Object.keys(marked.labels)) marked.labels[model] = null;
          }
          return route.fulfill({ response, json: body });
        }),
    });
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Left out 1' }).click();
    expect(await sheet.locator('.sentences .tag').allTextContents()).toEqual(['Left out: foreign']);
  });

  it('opens from a link', async () => {
    const id = await first();
    const { page } = await visit({ hash: `#dataset=wcb&of=bank_of_japan&metrics=stance&document=${id}` });
    await page.getByRole('dialog').locator('.sentences li').first().waitFor();
    expect(await textOf(page.getByRole('dialog').locator('.facts'))).toContain(id);
  });

  it('opens from the chart by pointer and by keys alone, and the focus comes back', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan,bank_of_england&metrics=stance' });
    await ready(page);
    const chart = page.getByRole('application', { name: /^Stance/ });
    await chart.focus();
    await page.keyboard.press('End');
    const [latest] = (await listed('wcb/documents?bank_name=bank_of_japan')).slice(-1);
    const year = String(latest?.date ?? '').slice(0, 4);
    expect(await textOf(chart.locator('[aria-live]'))).toMatch(
      new RegExp(`^Bank of Japan, \\d+ \\w+ ${year}, [−\\d.]+$`),
    );
    await page.keyboard.press('ArrowDown');
    expect(await textOf(chart.locator('[aria-live]'))).toMatch(/^Bank of England, /);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('.sentences li').first().waitFor();
    expect(new URL(page.url()).hash).toContain(`document=${latest?.document_id}`);
    await page.keyboard.press('Escape');
    await eventually(() => page.evaluate('document.activeElement.className')).toBe('area');

    await chart.hover({ position: { x: 400, y: 100 } });
    expect(await textOf(chart.locator('.readout'))).toMatch(/Bank of (Japan|England)\n+[−\d.]+\n/);
    await chart.click({ position: { x: 400, y: 100 } });
    await page.getByRole('dialog').locator('.sentences li').first().waitFor();
  });

  it('never becomes markup, whatever it says', async () => {
    const { page } = await visit({ hash: '#dataset=earnings&of=T0001&metrics=ec_growth_metric', expected: [] });
    await ready(page);
    await page.getByRole('combobox', { name: 'Tickers' }).fill('Company');
    expect(await textOf(page.getByRole('option').first())).toContain('<img src=x onerror="window.hit=1">');
    await page.keyboard.press('Escape');
    await rowsOf(page).first().locator('button').click();
    const sheet = page.getByRole('dialog');
    await sheet.locator('.sentences li').first().waitFor();
    expect((await sheet.locator('.sentences .text').first().textContent())?.startsWith(HOSTILE)).toBe(true);
    expect((await sheet.locator('h2').textContent())?.startsWith(HOSTILE)).toBe(true);
    expect(await page.locator('main img, dialog img, main script, dialog script, dialog b').count()).toBe(0);
    expect(await page.evaluate('"hit" in window')).toBe(false);
  });

  it('could not become markup if the page tried: the browser forbids it', async () => {
    const { page, faults } = await visit();
    await ready(page);
    const tried: unknown = await page.evaluate(
      `(() => { try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); } catch (error) { return String(error); } })()`,
    );
    expect(tried).toContain('TrustedHTML');
    expect(faults.some((fault) => fault.includes('TrustedHTML'))).toBe(true);
    open = undefined;
    await page.context().close();
  });
});

describe.runIf(hasBrowser)(`a stretch of time${needsBrowser}`, () => {
  it('is chosen by dragging over the chart', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance' });
    await ready(page);
    const box = await page.locator('.area').boundingBox();
    const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 100];
    await page.mouse.move(x + 400, y);
    await page.mouse.down();
    await page.mouse.move(x + 600, y, { steps: 5 });
    await page.mouse.up();
    await eventually(() => page.url()).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
    const state = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const [from, to] = [state.get('from') ?? '', state.get('to') ?? ''];
    const inside = await listed(`wcb/documents?bank_name=bank_of_japan&start_date=${from}&end_date=${to}`);
    await eventually(() => rowsOf(page).count()).toBe(inside.length);
    expect(inside.length).toBeGreaterThan(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe.runIf(hasBrowser)(`what goes wrong is said in a sentence${needsBrowser}`, () => {
  it('a wrong key, which is not kept', async () => {
    const { page } = await visit({ key: 'ftx_live_wrong', expected: [401] });
    await eventually(() => textOf(problemOf(page))).toContain('This key is not accepted');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.getByLabel('API key').fill(service.key);
    await page.keyboard.press('Enter');
    await ready(page);
    expect(await problemOf(page).count()).toBe(0);
  });

  it('a key with characters that no header can have', async () => {
    const { page } = await visit({ key: 'schlüssel 政策' });
    await eventually(() => textOf(problemOf(page))).toContain('This key is not accepted');
  });

  it('a key that is revoked while the page is open', async () => {
    const { key, record } = await service.accounts.create(
      { email: 'gone@example.org', tier: 'pro' },
      new Date('2026-03-10T12:00:00Z'),
    );
    const { page } = await visit({ key, hash: '#dataset=wcb&of=bank_of_japan&metrics=stance', expected: [401] });
    await ready(page);
    await service.accounts.revoke(record.keyId, new Date('2026-03-10T12:00:00Z'));
    await choose(page, 'Banks', 'england', 'Bank of England');
    await eventually(() => textOf(problemOf(page))).toContain('This key is not accepted');
    await page.getByRole('button', { name: 'Enter another key' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('a document that is not there', async () => {
    const { page } = await visit({
      hash: '#dataset=wcb&of=bank_of_japan&metrics=stance&document=nope',
      expected: [404],
    });
    await eventually(() => textOf(page.getByRole('dialog'))).toContain('Document not found: nope.');
    await page.keyboard.press('Escape');
    expect(await page.locator('.chart').count()).toBe(1);
  });

  it('a quota that is spent, with the day on which it comes back', async () => {
    const key = await service.newKey({ monthlyLimit: 1 });
    const { page } = await visit({ key, expected: [429] });
    await expect
      .poll(() => textOf(problemOf(page)))
      .toContain('1 requests a month are used; the quota resets at 2026-04-01');
    expect(await problemOf(page).getByRole('button').count()).toBe(0);
  });

  it.each([
    [403, {}, 'This key may not do that', 'Insufficient tier'],
    [400, {}, 'The server did not understand', 'limit is'],
    [500, { 'x-request-id': 'r-1' }, 'The server failed', 'r-1'],
  ] as const)('an answer of %i', async (status, headers, title, text) => {
    const { page } = await visit({
      expected: [status],
      prepare: (opened) =>
        opened.route('**/v1/metrics/wcb/documents?*', (route) =>
          route.fulfill({ status, headers, json: { detail: status === 403 ? 'Insufficient tier' : 'limit is wrong' } }),
        ),
    });
    await eventually(() => textOf(problemOf(page))).toContain(title);
    expect(await textOf(problemOf(page))).toContain(text);
  });

  it('too many requests and a server that is away, both of which pass', async () => {
    let answers = 0;
    const { page, faults } = await visit({
      expected: [429],
      prepare: (opened) =>
        opened.route('**/v1/metrics/wcb/documents?*', async (route) => {
          answers += 1;
          if (answers === 1)
            return route.fulfill({
              status: 429,
              headers: { 'retry-after': '2' },
              json: { detail: 'Rate limit exceeded' },
            });
          return answers === 2 ? route.abort('connectionrefused') : route.continue();
        }),
    });
    await expect
      .poll(() => textOf(problemOf(page)))
      .toMatch(/Rate limit exceeded\.\s+Ask again or by itself in [12] s/);
    await eventually(() => textOf(problemOf(page))).toContain('The server cannot be reached');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await ready(page);
    expect(answers).toBe(3);
    expect(faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
    open = undefined;
    await page.context().close();
  });

  it('a server with nothing published, until something is', async () => {
    const own = join(folder, 'empty');
    const empty = await startService(own, { outputs: outputsIn(join(own, 'outputs')) });
    try {
      const { page } = await visit({ address: empty.address, key: empty.key, expected: [503] });
      await eventually(() => textOf(problemOf(page))).toContain('No dataset is published yet');
      await publish({ outputs: outputsIn(join(own, 'outputs')), dataset: 'wcb', documents: 60, seed: 1 });
      await ready(page);
      expect(await problemOf(page).count()).toBe(0);
      await open?.close();
    } finally {
      await empty.stop();
    }
  });
});

describe.runIf(hasBrowser)(`every reader${needsBrowser}`, () => {
  it('hears a name for everything that can be used', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance' });
    await ready(page);
    await page.locator('#more summary').click();
    await rowsOf(page).first().locator('button').click();
    await page.getByRole('dialog').locator('.sentences li').first().waitFor();
    const session = await page.context().newCDPSession(page);
    const named = async (): Promise<number> => {
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      const used = nodes.filter(
        ({ ignored, role }) =>
          !ignored &&
          ['button', 'link', 'textbox', 'combobox', 'listbox', 'dialog', 'application', 'region', 'Date'].includes(
            String(role?.value),
          ),
      );
      expect(used.filter(({ name }) => !name?.value).map(({ role }) => role?.value)).toEqual([]);
      return used.length;
    };
    expect(await named()).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
    expect(await named()).toBeGreaterThan(20);
  });

  it('reads it on a phone: nothing is wider than the screen, a tap reads and a second one opens', async () => {
    const { page } = await visit({ hash: '#dataset=wcb&of=bank_of_japan&metrics=stance', phone: true });
    await ready(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const chart = page.locator('.area');
    await chart.tap({ position: { x: 200, y: 80 } });
    expect(await textOf(chart.locator('.readout'))).toContain('Tap again');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await chart.tap({ position: { x: 200, y: 80 } });
    await page.getByRole('dialog').locator('.sentences li').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  it('tells the lines apart on light and on dark paper', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await open?.close();
      open = await openPage(browser, service.address, { colorScheme });
      await open.page.goto(service.address);
      const names = ['--paper', '--muted', ...Array.from({ length: 8 }, (_, at) => `--s${at}`)];
      const colours: readonly string[] = await open.page.evaluate(
        `${JSON.stringify(names)}.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())`,
      );
      const [paper = '', muted = '', ...lines] = colours;
      expect(new Set(lines).size).toBe(8);
      for (const line of lines) expect(contrast(line, paper), `${line} on ${paper}`).toBeGreaterThan(3);
      expect(contrast(muted, paper)).toBeGreaterThan(4.5);
    }
  });
});

/** Of WCAG 2: 1 to 21. */
const contrast = (a: string, b: string): number => {
  const [light = 0, dark = 0] = [a, b].map(luminance).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

const luminance = (colour: string): number => {
  const digits =
    colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : (colour.slice(1).match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = digits
    .map((pair) => parseInt(pair, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
