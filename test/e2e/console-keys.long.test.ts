import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow } from '../support/console.ts';

const bash = (command: string): string => execFileSync('bash', ['-c', command], { encoding: 'utf8' });

describeConsole('the API keys of the console', ({ open, signUp }) => {
  const secretIn = async (page: Page): Promise<string> => {
    const command = await page.locator('pre').innerText();
    return /vk_\w+/.exec(command)![0];
  };
  const row = (page: Page) => page.locator('.keys tbody tr');

  it('restricts a new key, with a command that works all the same', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await page.goto('/keys');
    await page.getByLabel('Name').fill('robot');
    await page.getByText('Advanced').click();
    await page.getByLabel('Find an algorithm').fill('language');
    await page.getByLabel('Language detection').check();
    await page.getByLabel('Find an algorithm').fill('');
    await page.getByLabel('Only from these networks').fill('no network');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByText('"no" is neither').first().waitFor();
    await page.getByLabel('Only from these networks').fill('127.0.0.0/8\n::1');
    await page.getByRole('button', { name: 'New key' }).click();
    const answer = JSON.parse(bash(await page.locator('pre').innerText())) as {
      readonly algorithms: readonly { readonly name: string }[];
    };
    expect(answer.algorithms.map(({ name }) => name)).to.deep.equal(['Language detection']);
    await row(page).getByText('Only Language detection').waitFor();
    await row(page).getByText('From 127.0.0.0/8, ::1').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('edits a key, and gives it a new secret that is shown once', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await page.goto('/keys');
    await page.getByLabel('Name').fill('notebook');
    await page.getByRole('button', { name: 'New key' }).click();
    const first = await secretIn(page);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Edit notebook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByLabel('Expires').selectOption({ label: 'A year from now' });
    await dialog.getByLabel('create, change and delete').check();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page).getByText('read, call algorithms, create, change and delete').waitFor();
    await row(page).getByText('desk').waitFor();

    await page.getByRole('button', { name: 'New secret for desk' }).click();
    await dialog.getByLabel('The secret before works').selectOption({ label: 'for 1 hour more' });
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await page.getByText('The key has a new secret').waitFor();
    const second = await secretIn(page);
    expect(second).not.to.equal(first);
    expect(bash(await page.locator('pre').innerText())).to.contain('"username":"ada"');
    await row(page).getByText('The secret before works until').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.to.contain(second);
    expect(faults).to.deep.equal([]);
  });

  it('asks before a key is lost that was not copied, and shows two at once', async () => {
    const { page, faults } = await open('/register', { permissions: ['clipboard-read', 'clipboard-write'] });
    await signUp(page);
    await page.goto('/keys');
    await page.getByLabel('Name').fill('notebook');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByText('The key was made').waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without a copy?' });
    const history = page.getByRole('link', { name: 'History' });
    await history.click();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('link', { name: 'All, including ended' }).click();
    await page.waitForURL(/ended=true/);
    await page.getByText('The key was made').waitFor();

    await page.getByRole('button', { name: 'New secret for notebook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByText('The key has a new secret').waitFor();
    expect(await page.getByText('The key was made').count()).to.equal(0);
    const asked = page.waitForEvent('dialog');
    void page.reload().catch(() => {});
    await (await asked).dismiss();
    await page.getByText('The key has a new secret').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await page.getByText('Copied').waitFor();
    await history.click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('warns of a key that expires soon, in either language and on a phone', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await page.goto('/keys');
    await page.getByLabel('Name').fill('nightly job');
    await page.getByRole('button', { name: 'New key' }).click();
    // No key of this test is old enough.
    await page.route('**/api/v1/api-keys', async (route) => {
      const response = await route.fetch();
      const keys = (await response.json()) as object[];
      await route.fulfill({ response, json: keys.map((key) => ({ ...key, expires_soon: true })) });
    });
    await page.reload();
    await row(page).getByText('expires soon').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflow(page)).to.equal(0);
    await page.getByRole('button', { name: 'Edit nightly job' }).click();
    expect(await overflow(page)).to.equal(0);
    expect(faults).to.deep.equal([]);
  });
});
