import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, PASSWORD, run, tabTo } from '../support/console.ts';

describeConsole('the console in a browser', (stage) => {
  const { open, signUp } = stage;
  const register = async (page: Page): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create an account' }).click();
    await dialog.getByLabel('Username').fill('ada');
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
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('Il pleure dans mon coeur comme il pleut sur la ville.');
    await run(page);
    await register(page);
    await page.locator('.scores').getByText('French').waitFor();

    await page.getByRole('button', { name: 'Code' }).click();
    const code = await page.locator('.result-card pre').innerText();
    expect(code).to.contain('Il pleure dans mon coeur').and.contain('$VITRINE_KEY');

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Language detection' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open the call' }).click();
    await page.waitForURL(/\/calls\//);
    await page.getByRole('link', { name: 'Run again' }).click();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.contain(
      'Il pleure dans mon coeur',
    );
    expect(faults).to.deep.equal([]);
  });

  it('does so with the keyboard alone', async () => {
    const { page, faults } = await open('/register');
    await page.getByLabel('Username').waitFor();
    for (const entered of ['ada', 'ada@example.org', PASSWORD]) {
      await page.keyboard.type(entered);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.service.url}/`);
    await page.keyboard.press('/');
    await page.keyboard.type('language det');
    await page.waitForURL(/q=language/);
    await page.getByText('1 algorithm').waitFor();
    await tabTo(page, 'Language detection');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Text' }).waitFor();
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
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Language detection' }).waitFor();
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
      await page.getByRole('textbox', { name: 'Text' }).fill(`Il dit: "C'est l'été" \\ $HOME `.repeat(3));
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

  it('runs no markup that people or algorithms wrote', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    const markup = '<img src=x onerror="window.broken = 1"><script>window.broken = 1</script>';
    const id = await page.evaluate(async (name) => {
      const body = JSON.stringify({ name, description: name, type: name.slice(0, 90) });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('/api/v1/algorithms', { method: 'POST', headers, body });
      return ((await answer.json()) as { id: string }).id;
    }, markup);
    await page.goto('/?sort=-created_at');
    await page.getByRole('heading', { name: markup }).waitFor();
    await page.goto(`/algorithms/${id}?tab=about`);
    await page.getByRole('heading', { name: markup }).waitFor();
    await page.goto('/');
    await openAlgorithm(page, 'Text summary');
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill(`${markup} is markup. It must be shown as it is. ${markup} again.`);
    await run(page);
    await page.locator('.result-card').getByText('onerror').first().waitFor();
    expect(await page.evaluate('window.broken')).to.equal(undefined);
    expect(faults).to.deep.equal([]);
  });

  it('says that the service is away, keeps what was entered, and goes on when it is back', async () => {
    const { page } = await open('/register');
    await signUp(page);
    await openAlgorithm(page, 'Language detection');
    await page.getByRole('textbox', { name: 'Text' }).fill('Il pleure dans mon coeur.');
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await run(page);
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.scores').getByText('French').waitFor();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal(
      'Il pleure dans mon coeur.',
    );
  });

  it('asks to sign in again when the session has ended, and then runs what was entered', async () => {
    const { page } = await open('/register');
    await signUp(page);
    await openAlgorithm(page, 'Language detection');
    await page.getByRole('textbox', { name: 'Text' }).fill('Il pleure dans mon coeur.');
    await page.context().clearCookies();
    await run(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('ada');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('.scores').getByText('French').waitFor();
  });

  it('goes back to what was filtered, and shows the same to others', async () => {
    const { page } = await open('/?type=nlp&q=text');
    await page.getByRole('link', { name: 'Text summary', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'K-means clustering' }).count()).to.equal(0);
    await openAlgorithm(page, 'Text summary');
    await page.getByRole('textbox', { name: 'Text' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Text summary', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).to.equal('nlp');
    expect(await page.getByRole('searchbox').inputValue()).to.equal('text');
  });

  it('says where an address names a version or an example that is not there, and shows the default', async () => {
    const { page } = await open();
    await openAlgorithm(page, 'Text summary');
    await page.getByRole('textbox', { name: 'Text' }).waitFor();
    expect(await page.getByText('in this address').count()).to.equal(0);
    const [address] = page.url().split('?');
    for (const what of ['version', 'example']) {
      await page.goto(`${address}?${what}=0197d0b0-0000-7000-8000-000000000000`);
      await page.getByText(`The ${what} in this address does not exist`).waitFor();
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
    }
    await page.getByRole('navigation', { name: 'Examples' }).getByRole('link').last().click();
    await page.getByText('in this address').waitFor({ state: 'detached' });
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
        'Seasonal forecast': '.plot',
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
});

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
