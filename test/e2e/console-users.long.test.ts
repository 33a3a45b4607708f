import { expect } from 'chai';
import { asAdministrator, createUsers, menuOf, sectionsOf, signedInAs } from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';

const NEW_PASSWORD = 'nine quiet rivers';

describeConsole('the users of the console', (stage) => {
  const rows = 'tbody tr';

  for (const hands of allHands) {
    it(`are invited, choose a password, and become administrators, ${hands.name}`, async () => {
      const { page, faults } = await asAdministrator(stage, hands);
      await hands.goTo(page, 'Administration');
      await hands.press(sectionsOf(page).getByRole('link', { name: 'Users' }));
      await page.waitForURL(/\/administration\/users$/);
      await hands.press(page.getByRole('button', { name: 'New account' }));
      const dialog = page.getByRole('dialog');
      await hands.write(dialog.getByLabel('Username'), 'grace');
      await hands.write(dialog.getByLabel('E-mail address'), 'grace@example.org');
      await hands.press(dialog.getByRole('button', { name: 'Create the account' }));
      await page.getByRole('dialog', { name: '“grace” is invited' }).waitFor();
      const link = await dialog.locator('.made-key').innerText();
      expect(await overflow(page)).to.equal(0);
      await hands.press(dialog.getByRole('button', { name: 'Done' }));
      expect(await page.content()).not.to.contain(link);

      const { page: theirs } = await stage.open(link.slice(stage.service.url.length));
      await theirs.getByLabel('New password').fill(NEW_PASSWORD);
      await theirs.getByRole('button', { name: 'Set the password and sign in' }).click();
      await theirs.getByRole('button', { name: 'grace' }).waitFor();
      expect(await menuOf(theirs).getByRole('link', { name: 'Administration' }).count()).to.equal(0);
      await theirs.goto('/administration/users');
      await theirs.getByRole('heading', { name: 'Only for administrators' }).waitFor();

      await hands.press(page.getByRole('link', { name: 'grace', exact: true }));
      await page.getByLabel('Role').selectOption('Administrator');
      await hands.press(page.getByRole('button', { name: 'Save' }));
      await page.getByText('The account was changed.').waitFor();
      await theirs.reload();
      await theirs.getByRole('heading', { name: 'Users' }).waitFor();
      expect(faults).to.deep.equal([]);
    });
  }

  it('are found by a word and filters in the address, page by page', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const names = Array.from({ length: 27 }, (_, i) => `user${String(i).padStart(2, '0')}`);
    const made = await createUsers(caller, ...names);
    await caller.call('PATCH', `/users/${made['user07']!.id}`, { status: 'disabled' });
    await page.goto('/administration/users');
    await page.getByText('28 accounts').waitFor();
    expect(await page.locator(rows).count()).to.equal(25);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('searchbox').fill('user0');
    await page.getByText('10 accounts').waitFor();
    await page.getByLabel('Status').selectOption('disabled');
    await page.getByText('1 account', { exact: true }).waitFor();
    expect(await page.locator(rows).getByRole('link').innerText()).to.equal('user07');
    expect(new URL(page.url()).search).to.equal('?q=user0&status=disabled');
    await page.reload();
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('10 accounts').waitFor();
    await page.getByRole('searchbox').fill('nobody has this name');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('28 accounts').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('leave the focus where it was on the last page and the last entry', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    await createUsers(caller, ...Array.from({ length: 26 }, (_, i) => `user${i}`));
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.goto('/administration/users');
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await page.getByText('Page 2 of 2').waitFor();
    expect(await focused()).to.equal('Next');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).search).to.equal('?page=2');
    await page.goto('/administration/audit');
    await page.locator(rows).first().getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Older call' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Newer call' }).press('Enter');
    expect(await focused()).to.equal('↑');
    expect(faults).to.deep.equal([]);
  });

  it('are shut out with their keys, and let in again without them', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    const theirs = await signedInAs(stage, 'grace');
    const key = { name: 'robot', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
    await theirs.call('POST', '/api-keys', key);
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByText('robot').waitFor();
    await page.getByLabel('Status').selectOption('disabled');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable “grace”?' });
    await dialog.getByLabel('Also revoke its API keys').check();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('No active key.').waitFor();
    await theirs.page.goto('/account');
    await theirs.page.getByRole('heading', { name: 'Sign in to see this' }).waitFor();
    await page.getByLabel('Status').selectOption('active');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('main h1 + .badge', { hasText: 'active' }).waitFor();
    await page.getByText('No active key.').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('get a link for another password, and are signed out one by one and everywhere', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    const [first, second] = [await signedInAs(stage, 'grace'), await signedInAs(stage, 'grace')];
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByText('It is not mailed: no mail server is set.').waitFor();
    expect(await page.locator('.made-key').innerText()).to.match(/\/reset#token=[\w-]{20,}$/);
    await page.getByRole('button', { name: 'Done' }).click();

    const sessions = page.locator('.sessions');
    await sessions
      .getByRole('button', { name: /^Sign out Chrome/ })
      .first()
      .click();
    await sessions.locator('li').nth(1).waitFor({ state: 'detached' });
    const statuses = await Promise.all(
      [first, second].map(async (each) => (await each.page.request.get('/api/v1/users/me')).status()),
    );
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([200, 401]);
    await sessions.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await sessions.getByText('Nowhere.').waitFor();
    for (const { page: theirs } of [first, second])
      expect((await theirs.request.get('/api/v1/users/me')).status()).to.equal(401);
    expect(faults).to.deep.equal([]);
  });

  it('are deleted once their name was typed, and their records when that is asked for', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    await page.goto(`/administration/users/${grace!.id}`);
    // What was entered of an account that is deleted is not asked about.
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “grace”?' });
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByLabel('Type “grace” to confirm').fill('grac');
    expect(await confirm.isDisabled()).to.equal(true);
    await dialog.getByLabel('Type “grace” to confirm').fill('grace');
    await confirm.click();
    await page.waitForURL(/\/administration\/users$/);
    await page.getByText('1 account', { exact: true }).waitFor();

    await page.getByLabel('Status').selectOption('deleted');
    await page.getByRole('link', { name: /^deleted user/ }).click();
    await page.getByRole('button', { name: 'Delete the records' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the records' }).click();
    await page.getByText('The records are being deleted.').waitFor();
    const { entries } = await caller.call('GET', `/audit?target_id=${grace!.id}`);
    expect(entries[0].action).to.equal('account.delete_records');
    expect(faults).to.deep.equal([]);
  });

  it('are not left before a change is saved, unless that is wanted', async () => {
    const { page, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByLabel('Role').selectOption('Administrator');
    await sectionsOf(page).getByRole('link', { name: 'Groups' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The account was changed.').waitFor();
    await sectionsOf(page).getByRole('link', { name: 'Groups' }).click();
    await page.waitForURL(/\/administration\/groups$/);
  });

  it('get links that are not lost by a slip before they were copied', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.locator('.made-key').waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without a copy?' });
    await sectionsOf(page).getByRole('link', { name: 'Users' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('hedy');
    await dialog.getByLabel('E-mail address').fill('hedy@example.org');
    await dialog.getByRole('button', { name: 'Create the account' }).click();
    await page.locator('.made-key').waitFor();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.made-key').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
  });

  it('keep what was entered and a link that is shown once when they cannot be asked for anew', async () => {
    const { page, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByLabel('E-mail address').fill('grace@elsewhere.example');
    await page.route(`**/api/v1/users/${grace!.id}`, (route) => route.fulfill({ status: 429, json: {} }));
    const refused = page.waitForResponse((response) => response.status() === 429);
    await page.getByRole('button', { name: 'Make a link' }).click();
    await (await refused).finished();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.locator('.made-key').innerText()).to.contain('/reset#token=');
    expect(await page.getByLabel('E-mail address').inputValue()).to.equal('grace@elsewhere.example');
  });

  it('stay shut out when somebody who did not see that changes something else', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByLabel('E-mail address').fill('grace@elsewhere.example');
    await caller.call('PATCH', `/users/${grace!.id}`, { status: 'disabled' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The account was changed.').waitFor();
    expect(await caller.call('GET', `/users/${grace!.id}`)).to.include({
      email: 'grace@elsewhere.example',
      status: 'disabled',
    });
    await page.locator('main h1 + .badge', { hasText: 'disabled' }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).to.equal('disabled');
    expect(faults).to.deep.equal([]);
  });

  it('ask before a new one is lost that was begun, by Escape and on the way back', async () => {
    const { page, faults } = await asAdministrator(stage);
    await page.goto('/administration/groups');
    await sectionsOf(page).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New account' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New account' }).click();
    await dialog.getByLabel('Username').fill('grace');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await leave();
      await question.waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await question.getByRole('button', { name: 'Cancel' }).last().click();
      await question.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Username').inputValue()).to.equal('grace');
    }
    await dialog.getByLabel('Username').press('Escape');
    await question.getByRole('button', { name: 'Leave' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New account' }).click();
    await dialog.getByLabel('Username').fill('grace');
    await dialog.getByLabel('E-mail address').fill('grace@example.org');
    await dialog.getByLabel('Enter a password here').check();
    await dialog.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await dialog.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'grace', level: 1 }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('keep their last administrator, and the refusal says why with its request id', async () => {
    const { page, ...caller } = await asAdministrator(stage);
    const { id } = await caller.call('GET', '/users/me');
    await page.goto(`/administration/users/${id}`);
    await page.getByLabel('Role').selectOption('User');
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('last_administrator').waitFor();
    await alert.getByText('Request id').waitFor();
  });

  it('are reached by the palette, and offer no groups where that plugin is off', async () => {
    const { page } = await asAdministrator(stage);
    await page.keyboard.press('Control+K');
    await page.getByLabel('Algorithms, pages, commands').fill('audit');
    await page.getByRole('option', { name: /Audit trail/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/administration\/audit$/);
    const links = sectionsOf(page).getByRole('link');
    await links.filter({ hasText: 'Groups' }).waitFor();
    const all = await links.count();
    await page.route('**/api/v1/console/pages', async (route) => {
      const response = await route.fetch();
      const { plugins, ...others } = await response.json();
      const on = plugins.filter((plugin: string) => plugin !== 'groups');
      await route.fulfill({ response, json: { plugins: on, ...others } });
    });
    await page.reload();
    await sectionsOf(page).getByRole('link', { name: 'Users' }).waitFor();
    await sectionsOf(page).getByRole('link', { name: 'Groups' }).waitFor({ state: 'detached' });
    expect(await links.count()).to.equal(all - 1);
  });
});
