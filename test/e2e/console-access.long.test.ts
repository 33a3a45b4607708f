import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  asAdministrator,
  createUsers,
  inEveryLook,
  signedInAs,
  type Caller,
} from '../support/administration.ts';
import { allHands, type Hands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';

const NAME = 'Language detection';

const accessOf = (id: string) => `/administration/algorithms/${id}?tab=access`;
const grantsOn = (page: Page) => page.getByRole('table', { name: 'Who was granted what' });

async function hidden({ call }: Caller): Promise<string> {
  const { algorithms } = await call('GET', '/algorithms?q=language%20detection');
  const { id } = algorithms[0];
  await call('PUT', `/algorithms/${id}`, { access: 'private' });
  return id;
}

/** Finds one of many by a part of its name, and takes the first. */
async function find(
  page: Page | Locator,
  hands: Hands,
  label: string,
  word: string,
  name: string,
): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await hands.write(field, word);
  const option = page.getByRole('option', { name });
  await option.waitFor();
  if (hands.name.includes('keyboard')) await field.press('Enter');
  else await hands.press(option);
}

describeConsole('who may do what with an algorithm', (stage) => {
  for (const hands of allHands) {
    it(`is granted to a group, changed and revoked, and a member sees it at once, ${hands.name}`, async () => {
      const { page, faults, ...caller } = await asAdministrator(stage, hands);
      const { grace } = await createUsers(caller, 'grace');
      const id = await hidden(caller);
      const group = await caller.call('POST', '/groups', { name: 'Linguists' });
      await caller.call('PUT', `/groups/${group.id}/members/${grace!.id}`);
      const theirs = await signedInAs(stage, 'grace');
      const seen = async () => {
        await theirs.page.goto(`/?q=${encodeURIComponent(NAME)}`);
        await theirs.page
          .getByText(/^(\d+ algorithms?|Nothing matches)/)
          .first()
          .waitFor();
        return theirs.page.getByRole('link', { name: NAME, exact: true }).count();
      };
      expect(await seen()).to.equal(0);

      await page.goto(accessOf(id));
      await page.getByText('No grants yet.').waitFor();
      await hands.press(page.getByRole('button', { name: 'Group', exact: true }));
      await find(page, hands, 'Find a group by name', 'ling', 'Linguists');
      await hands.press(page.getByRole('button', { name: 'Grant', exact: true }));
      await grantsOn(page).getByRole('link', { name: 'Linguists' }).waitFor();
      expect(await overflow(page)).to.equal(0);
      expect(await seen()).to.equal(1);

      await hands.press(page.getByRole('button', { name: 'Edit the right of Linguists' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Right').selectOption('see');
      await dialog.getByLabel('Until').fill('2099-05-31');
      await hands.press(dialog.getByRole('button', { name: 'Save' }));
      await dialog.waitFor({ state: 'detached' });
      await grantsOn(page).getByText(/2099/).waitFor();
      const { grants } = await caller.call('GET', `/permissions/grants?algorithm_id=${id}`);
      expect(grants).to.have.length(1);
      expect(grants[0].permission_type).to.equal('read');

      await hands.press(page.getByRole('button', { name: 'Revoke the right on Linguists' }));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
      await page.getByText('No grants yet.').waitFor();
      expect(await seen()).to.equal(0);
      expect([...faults, ...theirs.faults]).to.deep.equal([]);
    });
  }

  it('says for one account what it may do and why', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    const id = await hidden(caller);
    const group = await caller.call('POST', '/groups', { name: 'Linguists' });
    await caller.call('PUT', `/groups/${group.id}/members/${grace!.id}`);
    const [mouse] = allHands;
    const why = page.getByRole('region', { name: 'What may one account do, and why?' });
    await page.goto(accessOf(id));
    await why.getByRole('combobox').fill('gra');
    await why.getByRole('option', { name: /grace/ }).click();
    await why.getByText('It cannot see this algorithm.').waitFor();
    await caller.call('POST', '/permissions/grants', {
      algorithm_id: id,
      group_id: group.id,
      permission_type: 'execute',
    });
    await page.reload();
    await why.getByRole('combobox').fill('gra');
    await why.getByRole('option', { name: /grace/ }).click();
    await why.getByText('It may call this algorithm.').waitFor();
    await why.getByText('granted to its group').waitFor();
    await why.getByRole('link', { name: 'Linguists' }).waitFor();

    const visibility = page.getByRole('region', { name: 'Visibility' });
    await visibility.getByRole('radio', { name: /^Open/ }).check();
    await mouse!.press(visibility.getByRole('button', { name: 'Save' }));
    await why.getByText('as every account, because the algorithm is open').waitFor();
    expect((await caller.call('GET', `/algorithms/${id}`)).access).to.equal('open');
    expect(faults).to.deep.equal([]);
  });

  it('keeps what was entered when it is refused, and is clear on every screen', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    await createUsers(caller, 'grace');
    const id = await hidden(caller);
    const [mouse] = allHands;
    await page.goto(accessOf(id));
    const grants = page.getByRole('region', { name: 'Who was granted what' });
    for (let n = 0; n < 2; n += 1) {
      await find(grants, mouse!, 'Find an account by name', 'gra', 'grace');
      await page.getByRole('button', { name: 'Grant', exact: true }).click();
      await grantsOn(page).getByRole('link', { name: 'grace' }).waitFor();
    }
    await page.getByText('grant_exists').waitFor();
    await grants.locator('.chip', { hasText: 'grace' }).waitFor();
    await inEveryLook(page, 'access');
    expect(faults).to.deep.equal([]);
  });

  it('ends when it did where only another right is chosen', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { grace } = await createUsers(caller, 'grace');
    const algorithm_id = await hidden(caller);
    const expires_at = '2099-05-31T10:00:00.000Z';
    const grant = { algorithm_id, user_id: grace!.id, permission_type: 'read', expires_at };
    const { id } = await caller.call('POST', '/permissions/grants', grant);
    await page.goto(accessOf(algorithm_id));
    await page.getByRole('button', { name: 'Edit the right of grace' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Right').selectOption('call');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { grants } = await caller.call('GET', `/permissions/grants?algorithm_id=${algorithm_id}`);
    expect(grants).to.have.lengthOf(1);
    expect(grants[0]).to.include({ id, permission_type: 'execute' });
    expect(new Date(grants[0].expires_at).toISOString()).to.equal(expires_at);
    expect(faults).to.deep.equal([]);
  });

  it('is granted by ids by those who manage the algorithm and are no administrators', async () => {
    const { page: _page, ...caller } = await asAdministrator(stage);
    const { grace, linus } = await createUsers(caller, 'grace', 'linus');
    const id = await hidden(caller);
    await caller.call('POST', '/permissions/grants', {
      algorithm_id: id,
      user_id: grace!.id,
      permission_type: 'manage',
    });
    const { page, faults } = await signedInAs(stage, 'grace');
    await page.goto(accessOf(id));
    await page.getByLabel('Id of the account').fill(linus!.id);
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await grantsOn(page).getByText(linus!.id).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('is listed page by page, for a group as well', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { id: group_id } = await caller.call('POST', '/groups', { name: 'Linguists' });
    for (let n = 0; n < 26; n += 1) {
      const { id } = await caller.call('POST', '/algorithms', { name: `A ${n}`, description: '', type: 't' });
      await caller.call('POST', '/permissions/grants', {
        algorithm_id: id,
        group_id,
        permission_type: 'execute',
        expires_at: '2099-05-31T00:00:00Z',
      });
    }
    await page.goto(`/administration/groups/${group_id}`);
    const list = page.getByRole('table', { name: 'What its members may do' });
    await list.getByText(/2099/).first().waitFor();
    expect(await list.locator('tbody tr').count()).to.equal(25);
    await page.getByRole('button', { name: 'Next' }).click();
    await list.getByRole('link', { name: 'A 0', exact: true }).waitFor();
    expect(await list.locator('tbody tr').count()).to.equal(1);
    await page.getByRole('button', { name: 'Revoke the right on A 0', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await list.getByRole('link', { name: 'A 1', exact: true }).waitFor();
    expect(await list.locator('tbody tr').count(), 'of the first page').to.equal(25);
    expect(faults).to.deep.equal([]);
  });
});
