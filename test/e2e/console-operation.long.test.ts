import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { asAdministrator, createUsers, sectionsOf, signedInAs } from '../support/administration.ts';
import { describeConsole, overflow } from '../support/console.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: {},
  dark: { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 } },
  'on a tablet': { viewport: { width: 820, height: 1180 } },
};

describeConsole(
  'what operators see in the console',
  (stage) => {
    const rowsOf = (page: Page, table: string) =>
      page.getByRole('table', { name: table }).locator('tbody tr');

    it('finds keys by owner and by the time that is left, and revokes one', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      await createUsers(caller, 'grace');
      const theirs = await signedInAs(stage, 'grace');
      const { key } = await theirs.call('POST', '/api-keys', { name: 'notebook', expires_at: inDays(3) });
      await theirs.call('POST', '/api-keys', { name: 'robot', expires_at: inDays(60) });
      await caller.call('POST', '/api-keys', { name: 'dashboard', expires_at: inDays(60) });
      await page.goto('/administration/keys');
      await page.getByText('3 keys').waitFor();
      await page.getByRole('combobox', { name: 'Keys of one account' }).fill('gra');
      await page.getByRole('option', { name: /grace/ }).click();
      await page.getByText('2 keys').waitFor();
      await page.getByLabel('Expires').selectOption('Expires within 7 days');
      await page.getByText('1 key', { exact: true }).waitFor();
      const row = rowsOf(page, 'API keys');
      await row.getByRole('link', { name: 'grace' }).waitFor();
      await page.getByRole('button', { name: 'Revoke notebook' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      const { status } = await fetch(`${stage.service.url}/api/v1/users/me`, {
        headers: { 'x-api-key': key },
      });
      expect(status).to.equal(401);
      await page.getByLabel('Status').selectOption('revoked');
      await row.getByText('notebook').waitFor();
      await page.getByRole('button', { name: 'Remove the filter grace' }).click();
      expect(new URL(page.url()).searchParams.get('owner')).to.equal(null);
      expect(faults).to.deep.equal([]);
    });

    it('reads the trail: filters in the address, what changed, and the way to what it is about', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      const { grace } = await createUsers(caller, 'grace', 'linus');
      await caller.call('PATCH', `/users/${grace!.id}`, { role: 'admin' });
      await page.goto('/administration/audit');
      await page.getByText(/\d+ entries/).waitFor();
      await page.getByLabel('Kind of thing').selectOption('account');
      await page.getByLabel('What', { exact: true }).selectOption('Changed an account');
      await page.getByText('1 entry').waitFor();
      await page.getByRole('button', { name: 'Changed an account' }).press('Enter');
      const panel = page.getByRole('dialog', { name: 'Changed an account' });
      const difference = panel.locator('.differences tbody tr');
      expect(await difference.innerText()).to.match(/\/role\s+"user"\s+"admin"/);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      const address = page.url();
      await panel.getByRole('link', { name: 'grace' }).click();
      await page.getByRole('heading', { name: 'grace' }).waitFor();
      await page.getByRole('link', { name: 'What was changed about it' }).click();
      await page.getByText('2 entries').waitFor();
      await page.getByRole('button', { name: 'Remove the filter on grace' }).waitFor();
      await page.goto(address);
      await panel.waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await page.goto('/administration/audit');
      const who = page.getByRole('combobox', { name: 'Who did it' });
      await who.fill('ad');
      await page.getByRole('option', { name: 'ada@example.org' }).click();
      await page.getByRole('button', { name: 'Remove the filter by ada' }).click();
      await who.fill('samples');
      await page.getByRole('option', { name: 'exactly this name' }).click();
      await page.getByRole('button', { name: 'Remove the filter by samples' }).waitFor();
      await page
        .getByRole('row', { name: /Created an algorithm .* samples/ })
        .first()
        .waitFor();
      await page
        .getByRole('row', { name: /Signed in/ })
        .first()
        .waitFor({ state: 'detached' });
      expect(faults).to.deep.equal([]);
    });

    it('goes through the pages of the trail, and downloads what is filtered', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      await createUsers(caller, ...Array.from({ length: 26 }, (_, i) => `user${i}`));
      await page.goto('/administration/audit?action=account.create&actor=ada');
      await page.getByText('26 entries').waitFor();
      expect(await rowsOf(page, 'Audit trail').count()).to.equal(25);
      await page.getByRole('button', { name: 'Older' }).click();
      await page.waitForURL(/cursor=/);
      await page.getByRole('button', { name: 'Newest' }).waitFor();
      await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
      for (const [format, lines] of [
        ['CSV', 27],
        ['NDJSON', 26],
      ] as const) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: format, exact: true }).click(),
        ]);
        expect(download.suggestedFilename()).to.equal(`audit.${format.toLowerCase()}`);
        const chunks: Buffer[] = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString('utf8').trim();
        expect(text.split('\n').length, text.slice(0, 300)).to.equal(lines);
      }
      expect(faults).to.deep.equal([]);
    });

    it('tells what is installed, how it is set, and what ran, but no secret', async () => {
      const { page, faults } = await asAdministrator(stage);
      await page.goto('/administration/plugins');
      const llm = rowsOf(page, 'Plugins').filter({ hasText: 'llm' });
      await llm.getByText('off', { exact: true }).waitFor();
      await rowsOf(page, 'Jobs')
        .filter({ hasText: 'invocation:fold-series' })
        .getByText(/done in/)
        .waitFor();
      await page.getByRole('link', { name: 'audit', exact: true }).click();
      await page.getByRole('heading', { name: 'audit', exact: true }).waitFor();
      const setting = rowsOf(page, 'Settings').filter({ hasText: 'audit.kept_days' });
      for (const shown of ['17', 'changed', 'AUDIT_KEPT_DAYS'])
        await setting.getByText(shown, { exact: true }).first().waitFor();
      await page.getByText('GET /audit/export').waitFor();

      await sectionsOf(page).getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('searchbox').fill('secret');
      const key = rowsOf(page, 'Settings').filter({ hasText: 'secrets.key' });
      await key.getByText('********').waitFor();
      expect(await page.content()).not.to.contain('green-hill');
      await page.getByRole('searchbox').fill('');
      await page.getByLabel('Only what differs from the default').check();
      await page.waitForURL(/changed=true/);
      await rowsOf(page, 'Settings').filter({ hasText: 'audit.kept_days' }).waitFor();
      expect(await rowsOf(page, 'Settings').count()).to.be.below(20);
      expect(faults).to.deep.equal([]);
    });

    it('says what failed, with the request id, and tries again', async () => {
      const { page } = await asAdministrator(stage);
      const body = JSON.stringify({ code: 'store_unavailable', detail: 'The database does not answer.' });
      let isBroken = true;
      await page.route('**/api/v1/users?**', async (route) => {
        if (!isBroken) return route.continue();
        await route.fulfill({
          status: 503,
          headers: { 'content-type': 'application/problem+json', 'x-request-id': 'request-17' },
          body,
        });
      });
      await page.goto('/administration/users');
      await page.getByText('The database does not answer.').waitFor();
      await page.getByText('request-17').waitFor();
      isBroken = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('1 account', { exact: true }).waitFor();
    });

    it('goes on in Chinese, and leaves no heading, column or button in English', async () => {
      const { page, faults } = await asAdministrator(stage);
      await page.goto('/administration/users');
      await page.getByRole('button', { name: 'New account' }).waitFor();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: '简体中文' }).click();
      await page.getByRole('button', { name: '新建账号' }).waitFor();
      const sections = ['users', 'groups', 'keys', 'repositories', 'audit', 'plugins', 'settings'];
      const gateway = ['limits', 'blocks', 'circuits'].map((screen) => `gateway/${screen}`);
      for (const path of [...sections, ...gateway, 'repositories/hosting']) {
        await page.goto(`/administration/${path}`);
        await page.locator('td.main, .empty').first().waitFor();
        const words: string = await page.evaluate(
          `[...document.querySelectorAll('main :is(h1, h2, th, label), main .button')].filter((one) => !one.closest('tbody')).map((one) => one.innerText).join(' ')`,
        );
        expect(words.match(/[A-Za-z]{3,}/g) ?? [], path).to.have.members(
          path === 'audit' ? ['CSV', 'NDJSON'] : [],
        );
      }
      expect(faults).to.deep.equal([]);
    });

    it('has no accessibility fault and fits the window, in any look', async function () {
      this.timeout(300_000);
      const { page: first, ...caller } = await asAdministrator(stage);
      const { grace } = await createUsers(
        caller,
        'grace',
        'a-very-long-name-without-an-end-for-a-narrow-screen',
      );
      const { id: group } = await caller.call('POST', '/groups', {
        name: 'Radiology',
        description: 'All of it',
      });
      await caller.call('PUT', `/groups/${group}/members/${grace!.id}`);
      await caller.call('POST', '/api-keys', { name: 'dashboard', expires_at: inDays(60) });
      const ofGrace = { subject: 'user', subject_id: grace!.id };
      await caller.call('POST', '/gateway/policies', { name: 'Slowly', ...ofGrace, limit: 10 });
      const block = { subject: 'network', value: '2001:db8:1111:2222:3333:4444:5555:0/112', reason: 'Scans' };
      await caller.call('POST', '/gateway/blocks', block);
      const repo_url = 'https://git.example.org/team/a-very-long-name-without-an-end-for-a-narrow-screen.git';
      await caller.call('POST', '/repositories', { name: 'Edges', repo_url });
      const storageState = await first.context().storageState();
      const screens = {
        users: 'tbody tr',
        [`users/${grace!.id}`]: '.sessions .quiet',
        groups: 'tbody tr',
        [`groups/${group}`]: 'tbody tr',
        keys: 'tbody tr',
        repositories: 'tbody tr',
        'repositories/hosting': 'tbody tr',
        'gateway/limits': 'tbody tr',
        'gateway/blocks': 'tbody tr',
        'gateway/circuits': '.empty',
        [`gateway/check?user=${grace!.id}`]: 'tbody tr',
        audit: 'tbody tr',
        plugins: 'tbody tr',
        'plugins/users': 'tbody tr',
        settings: 'tbody tr',
        'users?q=nothing': '.empty',
      };
      for (const [look, options] of Object.entries(LOOKS)) {
        const { page, faults } = await stage.open('/', { ...options, storageState });
        for (const [path, shown] of Object.entries(screens)) {
          await page.goto(`/administration/${path}`);
          await page.locator(shown).first().waitFor();
          expect(await accessibilityFaults(page), `${path} ${look}`).to.deep.equal([]);
          expect(await overflow(page), `${path} ${look}`).to.equal(0);
        }
        expect(faults).to.deep.equal([]);
      }
    });
  },
  {
    PLUGINS_DISABLED: 'llm',
    AUDIT_KEPT_DAYS: '17',
    SECRET_KEY: 'seventeen-quiet-rivers-and-a-far-green-hill',
  },
);
