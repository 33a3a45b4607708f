import { expect } from 'chai';
import { asAdministrator, createUsers, signedInAs } from '../support/administration.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';

describeConsole('the groups of the console', (stage) => {
  for (const hands of allHands) {
    it(`are made, get members by name, and may then do what they are granted, ${hands.name}`, async () => {
      const { page, faults, ...caller } = await asAdministrator(stage, hands);
      await createUsers(caller, 'grace', 'linus');
      const { algorithms } = await caller.call('GET', '/algorithms?q=language%20detection');
      const path = `/algorithms/${algorithms[0].id}`;
      await caller.call('PUT', path, { access: 'private' });
      const theirs = await signedInAs(stage, 'grace');
      const seen = async () => (await theirs.page.request.get(`/api/v1${path}`)).status();
      expect(await seen()).to.equal(404);

      await page.goto('/administration/groups');
      await hands.press(page.getByRole('button', { name: 'New group' }));
      await hands.write(page.getByRole('dialog').getByLabel('Name'), 'Linguists');
      await hands.press(page.getByRole('button', { name: 'Create the group' }));
      await page.getByRole('heading', { name: 'Linguists' }).waitFor();
      await hands.write(page.getByRole('combobox', { name: 'Add a member by name' }), 'gra');
      const found = page.getByRole('option', { name: /grace/ });
      await found.waitFor();
      if (hands.name.includes('keyboard')) await page.keyboard.press('Enter');
      else await hands.press(found);
      await page.getByText('grace is a member.').waitFor();
      await page.getByLabel('Right').selectOption('see');
      await hands.write(page.getByRole('combobox', { name: 'Find by name' }), 'language');
      await page.getByRole('option', { name: 'Language detection' }).waitFor();
      await hands.press(
        hands.name.includes('keyboard')
          ? page.getByRole('combobox', { name: 'Find by name' })
          : page.getByRole('option', { name: 'Language detection' }),
      );
      await hands.press(page.getByRole('button', { name: 'Grant', exact: true }));
      await page.getByRole('link', { name: 'Language detection' }).waitFor();
      expect(await overflow(page)).to.equal(0);
      expect(await seen()).to.equal(200);

      await hands.press(page.getByRole('button', { name: 'Revoke the right on Language detection' }));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
      await page.getByText('Nothing was granted to the group.').waitFor();
      expect(await seen()).to.equal(404);
      await hands.press(page.getByRole('button', { name: 'Remove grace' }));
      await page.getByText('Nobody yet.').waitFor();
      expect(faults).to.deep.equal([]);
    });
  }

  it('name where a membership is kept, and leave it there', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    const { id } = await caller.call('POST', '/groups', { name: 'Radiology' });
    await caller.call('PUT', `/groups/${id}/members/${grace!.id}`);
    // No built-in plugin keeps memberships without a server elsewhere.
    await page.route('**/members?**', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const members = answer.members.map((member: object) => ({ ...member, sources: ['oidc'] }));
      await route.fulfill({ response, json: { ...answer, members } });
    });
    await page.goto(`/administration/groups/${id}`);
    const row = page.getByRole('table', { name: 'Members' }).locator('tbody tr');
    await row.getByText('oidc').waitFor();
    expect(await row.getByRole('button').count()).to.equal(0);
    await page.goto(`/administration/users/${grace!.id}`);
    await page.getByRole('link', { name: 'Radiology' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('are renamed, found by a part of the name, and deleted once it was typed', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    for (const name of ['Radiology', 'Partners']) await caller.call('POST', '/groups', { name });
    await page.goto('/administration/groups');
    await page.getByRole('link', { name: 'Radiology' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('partners');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('group_name_taken').waitFor();
    await dialog.getByLabel('Name').fill('X-rays');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'X-rays' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByLabel('Type “X-rays” to confirm').fill('X-rays');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 group', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('PART');
    await page.waitForURL(/q=PART/);
    await page.getByRole('link', { name: 'Partners' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('say why none are found when they cannot be searched, as the palette does', async () => {
    const { page } = await asAdministrator(stage);
    const refusal = { status: 429, json: { code: 'rate_limited', title: 'Too many', detail: 'Come later.' } };
    await page.route(/\/api\/v1\/(users|algorithms)\?q=/, (route) => route.fulfill(refusal));
    await page.goto('/administration/audit');
    await page.getByRole('combobox').first().fill('grace');
    await page.getByText('Come later.').waitFor();
    await page.keyboard.press('Control+K');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('language');
    await palette.getByText('Come later.').waitFor();
  });
});
