import { expect } from 'chai';
import { describeConsole, openAlgorithm } from '../support/console.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts';
import { until } from '../support/until.ts';

describeConsole('sample input without a language model, in a browser', (stage) => {
  it('is not offered', async () => {
    const { page } = await stage.open();
    await openAlgorithm(page, 'Language detection');
    await page.locator('.input-card form').waitFor();
    expect(await page.getByRole('button', { name: 'Make sample input' }).count()).to.equal(0);
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
    EGRESS_ALLOW: '127.0.0.1',
  });
});
after(() => model?.stop());

describeConsole(
  'sample input of a language model, in a browser',
  (stage) => {
    it('fills the form, can be stopped, and tells why there is none', async () => {
      const { page, faults } = await stage.open('/register');
      await stage.signUp(page);
      await openAlgorithm(page, 'Language detection');
      await page.getByRole('button', { name: 'Make sample input' }).click();
      await page.getByLabel('What should it be about?').fill('rivers');

      model.description = ['{"text": "Rivers carry water to the sea."}'];
      model.dialect = { until: new Promise(() => {}) };
      await page.keyboard.press('Enter');
      await page.getByText('The language model is writing').waitFor();
      await page.locator('.sample-input').getByRole('button', { name: 'Stop' }).click();
      await page.getByText('The language model is writing').waitFor({ state: 'detached' });

      model.dialect = { instead: { status: 429, body: { error: { message: 'Too many' } } } };
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.locator('.sample-input').getByRole('alert').waitFor();

      model.dialect = {};
      await page.getByRole('button', { name: 'Make it' }).click();
      const field = page.getByLabel('Text', { exact: true });
      await until(async () => (await field.inputValue()) === 'Rivers carry water to the sea.');
      expect(JSON.stringify(model.requests.at(-1)!.body)).to.contain('rivers');

      let answer: () => void = () => {};
      model.description = ['{"text": "Lakes are still."}'];
      model.dialect = { until: new Promise((resolve) => (answer = resolve)) };
      await page.getByRole('button', { name: 'Make sample input' }).click();
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByText('The language model is writing').waitFor();
      await page.getByRole('textbox', { name: 'Candidates' }).fill('7');
      answer();
      await until(async () => (await field.inputValue()) === 'Lakes are still.');
      expect(
        await page.getByRole('textbox', { name: 'Candidates' }).inputValue(),
        'entered meanwhile',
      ).to.equal('7');

      await page.locator('.input-card').getByRole('button', { name: 'JSON', exact: true }).click();
      await page.getByRole('textbox', { name: 'JSON' }).fill('{');
      const run = page.locator('.actions').getByRole('button', { name: 'Run' });
      await until(() => run.isDisabled());
      await page.getByRole('button', { name: 'Make sample input' }).click();
      await page.getByRole('button', { name: 'Make it' }).click();
      await until(() => run.isEnabled());
      expect(faults).to.deep.equal([]);
    });
  },
  async () => settings,
);
