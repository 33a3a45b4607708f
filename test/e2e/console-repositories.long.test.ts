import { expect } from 'chai';
import { asAdministrator } from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';
import { FakeGitea } from '../support/fake-gitea.ts';

const TOKEN = 'gitea-token-0123456789abcdef';

describeConsole(
  'the repositories in the administration',
  (stage) => {
    let gitea: FakeGitea;
    beforeEach(async () => {
      gitea = new FakeGitea();
      await gitea.start();
      gitea.addUser('robot', TOKEN);
    });
    afterEach(() => gitea.stop());

    for (const hands of allHands) {
      it(`are added, edited, found and deleted, ${hands.name}`, async () => {
        const { page, faults, call } = await asAdministrator(stage, hands);
        await page.goto('/administration/repositories');
        await page.getByText('No repositories yet').waitFor();
        await hands.press(page.getByRole('button', { name: 'Add a repository' }));
        const dialog = page.getByRole('dialog');
        await hands.write(dialog.getByLabel('Name', { exact: true }), 'Language code');
        await hands.write(dialog.getByLabel('Address'), 'ftp://example.org/code');
        await hands.press(dialog.getByRole('button', { name: 'Add it' }));
        await dialog.getByText('must be an https, http or ssh address').first().waitFor();
        await hands.write(dialog.getByLabel('Address'), 'https://git.example.org/team/code.git');
        const finder = dialog.getByRole('combobox', { name: 'Find by name' });
        await hands.write(finder, 'language d');
        const option = page.getByRole('option', { name: 'Language detection' });
        await option.waitFor();
        await hands.press(hands.name.includes('keyboard') ? finder : option);
        await dialog.getByRole('button', { name: 'Remove the filter Language detection' }).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await hands.press(dialog.getByRole('button', { name: 'Add it' }));
        await page.getByRole('link', { name: 'https://git.example.org/team/code.git' }).waitFor();
        await page.getByRole('link', { name: 'Language detection' }).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        expect(await overflow(page)).to.equal(0);

        await hands.press(page.getByRole('button', { name: 'Edit Language code' }));
        await hands.write(dialog.getByLabel('Branch'), 'stable');
        await dialog.getByLabel('Status').selectOption('archived');
        await hands.press(dialog.getByRole('button', { name: 'Save' }));
        await page.getByText('stable', { exact: true }).waitFor();
        await page.getByRole('searchbox').fill('nothing like it');
        await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
        await hands.press(page.getByRole('button', { name: 'Clear the filters' }));
        await hands.press(page.getByRole('button', { name: 'Delete Language code' }));
        await hands.press(dialog.getByRole('button', { name: 'Delete' }));
        await page.getByText('No repositories yet').waitFor();
        expect((await call('GET', '/repositories')).total).to.equal(0);
        expect(faults.filter((fault) => !/422/.test(fault))).to.deep.equal([]);
      });
    }

    it('are added once where the link to an algorithm is refused at first', async () => {
      const { page, call } = await asAdministrator(stage);
      await page.goto('/administration/repositories');
      await page.getByRole('button', { name: 'Add a repository' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Language code');
      await dialog.getByRole('combobox', { name: 'Find by name' }).fill('language d');
      await page.getByRole('option', { name: 'Language detection' }).click();
      let refused = 0;
      await page.route('**/api/v1/repositories/*', (route) =>
        route.request().method() === 'PUT' && (refused += 1) === 1
          ? route.fulfill({
              status: 429,
              json: { code: 'rate_limited', title: 'Too many', detail: 'Later.' },
            })
          : route.continue(),
      );
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await dialog.getByText('Later.').waitFor();
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await page.getByRole('link', { name: 'Language detection' }).waitFor();
      expect((await call('GET', '/repositories')).total).to.equal(1);
    });

    it('are made, changed and deleted on a server whose connection is tested', async () => {
      const { page, faults, call } = await asAdministrator(stage);
      await page.goto('/administration/repositories/hosting');
      await page.getByText('No code host is set yet.').waitFor();
      await page.getByLabel('Address').fill(gitea.url);
      await page.getByLabel('Access token').fill('not the token');
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText('Visible ASCII characters').first().waitFor();
      await page.getByLabel('Access token').fill('another-token');
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText('code_host_token_refused').waitFor();
      await page.getByText('Create a token on the code host').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.getByLabel('Access token').fill(TOKEN);
      await page.getByLabel('Names begin with').fill('algo-');
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText('The token belongs to robot.').waitFor();
      await page.getByText('New repositories belong to robot.').waitFor();
      expect(await page.content()).not.to.contain(TOKEN);
      await page.reload();
      await page.getByText('One is set. Leave this empty to keep it.').waitFor();
      expect(await page.getByLabel('Access token').inputValue()).to.equal('');
      gitea.faults.set('*', { kind: 'slow', ms: 1500 });
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await page.getByText('Asking the code host …').waitFor();
      await page.getByText('The connection works.').waitFor();
      gitea.faults.set('*', { kind: 'drop' });
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await page.getByText('code_host_failed').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      gitea.faults.clear();

      await page.getByRole('link', { name: 'All repositories' }).click();
      await page.getByRole('button', { name: 'Create on the code host' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create it' }).click();
      await dialog.getByText('Choose an algorithm first.').waitFor();
      await dialog.getByRole('combobox', { name: 'Find by name' }).fill('language d');
      await page.getByRole('option', { name: 'Language detection' }).click();
      await dialog.getByLabel('Description').fill('Tells languages apart.');
      gitea.faults.set('*', { kind: 'slow', ms: 1000 });
      await dialog.getByRole('button', { name: 'Create it' }).click();
      await dialog.getByText('The code host is creating it …').waitFor();
      await dialog.getByText(/robot\/algo-.* was created\./).waitFor();
      gitea.faults.clear();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      const { repositories } = await call('GET', '/repositories');
      const there = () => gitea.repository(repositories[0].host_full_name);
      expect(there()).to.include({ description: 'Tells languages apart.', private: true });

      await page.getByRole('button', { name: 'On the code host: Language detection' }).click();
      await dialog.getByLabel('Description').fill('Hears languages.');
      await dialog
        .getByLabel('Who sees it on the code host')
        .selectOption('Everybody who sees the code host');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Hears languages.').waitFor();
      expect(there()).to.include({ description: 'Hears languages.', private: false });
      await page.getByRole('button', { name: 'Edit Language detection' }).click();
      await dialog.getByText('its address and its algorithm stay as they are').waitFor();
      await dialog.getByLabel('Branch').fill('next');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('next', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Delete Language detection' }).click();
      await dialog.getByLabel('Delete it on the code host as well').check();
      await dialog.getByLabel('Type “Language detection” to confirm').fill('Language detection');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No repositories yet').waitFor();
      expect(there()).to.equal(undefined);
      await page.getByRole('link', { name: 'Code hosting' }).click();
      await page.getByRole('button', { name: 'Forget the code host' }).click();
      await dialog.getByRole('button', { name: 'Forget the code host' }).click();
      await page.getByText('No code host is set yet.').waitFor();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: '简体中文' }).click();
      await page.getByText('尚未设置平台。').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflow(page)).to.equal(0);
      expect(faults.filter((fault) => !/422|502/.test(fault))).to.deep.equal([]);
    });
  },
  { EGRESS_ALLOW: '127.0.0.1' },
);
