import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, browserPath, launchBrowser, openPage } from '../support/browser.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';

const PASSWORD = 'seven quiet rivers';

const skipped = browserPath ? '' : ' (skipped: no Chromium here; install it, or name one in CHROMIUM_PATH)';

describe(`the console in a browser${skipped}`, function () {
  this.timeout(120_000);
  let directory: string;
  let service: ServiceProcess;
  let browser: Browser;
  const closing: (() => Promise<void>)[] = [];

  before(async function () {
    if (browserPath === undefined) return this.skip();
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'vitrine-console-'));
    service = await startService({ DATA_DIR: directory });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await service?.end();
    rmSync(directory, { recursive: true, force: true });
  });
  after(() => browser?.close());

  const open = async (path = '/', options: BrowserContextOptions = {}) => {
    const watched = await openPage(browser, service.url, options);
    closing.push(async () => watched.close());
    await watched.page.goto(path);
    return watched;
  };
  const openAlgorithm = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
  const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click();
  const register = async (page: Page): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create an account' }).click();
    await dialog.getByLabel('User name').fill('ada');
    await dialog.getByLabel('E-mail address').fill('ada@example.org');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create an account', exact: true }).first().click();
  };

  it('leads from the catalogue over a first account to a result, its code, and back to the call', async () => {
    const { page, faults } = await open();
    await page.getByText('This installation has no administrator yet').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('language det');
    await page.waitForURL(/q=language/);
    await openAlgorithm(page, 'Language detection');
    await page.getByLabel('Text').fill('Il pleure dans mon coeur comme il pleut sur la ville.');
    await run(page);
    await register(page);
    await page.locator('.scores').getByText('French').waitFor();

    await page.getByRole('button', { name: 'Code' }).click();
    const code = await page.locator('.result-card pre').innerText();
    expect(code).to.contain('Il pleure dans mon coeur').and.contain('$VITRINE_KEY');

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Language detection' }).click();
    await page.waitForURL(/\/calls\//);
    await page.getByRole('link', { name: 'Run again' }).click();
    expect(await page.getByLabel('Text').inputValue()).to.contain('Il pleure dans mon coeur');
    expect(faults).to.deep.equal([]);
  });

  it('does so with the keyboard alone', async () => {
    const { page, faults } = await open('/register');
    await page.getByLabel('User name').waitFor();
    for (const entered of ['ada', 'ada@example.org', PASSWORD]) {
      await page.keyboard.type(entered);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/`);
    await page.keyboard.press('/');
    await page.keyboard.type('language det');
    await page.waitForURL(/q=language/);
    await page.getByText('1 algorithm').waitFor();
    await tabTo(page, 'Language detection');
    await page.keyboard.press('Enter');
    await page.getByLabel('Text').waitFor();
    await tabTo(page, 'Text');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Il pleure dans mon coeur comme il pleut sur la ville.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.scores').getByText('French').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('makes a key once, with a command that works and is found in the history', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('notebook');
    await page.getByRole('button', { name: 'New key' }).click();
    const command = await page.locator('pre').innerText();
    expect(bash(command)).to.contain('"username":"ada"');
    const key = /vk_\w+/.exec(command)![0];
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.to.contain(key);

    await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
    await openAlgorithm(page, 'Language detection');
    await page.getByRole('button', { name: 'Code' }).click();
    const code = await page.locator('.result-card pre').innerText();
    expect(bash(code, { VITRINE_KEY: key })).to.contain('"status":"success"');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Language detection' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  for (const [language, program, args] of [
    ['TypeScript', process.execPath, ['--input-type=module', '-e']],
    ['Python', 'python3', ['-c']],
  ] as const) {
    it(`shows a program in ${language} that makes the same call`, async function () {
      if (!isThere(program)) return this.skip();
      const { page } = await open('/register');
      await signUp(page);
      const key = await page.evaluate(async () => {
        const body = JSON.stringify({ name: 'program', expires_at: '2099-01-01T00:00:00Z' });
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch('/api/v1/api-keys', { method: 'POST', headers, body });
        return ((await answer.json()) as { key: string }).key;
      });
      await openAlgorithm(page, 'Language detection');
      await page.getByLabel('Text').fill(`Il dit: "C'est l'été" \\ $HOME `.repeat(3));
      await page.getByRole('button', { name: 'Code' }).click();
      await page.getByRole('button', { name: language }).click();
      const code = await page.locator('.result-card pre').innerText();
      const output = execFileSync(program, [...args, code], {
        encoding: 'utf8',
        env: { ...process.env, VITRINE_KEY: key },
      });
      expect(output).to.contain('success').and.contain('fr');
    });
  }

  it('names the field that is wrong, with the request id, and keeps what was entered', async () => {
    const { page } = await open('/register');
    await signUp(page);
    await openAlgorithm(page, 'Seasonal forecast');
    await page.getByLabel('Series').fill('1, 2, three, 4');
    await run(page);
    const alert = page.getByRole('alert');
    await alert.getByText('/input_data/series/2', { exact: true }).waitFor();
    expect(await alert.innerText())
      .to.contain('validation_failed')
      .and.contain('Request id');
    expect(await page.getByLabel('Series').inputValue()).to.equal('1, 2, three, 4');
    expect(await page.getByLabel('Series').getAttribute('aria-invalid')).to.equal('true');
  });

  it('shows every kind of result, and no accessibility fault, light, dark and on a phone', async function () {
    this.timeout(300_000);
    const { page: first } = await open('/register');
    await signUp(first);
    const storageState = await first.context().storageState();
    const looks: BrowserContextOptions[] = [
      {},
      { colorScheme: 'dark' },
      { viewport: { width: 390, height: 844 } },
    ];
    for (const look of looks) {
      const { page, faults } = await open('/', { ...look, storageState });
      await page.getByRole('link', { name: 'Language detection', exact: true }).waitFor();
      expect(await accessibilityFaults(page), 'catalogue').to.deep.equal([]);
      for (const [name, shown] of Object.entries({
        'Language detection': '.scores',
        'Seasonal forecast': '.chart',
        'Dominant colours': '.palette',
        'Edge detection': '.result-picture',
        'Linear optimisation': '.result-card table',
      })) {
        await page.goto('/');
        await openAlgorithm(page, name);
        await run(page);
        await page.locator(shown).first().waitFor();
        expect(await accessibilityFaults(page), name).to.deep.equal([]);
        expect(await overflow(page), name).to.equal(0);
      }
      for (const path of ['/history', '/keys', '/account', '/no-such-page']) {
        await page.goto(path === '/no-such-page' ? '/algorithms/none' : path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await accessibilityFaults(page), path).to.deep.equal([]);
        expect(await overflow(page), path).to.equal(0);
      }
      expect(faults).to.deep.equal([]);
    }
  });

  const signUp = async (page: Page): Promise<void> => {
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.waitForURL(`${service.url}/`);
  };
});

/** Presses Tab until the element with an accessible name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent?.trim()`;
  for (let i = 0; i < 40; i += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`40 times Tab did not lead to "${name}".`);
}

function overflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

function bash(command: string, env: Record<string, string> = {}): string {
  return execFileSync('bash', ['-c', command], { encoding: 'utf8', env: { ...process.env, ...env } });
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
