import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { browserPath, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { startService, type ServiceProcess } from './service-process.ts';

export const PASSWORD = 'seven quiet rivers';

/** What the tests of the console work with. */
export interface ConsoleStage {
  /** The built service, with an empty database for each test. */
  readonly service: ServiceProcess;
  /** Opens a page of the console in a browser that nobody has used; the end of the test closes it. */
  open(path?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Fills in the form that `/register` shows; the first account becomes the administrator. */
  signUp(page: Page, username?: string): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'vitrine-console-'));

/**
 * Describes the console in a browser: one browser for all tests, a service of its own for each. Settings that a function
 * makes anew for each test must not decide what a first start puts into the catalogue.
 */
export function describeConsole(
  title: string,
  tests: (stage: ConsoleStage) => void,
  settings: Settings | (() => Promise<Settings>) = {},
): void {
  const skipped = browserPath ? '' : ' (skipped: no Chromium here; install it, or name one in CHROMIUM_PATH)';

  describe(`${title}${skipped}`, function () {
    this.timeout(120_000);
    /** The data of an installation that was started once. Its samples take half of the time of a first start. */
    let template: string | undefined;
    let directory: string;
    let service: ServiceProcess;
    let browser: Browser;
    const opened: WatchedPage[] = [];

    before(async function () {
      if (browserPath === undefined) return this.skip();
      browser = await launchBrowser();
      template = newDirectory();
      const fixed = typeof settings === 'function' ? {} : settings;
      await (await startService({ ...fixed, DATA_DIR: template })).end();
    });
    beforeEach(async () => {
      directory = newDirectory();
      cpSync(template!, directory, { recursive: true });
      const more = typeof settings === 'function' ? await settings() : settings;
      service = await startService({ DATA_DIR: directory, ...more });
    });
    afterEach(async () => {
      for (const watched of opened.splice(0)) await watched.close();
      await service?.end();
      rmSync(directory, { recursive: true, force: true });
    });
    after(async () => {
      await browser?.close();
      if (template) rmSync(template, { recursive: true, force: true });
    });

    tests({
      get service() {
        return service;
      },
      open: async (path = '/', options = {}) => {
        const watched = await openPage(browser, options.baseURL ?? service.url, options);
        opened.push(watched);
        await watched.page.goto(path);
        return watched;
      },
      signUp: async (page, username = 'ada') => {
        await page.getByLabel('Username').fill(username);
        await page.getByLabel('E-mail address').fill(`${username}@example.org`);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: /^Create/ }).click();
        await page.waitForURL(`${service.url}/`);
      },
    });
  });
}

export const openAlgorithm = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).click();

/** The button of the playground, not the one that offers to run examples and may still be there. */
export const run = (page: Page): Promise<void> =>
  page.locator('.actions').getByRole('button', { name: 'Run' }).click();

/** Presses Tab until the element with an accessible name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent?.trim()`;
  for (let i = 0; i < 40; i += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`40 times Tab did not lead to "${name}".`);
}

/** By how many pixels a page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}
