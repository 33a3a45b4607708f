import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { packageRoot } from '../../core/support/package-root.ts';
import { asAdministrator, menuOf, signInAgain } from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, PASSWORD, tabTo } from '../support/console.ts';

describeConsole('what is around every screen of the console', (stage) => {
  const { open, signUp } = stage;

  /** The page of the keys, of a user who has a key named "notebook". */
  const keyOwner = async (): Promise<Page> => {
    const { page } = await open('/register');
    await signUp(page);
    await page.goto('/keys');
    await page.getByLabel('Name').fill('notebook');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    return page;
  };

  describe('in Chinese', () => {
    it('begins so in a browser that prefers it, and loads no other dictionary', async () => {
      const { page, faults } = await open('/', { locale: 'zh-CN' });
      await page.getByRole('heading', { name: '算法目录' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('zh-CN');
      expect(await page.title()).to.equal('算法目录 · Vitrine');
      const loaded: string[] = await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
      );
      expect(loaded.some((path) => /\/zh-[\w-]+\.js$/.test(path))).to.equal(true);
      expect(loaded.some((path) => /\/en-[\w-]+\.js$/.test(path))).to.equal(false);
      expect(faults).to.deep.equal([]);
    });

    it('goes on so from the menu, keeps what was entered, and remembers it', async () => {
      const { page, faults } = await open('/register');
      await page.getByLabel('Username').fill('ada');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: '简体中文' }).click();
      expect(await page.getByLabel('用户名').inputValue()).to.equal('ada');
      await page.reload();
      await page.getByRole('heading', { name: '创建管理员账号' }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.getByRole('button', { name: '菜单' }).click();
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Create the administrator' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
      expect(faults).to.deep.equal([]);
    });

    it('names every problem that the service may tell', () => {
      const errors = readFileSync(join(packageRoot, 'docs/errors.md'), 'utf8');
      const zh = readFileSync(join(packageRoot, 'plugins/console/web/src/texts/zh.ts'), 'utf8');
      const codes = [...errors.matchAll(/^\| \d+ \| `(\w+)`/gm)].map(([, code]) => code!);
      expect(codes).to.include('rate_limited');
      expect(codes.filter((code) => !zh.includes(`    ${code}: '`))).to.deep.equal([]);
    });
  });

  describe('the palette', () => {
    it('finds an algorithm, and remembers it, with the keyboard alone', async () => {
      const { page, faults } = await open();
      await page.getByRole('heading', { name: 'Catalogue' }).waitFor();
      await openPalette(page);
      await page.keyboard.type('forecast');
      await page.getByRole('option', { name: /Seasonal forecast/ }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Seasonal forecast', level: 1 }).waitFor();
      await openPalette(page);
      await page.getByRole('group', { name: 'Recent algorithms' }).getByText('Seasonal forecast').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/$/);
      expect(faults).to.deep.equal([]);
    });

    it('loses no letter that follows at once, and waits with Enter for what is found', async () => {
      const { page } = await open();
      await page.locator('main h1').waitFor();
      await page.route('**/api/v1/algorithms?**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await route.continue();
      });
      await page.keyboard.press('Control+K');
      await page.keyboard.type('seasonal');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Seasonal forecast', level: 1 }).waitFor();
    });

    it('changes theme and language, and gives the focus back when it is closed', async () => {
      const { page } = await open('/sign-in');
      const button = page.getByRole('button', { name: /^Search/ });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.press('Escape');
      expect(await button.evaluate((element) => element.matches(':focus'))).to.equal(true);
      for (const typed of ['dark', '简体']) {
        await openPalette(page);
        await page.keyboard.type(typed);
        await page.keyboard.press('Enter');
      }
      await page.getByRole('heading', { name: '登录' }).waitFor();
      expect(await page.locator('html').getAttribute('data-theme')).to.equal('dark');
    });

    it('shows the shortcuts, and says when nothing matches', async () => {
      const { page } = await open('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).click();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await dialog.getByText('Search the catalogue').waitFor();
      await page.keyboard.press('Escape');
      await openPalette(page);
      await page.keyboard.type('qqxyzzy');
      await page.getByText('Nothing matches. Try another word.').waitFor();
    });
  });

  describe('the account', () => {
    it('ends another session, and then all', async () => {
      const { page, faults } = await open('/register');
      await signUp(page);
      const { page: other } = await open('/sign-in', {
        userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      });
      await signIn(other);
      await page.goto('/account');
      await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
      await page.getByText('Safari on iOS').waitFor({ state: 'detached' });
      expect((await other.request.get('/api/v1/users/me')).status()).to.equal(401);

      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      const dialog = page.getByRole('dialog');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect((await page.request.get('/api/v1/users/me')).status()).to.equal(401);
      expect(faults).to.deep.equal([]);
    });

    it('is signed out in every tab at once', async () => {
      const { page } = await open('/register');
      await signUp(page);
      const other = await page.context().newPage();
      await other.goto(new URL('/account', page.url()).href);
      await other.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
      await page.goto('/');
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await other.close();
    });

    it('leads who wants to run something on a new installation to its first account', async () => {
      const { page } = await open();
      await page.getByRole('link', { name: 'Language detection', exact: true }).click();
      await page.locator('.actions').getByRole('button', { name: 'Run' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create the administrator' });
      await dialog.getByText('The first account becomes its administrator.').waitFor();
      await dialog.getByLabel('Username').fill('bob 😀');
      await dialog.getByLabel('E-mail address').fill('bob@example.org');
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: /^Create/ }).click();
      await dialog.getByText('Username does not have the right form.').waitFor();
      await dialog.getByLabel('Username').fill('bob');
      await dialog.getByRole('button', { name: /^Create/ }).click();
      await page.locator('.result-card').getByText('success').waitFor();
      await page.goto('/calls/0190a1b2-c3d4-7000-8000-000000000000');
      await page.getByText('Calls are private to the account that made them.').waitFor();
    });

    it('changes the password and stays signed in here alone', async () => {
      const { page } = await open('/register');
      await signUp(page);
      const { page: other } = await open('/sign-in');
      await signIn(other);
      await page.goto('/account');
      await page.getByLabel('Current password').fill('not this one');
      await page.getByLabel('New password').fill('eight quiet rivers');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByRole('alert').getByText('The current password is wrong', { exact: true }).waitFor();
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('The password was changed').waitFor();
      expect((await page.request.get('/api/v1/users/me')).status()).to.equal(200);
      expect((await other.request.get('/api/v1/users/me')).status()).to.equal(401);
    });
  });

  it('revokes a key after a question, which Enter alone does not answer', async () => {
    const { page } = await open('/register');
    await signUp(page);
    await openPalette(page);
    await page.keyboard.type('new api');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/keys/);
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByLabel('Name').fill('notebook');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke notebook' });
    await revoke.click();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await revoke.evaluate((element) => element.matches(':focus'))).to.equal(true);
    await revoke.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByRole('link', { name: 'All, including ended' }).click();
    await page.getByText('revoked').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
  });

  for (const [why, script] of Object.entries({
    'without the clipboard of a secure page': `Object.defineProperty(window, 'isSecureContext', { value: false })`,
    'where the browser refuses the clipboard': `navigator.clipboard.writeText = () => Promise.reject(new Error())`,
  })) {
    it(`copies ${why}, also in a dialog, and keeps the focus`, async () => {
      const { page } = await open('/register', { permissions: ['clipboard-read', 'clipboard-write'] });
      await signUp(page);
      await page.getByRole('link', { name: 'Language detection', exact: true }).click();
      await page.locator('.actions').getByRole('button', { name: 'Run' }).click();
      await page.locator('.result-card').getByText('success').waitFor();
      await page.addInitScript(script);
      await page.goto('/history');
      await page.getByRole('button', { name: 'Language detection' }).click();
      const button = page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).first();
      await button.press('Enter');
      await page.getByRole('dialog').getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.contain('"text"');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Copied');
    });
  }

  describe('says so and goes on', () => {
    it('when the session has ended, with what was entered', async () => {
      const { page } = await open('/register');
      await signUp(page);
      await page.goto('/keys');
      await page.getByLabel('Name').fill('notebook');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Username').fill('ada');
      await dialog.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Name').inputValue()).to.equal('notebook');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByText('The key was made').waitFor();
    });

    it('when another account signs in, which sees nothing of the one before', async () => {
      const { page } = await open('/register');
      await signUp(page);
      await page.request.post('/api/v1/users', {
        data: { username: 'grace', email: 'grace@example.org', password: PASSWORD },
        headers: { Origin: new URL(page.url()).origin },
      });
      await openAlgorithm(page, 'Language detection');
      await page.locator('.actions').getByRole('button', { name: 'Run' }).click();
      await page.locator('.result-card').getByText('success').waitFor();
      await menuOf(page).getByRole('link', { name: 'History' }).click();
      await page.getByText('1 call', { exact: true }).waitFor();
      await menuOf(page).getByRole('link', { name: 'API keys' }).click();
      await page.getByLabel('Name').fill('notebook');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'New key' }).click();
      await signInAgain(page, 'grace');
      await page.getByRole('button', { name: 'grace' }).waitFor();
      await page.route('**/api/v1/history/user-calls?**', () => {});
      await menuOf(page).getByRole('link', { name: 'History' }).click();
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await page.locator('main .skeleton').first().waitFor();
      expect(await page.getByText('1 call', { exact: true }).count()).to.equal(0);
    });

    it('when the service is away, and is back', async () => {
      const { page } = await open('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.route('**/api/**', (route) => route.abort());
      await page.getByRole('link', { name: 'Catalogue' }).click();
      await page.getByText('The service does not answer').waitFor();
      await page.unroute('**/api/**');
      await page.getByRole('link', { name: 'Language detection', exact: true }).waitFor();
      await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    });

    it('when the service came back with another version of the page', async () => {
      const { page } = await open('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      let missing = 0;
      await page.route('**/assets/keys-page-*.js', (route) =>
        (missing += 1) === 1 ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(missing).to.equal(2);
    });

    for (const [file, path, press] of [
      ['plot', '/statistics', undefined],
      ['json-editor', 'Language detection', 'JSON'],
      ['markdown', 'Language detection', 'About'],
    ] as const) {
      it(`when a part of a screen comes from another version: ${file}`, async () => {
        const { page } = await open('/register');
        await signUp(page);
        await page.getByRole('link', { name: 'Language detection', exact: true }).click();
        await page.locator('.actions').getByRole('button', { name: 'Run' }).click();
        await page.locator('.result-card').getByText('success').waitFor();
        let missing = 0;
        await page.route(`**/assets/${file}-*.js`, (route) =>
          (missing += 1) === 1 ? route.fulfill({ status: 404 }) : route.continue(),
        );
        if (path === '/statistics') await page.goto(path);
        const mode = page.locator('.input-card').getByRole('button', { name: 'JSON', exact: true });
        if (press === 'JSON') {
          await page.getByRole('textbox', { name: 'Text' }).fill('Il pleure.');
          await Promise.all([page.waitForEvent('load'), mode.click()]);
          expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal('Il pleure.');
          await mode.click();
          await page.getByRole('textbox', { name: 'JSON' }).waitFor();
        }
        if (press === 'About') await page.getByRole('link', { name: 'About', exact: true }).click();
        const shown = { plot: '.plot canvas', 'json-editor': '.cm-editor', markdown: '.markdown' }[file];
        await page.locator(shown).first().waitFor();
        expect(missing).to.equal(2);
      });
    }

    it('when the service is slow, until it answers', async () => {
      const { page } = await open('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      let answer = (): void => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/api/v1/algorithms?*', async (route) => {
        await answered;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Catalogue' }).click();
      const banner = page.getByText('The service is slow to answer');
      await banner.waitFor({ timeout: 15_000 });
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      answer();
      await page.getByRole('link', { name: 'Language detection', exact: true }).waitFor();
      await banner.waitFor({ state: 'detached' });
    });

    it('when the browser is offline, with the search that was typed meanwhile', async () => {
      const { page, faults } = await open();
      await page.getByRole('link', { name: 'Seasonal forecast', exact: true }).waitFor();
      await page.context().setOffline(true);
      const banner = page.getByText('You are offline');
      await banner.waitFor();
      await page.getByRole('searchbox').fill('language det');
      await page.waitForURL(/q=language/);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.context().setOffline(false);
      await page.getByText('1 algorithm', { exact: true }).waitFor();
      await banner.waitFor({ state: 'detached' });
      expect(await page.getByRole('searchbox').inputValue()).to.equal('language det');
      expect(faults).to.deep.equal([]);
    });

    it('when signing out is refused, and signs out when it is asked to again', async () => {
      const { page } = await open('/register');
      await signUp(page);
      await page.route('**/api/v1/users/session', refuse);
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'You are still signed in' });
      await dialog.getByText('Busy just now.').waitFor();
      await page.unroute('**/api/v1/users/session');
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
      expect((await page.request.get('/api/v1/users/me')).status()).to.equal(401);
    });

    it('when an account was made and signing in to it is refused, and signs in when it is asked to again', async () => {
      const { page } = await open('/register');
      await page.route('**/api/v1/users/session', refuse);
      await page.getByLabel('Username').fill('ada');
      await page.getByLabel('E-mail address').fill('ada@example.org');
      await page.getByLabel('Password').fill(PASSWORD);
      const create = page.getByRole('button', { name: /^Create/ });
      await create.click();
      await page.getByRole('alert').getByText('Busy just now.').waitFor();
      await page.unroute('**/api/v1/users/session');
      await create.click();
      await page.getByRole('button', { name: 'ada' }).waitFor();
    });

    it('when a change is refused, with the focus where it was, and forgets that for the next question', async () => {
      const page = await keyOwner();
      await page.route('**/api/v1/api-keys/*', refuse);
      const revoke = page.getByRole('button', { name: 'Revoke notebook' });
      const dialog = page.getByRole('dialog');
      await revoke.click();
      await dialog.getByRole('button', { name: 'Revoke' }).press('Enter');
      await dialog.getByText('Busy just now.').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Revoke');
      await page.keyboard.press('Escape');
      await revoke.click();
      expect(await dialog.getByText('Busy just now.').count()).to.equal(0);
    });

    it('when a change cannot be sent, which is not made later after it was given up', async () => {
      const page = await keyOwner();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Revoke notebook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByText('The service cannot be reached').waitFor();
      await page.keyboard.press('Escape');
      const isAnswered = page.waitForResponse('**/api/v1/api-keys');
      await page.context().setOffline(false);
      await isAnswered;
      const keys = await (await page.request.get('/api/v1/api-keys')).json();
      expect(keys).to.have.lengthOf(1);
    });

    it('when signing in is limited, and until when', async () => {
      const { page } = await open('/register');
      await signUp(page);
      await page.request.delete('/api/v1/users/session', { headers: { origin: new URL(page.url()).origin } });
      const body = { username: 'ada', password: 'not this one' };
      for (let n = 0; n < 9; n += 1) await page.request.post('/api/v1/users/login', { data: body });
      await page.goto('/sign-in');
      await fillIn(page, body.password);
      await page.getByRole('alert').getByText('The credentials are not valid').waitFor();
      await fillIn(page, body.password);
      await page
        .getByRole('alert')
        .getByText(/^Try again in \d+ s/)
        .waitFor();
    });
  });

  it('is reached with Tab: first the way to the content, then the menu, each with a visible focus', async () => {
    const { page } = await open('/history');
    await page.getByRole('heading', { name: 'Sign in to see this' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('content');
    await tabTo(page, 'Sign in');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).to.equal(true);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).to.equal('solid');
    await page.keyboard.press('Enter');
    await page.getByLabel('Username').waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('username');
  });

  it('fits a phone with its menu open', async () => {
    const { page } = await open('/', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'History' }).waitFor();
    expect(await overflow(page)).to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });

  it('is shown in a browser that was told to keep nothing', async () => {
    const { page, faults } = await open('/frame');
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('It is denied.', 'SecurityError'); } });`);
    await page.goto('/');
    await page.getByRole('link', { name: 'Language detection', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    expect(faults).to.deep.equal([]);
  });

  it('fits names as long as they may be, and cuts nothing off', async () => {
    const { page, call } = await asAdministrator(stage);
    const long = (length: number): string => 'W'.repeat(length);
    const algorithm = await call('POST', '/algorithms', {
      name: long(200),
      description: long(300),
      type: 'nlp',
    });
    const version = await call('POST', `/algorithms/${algorithm.id}/versions`, {
      version: long(100),
      url: 'http://127.0.0.1:9/',
      input_schema: { properties: { [long(80)]: { type: 'string' } } },
    });
    const example = { name: long(200), input_data: {}, is_default: true };
    await call('POST', `/algorithms/${algorithm.id}/versions/${version.id}/examples`, example);
    const user = await call('POST', '/users', {
      username: long(50),
      email: 'w@example.org',
      password: PASSWORD,
    });
    const group = await call('POST', '/groups', { name: long(100) });
    await call('PUT', `/groups/${group.id}/members/${user.id}`);
    await call('POST', '/api-keys', {
      name: long(200),
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      algorithms: [algorithm.id],
    });
    await call('POST', '/gateway/blocks', { subject: 'user', value: user.id, reason: long(400) });
    const paths = [
      '/keys',
      `/algorithms/${algorithm.id}?tab=about`,
      `/administration/algorithms/${algorithm.id}/versions/new?from=${version.id}`,
      `/administration/users/${user.id}`,
      '/administration/keys',
      '/administration/audit',
      '/administration/gateway/blocks',
    ];
    const cut = `[...document.querySelectorAll('main .list-table, main .choices')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length`;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await page.goto(path);
        await page.getByText('WWWWWW').first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        expect(await overflow(page), `${width} ${path}`).to.equal(0);
        expect(await page.evaluate(cut), `${width} ${path}`).to.equal(0);
      }
      expect(await accessibilityFaults(page)).to.deep.equal([]);
    }
  });

  it('has no accessibility fault and fits, light, dark and on a phone', async function () {
    this.timeout(300_000);
    const { page: first } = await open('/register');
    await signUp(first);
    const storageState = await first.context().storageState();
    const looks: BrowserContextOptions[] = [
      {},
      { colorScheme: 'dark', locale: 'zh-CN' },
      { viewport: { width: 390, height: 844 } },
    ];
    for (const look of looks) {
      const { page, faults } = await open('/account', { ...look, storageState });
      const check = async (what: string): Promise<void> => {
        expect(await accessibilityFaults(page), what).to.deep.equal([]);
        expect(await overflow(page), what).to.equal(0);
      };
      await page.locator('.sessions li').first().waitFor();
      await check('account');
      await page.locator('.find').click();
      await page.locator('[role=option]').first().waitFor();
      await check('palette');
      await page.keyboard.press('Escape');
      for (const path of ['/keys', '/sign-in', '/algorithms/none']) {
        await page.goto(path);
        await page.locator('h1').waitFor();
        await check(path);
      }
      expect(faults).to.deep.equal([]);
    }
  });
});

describeConsole(
  'the console of an installation that is closed to new accounts',
  ({ open }) => {
    it('says so, and offers none', async () => {
      const { page } = await open('/register');
      await page.getByText('Registration is closed. Ask an administrator for an account.').waitFor();
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('group', { name: 'Language' }).waitFor();
      expect(await page.getByRole('link', { name: 'Create an account' }).count()).to.equal(0);
      await page.goto('/sign-in');
      await page.getByText('Registration is closed. Ask an administrator for an account.').waitFor();
    });
  },
  { USERS_REGISTRATION: 'false' },
);

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Algorithms, pages|搜索/ }).waitFor();
}

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signIn(page: Page): Promise<void> {
  await fillIn(page, PASSWORD);
  await page.getByRole('heading', { name: 'Catalogue' }).waitFor();
}

describeConsole(
  'the console of an installation without some plugins',
  ({ open, signUp }) => {
    it('has no links to their screens, which say that they are switched off', async () => {
      const { page, faults } = await open('/register');
      await signUp(page);
      const main = page.getByRole('navigation', { name: 'Main' });
      await main.getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' });
      expect(await main.getByRole('link').allInnerTexts()).to.deep.equal([
        'Catalogue',
        'Administration',
        'API',
      ]);
      await openAlgorithm(page, 'Language detection');
      await page.locator('.tabs').getByRole('link', { name: 'API' }).click();
      await page.getByText('VITRINE_KEY is an environment variable').waitFor();
      expect(await page.getByRole('link', { name: 'Get an API key' }).count()).to.equal(0);
      for (const path of ['/keys', '/history', '/statistics', '/dashboard', '/administration/plugins']) {
        await page.goto(path);
        await page.getByRole('heading', { name: 'This is switched off here' }).waitFor();
        expect(await page.locator('main .skeleton').count(), path).to.equal(0);
        expect(await accessibilityFaults(page), path).to.deep.equal([]);
      }
      expect(faults).to.deep.equal([]);
    });
  },
  { PLUGINS_DISABLED: 'api-keys,history,monitoring' },
);

/** Answers a request as an overloaded service does. */
function refuse(route: Route): Promise<void> {
  return route.fulfill({
    status: 503,
    json: { code: 'overloaded', title: 'Busy', detail: 'Busy just now.' },
  });
}
