import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, run } from '../support/console.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts';

const LOOKS: readonly BrowserContextOptions[] = [
  {},
  { colorScheme: 'dark' },
  { viewport: { width: 390, height: 844 } },
];
const describing = (page: Page) => page.getByRole('button', { name: 'Describe this picture' });

describeConsole('a picture of the input, in a browser', (stage) => {
  it('is not described without a language model', async () => {
    const { page } = await stage.open();
    await openAlgorithm(page, 'Edge detection');
    await page.locator('.picture img').waitFor();
    expect(await describing(page).count()).to.equal(0);
  });

  it('is shown with its call, beside the list and on its page, and can be saved', async function () {
    this.timeout(180_000);
    const { page: first } = await stage.open('/register');
    await stage.signUp(first);
    await openAlgorithm(first, 'Edge detection');
    await run(first);
    await first.locator('.result-card > header .badge').waitFor();
    const storageState = await first.context().storageState();
    for (const look of LOOKS) {
      const { page, faults } = await stage.open('/history', { ...look, storageState });
      await page.getByRole('button', { name: 'Edge detection' }).click();
      const input = page.getByRole('group', { name: 'Picture', exact: true }).first();
      const picture = input.getByRole('img', { name: 'Picture', exact: true });
      await picture.waitFor();
      expect(await page.getByRole('dialog').getByRole('img').count()).to.equal(2);
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      await page.getByRole('dialog').getByRole('link', { name: 'Open the call' }).click();
      await page.waitForURL(/\/calls\//);
      await picture.waitFor();
      expect(await picture.evaluate((img: { naturalWidth: number }) => img.naturalWidth)).to.be.above(40);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        input.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(saved.suggestedFilename()).to.equal('image.png');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(await overflow(page)).to.equal(0);
      expect(faults).to.deep.equal([]);
    }
  });
});

const settings: Record<string, string> = {};
let model: FakeOpenAi;

before(async () => {
  model = await startFakeOpenAi();
  Object.assign(settings, {
    LLM_BASE_URL: model.baseUrl,
    LLM_API_KEY: model.apiKey,
    LLM_MODEL: 'text-model',
    LLM_VISION_MODEL: 'vision-model',
    EGRESS_ALLOW: '127.0.0.1',
  });
});
after(() => model?.stop());

describeConsole(
  'a picture that a language model describes, in a browser',
  (stage) => {
    it('has the answer beside it; the request can be stopped, tells why it failed, and is made anew', async () => {
      const { page, faults } = await stage.open('/register');
      await stage.signUp(page);
      await openAlgorithm(page, 'Edge detection');
      const field = page.locator('.picture');
      model.description = ['A house with a red roof.\nThe sky is <b>blue</b>.'];
      model.dialect = { until: new Promise(() => {}) };
      await describing(page).click();
      await field.getByText('The language model is writing').waitFor();
      await field.getByRole('button', { name: 'Stop' }).click();
      await describing(page).waitFor();
      expect(await field.getByRole('alert').count()).to.equal(0);

      model.dialect = {
        instead: { status: 429, body: { error: { message: 'Too many' } }, headers: { 'retry-after': '2' } },
      };
      await describing(page).click();
      const again = field.getByRole('alert').getByRole('button', { name: /^Try again/ });
      await again.waitFor();
      expect(await again.isDisabled()).to.equal(true);
      model.dialect = {};
      await again.click();

      await field.getByText('The sky is <b>blue</b>.').waitFor();
      await field.getByText('vision-model').waitFor();
      const shown = await field.locator('img').getAttribute('src');
      expect(model.requests.at(-1)!.body.messages[0].content[1].image_url.url).to.equal(shown);
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      await field.getByRole('button', { name: 'Remove' }).click();
      await field.getByText('The sky is').waitFor({ state: 'detached' });
      expect(await describing(page).count()).to.equal(0);
      expect(faults).to.deep.equal([]);
    });

    it('asks to sign in first, and then describes it', async () => {
      const { page } = await stage.open();
      await openAlgorithm(page, 'Edge detection');
      model.description = ['A house.'];
      model.dialect = {};
      await describing(page).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create an account' }).click();
      await dialog.getByLabel('Username').fill('ada');
      await dialog.getByLabel('E-mail address').fill('ada@example.org');
      await dialog.getByLabel('Password').fill('seven quiet rivers');
      await dialog.getByRole('button', { name: 'Create an account', exact: true }).first().click();
      await page.locator('.picture').getByText('A house.').waitFor();
    });
  },
  async () => settings,
);
