import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The first draws no windows of its own, which saves a quarter of the processor time of these tests. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where a browser is installed; `undefined` where there is none. */
export const browserPath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));

/** A page, with what it must not do: report an error to the console, or ask another server for anything. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] });
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options, baseURL: url });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    // A refused request is reported as an error, too, and is what some tests are about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
  });
  return { page, faults, close: () => context.close() };
}

const axeScript = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Halfway through a transition a colour is neither what it was nor what it becomes. */
const SETTLED =
  'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))';

/** What axe-core finds wrong on a page; it runs by the protocol of the browser, so that the policy of the page stays on. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${axeScript()};${SETTLED}.then(() => axe.run()).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].target))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as readonly string[];
}
