import { expect } from 'chai';
import { asAdministrator, createUsers, menuOf, sectionsOf, signedInAs } from '../support/administration.ts';
import { describeConsole, openAlgorithm, run } from '../support/console.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', title: 'A text' } },
});

describeConsole(
  'the first algorithm of an administrator',
  (stage) => {
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await startUpstream(({ body }) => ({ words: body.input_data.text.split(' ').length }));
    });
    afterEach(() => upstream.stop());

    it('is added, tested, published, granted to a group, called by a member and seen in a chart', async function () {
      this.timeout(FIVE_MINUTES_MS);
      const { page, faults, ...caller } = await asAdministrator(stage);
      await createUsers(caller, 'grace', 'linus');
      const [grace, linus] = [await signedInAs(stage, 'grace'), await signedInAs(stage, 'linus')];

      await menuOf(page).getByRole('link', { name: 'Administration' }).click();
      await sectionsOf(page).getByRole('link', { name: 'Groups' }).click();
      await page.getByRole('button', { name: 'New group' }).first().click();
      await page.getByRole('dialog').getByLabel('Name').fill('Linguists');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Linguists' }).waitFor();
      await page.getByRole('combobox', { name: 'Add a member by name' }).fill('grace');
      await page.getByRole('option', { name: /grace/ }).click();
      await page.getByRole('table', { name: 'Members' }).getByText('grace').first().waitFor();

      await sectionsOf(page).getByRole('link', { name: 'Algorithms' }).click();
      await page.getByRole('link', { name: 'New algorithm' }).click();
      await page.getByLabel('URL', { exact: true }).fill(upstream.url);
      await page.getByLabel('Name', { exact: true }).fill('Word count');
      await page.getByLabel('Type').fill('nlp');
      await page.getByLabel('Description', { exact: true }).fill('Counts the words of a text.');
      await page.getByRole('radio', { name: /^Private/ }).check();
      await page.getByRole('textbox', { name: 'Input', exact: true }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(INPUT_SCHEMA);
      await page.getByLabel('A text').fill('one two three');
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await page.getByRole('region', { name: 'What came back' }).getByText('success').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('heading', { name: 'Word count', level: 1 }).waitFor();

      await page.getByRole('link', { name: 'Access' }).click();
      await page.getByRole('button', { name: 'Group', exact: true }).click();
      await page.getByRole('combobox', { name: 'Find a group by name' }).fill('ling');
      await page.getByRole('option', { name: 'Linguists' }).click();
      await page.getByRole('button', { name: 'Grant', exact: true }).click();
      await page.getByRole('table').getByRole('link', { name: 'Linguists' }).waitFor();

      await page.getByRole('link', { name: 'See it in the catalogue' }).click();
      await page.getByRole('link', { name: 'Performance' }).click();
      await page.getByText('No calls in this period').waitFor();

      await linus.page.goto('/?q=word+count');
      await linus.page.getByText('Nothing matches').waitFor();
      await grace.page.goto('/?q=word+count');
      await openAlgorithm(grace.page, 'Word count');
      await run(grace.page);
      await grace.page.getByText('3', { exact: true }).first().waitFor();

      // Without reloading.
      await page.locator('.figure-panel canvas').first().waitFor();
      await page
        .getByText(/^1 call/)
        .first()
        .waitFor();
      expect([...faults, ...grace.faults, ...linus.faults]).to.deep.equal([]);
    });
  },
  { EGRESS_ALLOW: '127.0.0.1' },
);
