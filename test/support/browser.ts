/** A browser for tests of pages: Chromium as Debian packages it. Whatever the page should not do fails the test. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

export const hasBrowser = existsSync(PROGRAM);

/** What a test that is skipped is called, so that it says why. */
export const needsBrowser = hasBrowser ? '' : ` (skipped: there is no ${PROGRAM}; Debian's package is chromium)`;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export interface Watched {
  readonly page: Page;
  /** Errors, broken policies and requests to other hosts, as they happen; empty on a page that behaves. */
  readonly faults: readonly string[];
  /** Addresses that were asked, in their order. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * A page of a session of its own, watched from before it loads.
 *
 * @param expected statuses of failures that the test provokes: the browser calls each an error
 */
export const openPage = async (
  browser: Browser,
  origin: string,
  { expected = [], ...options }: BrowserContextOptions & { readonly expected?: readonly number[] } = {},
): Promise<Watched> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    const isExpected = expected.some((status) => message.text().includes(`responded with a status of ${status} `));
    if (['error', 'warning'].includes(message.type()) && !isExpected) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('crash', () => faults.push('the page crashed'));
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith(`blob:${origin}/`))
      faults.push(`asked ${request.url()}`);
  });
  return { page, faults, requests, close: () => context.close() };
};
