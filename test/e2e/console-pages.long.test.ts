import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, run } from '../support/console.ts';

const more = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' });

async function choose(page: Page, title: string): Promise<void> {
  await more(page).click();
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

describeConsole('the pages of the built-in plugins', ({ open, signUp }) => {
  it('show administrators the system, and nobody else', async () => {
    const { page, faults } = await open('/register');
    await page.getByRole('heading', { name: 'Create the administrator' }).waitFor();
    expect(await more(page).count()).to.equal(0);
    await signUp(page);
    await openAlgorithm(page, 'Text similarity');
    await run(page);
    await page.getByText('success', { exact: true }).first().waitFor();
    await choose(page, 'System');
    await page.getByRole('region', { name: 'State' }).getByText('healthy').waitFor();
    await page
      .getByRole('region', { name: 'Memory' })
      .getByText(/^\d+(\.\d+)? %$/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Calls by hour' })
      .getByText(/Succeeded: from 0 to 1/)
      .waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await more(page).waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
  });

  it('make up test data, in words of either language and by the keyboard', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await choose(page, 'Test data');
    await page.getByText('A stand-in answers').waitFor();
    await page.getByLabel('What the data is to be').fill('Two customers with a name and a city');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.getByText('"city"').first().waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save' }).click();
    expect((await saved).suggestedFilename()).to.equal('test-data.json');
    await page.getByRole('button', { name: 'ada' }).click();
    await page.getByRole('button', { name: '简体中文' }).click();
    await page.getByRole('heading', { name: '结果' }).waitFor();
    expect(await page.getByLabel('数据的内容').inputValue()).to.contain('Two customers');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('draw a decision tree in a frame, which is as high as the tree', async () => {
    const { page, faults } = await open('/register');
    await signUp(page);
    await openAlgorithm(page, 'Decision tree');
    await run(page);
    const tree = page.getByRole('group', { name: 'Nodes' });
    const frame = tree.frameLocator('iframe[title="Tree"]');
    await frame.getByText('petal length ≤ 2.35?').waitFor();
    await frame.getByText('10 rows, 100%').waitFor();
    await tree.locator('iframe:not([height="320"])').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await tree.getByRole('button', { name: 'Table' }).click();
    await tree.getByRole('columnheader', { name: 'Threshold' }).waitFor();
    expect(faults).to.deep.equal([]);
  });
});
