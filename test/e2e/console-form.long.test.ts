import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { schemaDocuments } from '../plugins/catalogue/support/schema-documents.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, run } from '../support/console.ts';
import { until } from '../support/until.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

describeConsole(
  'the form of the playground in a browser',
  (stage) => {
    let upstream: Upstream;
    before(async () => {
      upstream = await startUpstream(({ body }) => ({ took: body.input_data }));
    });
    after(() => upstream?.stop());

    const signedUp = async (look: BrowserContextOptions = {}) => {
      const watched = await stage.open('/register', look);
      await stage.signUp(watched.page);
      return watched;
    };
    const post = (page: Page, path: string, body: string): Promise<{ readonly id: string }> =>
      page.evaluate(
        async ([address, content]) => {
          const headers = { 'Content-Type': 'application/json' };
          const answer = await fetch(`/api/v1${address!}`, { method: 'POST', headers, body: content! });
          if (!answer.ok) throw new Error(await answer.text());
          return (await answer.json()) as { id: string };
        },
        [path, body],
      );
    let published = 0;
    /** Adds an algorithm that answers its input, with a version of a schema in JSON, and opens its playground. */
    const publish = async (page: Page, input_schema: string): Promise<void> => {
      const about = { name: `Echo ${(published += 1)}`, description: 'Answers its input.', type: 'ml' };
      const { id } = await post(page, '/algorithms', JSON.stringify(about));
      const version = `{"version":"1","is_default":true,"url":"${upstream.url}","input_schema":${input_schema}}`;
      await post(page, `/algorithms/${id}/versions`, version);
      await page.goto(`/algorithms/${id}`);
      await page.locator('.input-card').waitFor();
    };
    const mode = (page: Page, name: 'Form' | 'JSON') =>
      page.locator('.input-card').getByRole('button', { name, exact: true });
    const enterJson = async (page: Page, value: unknown): Promise<void> => {
      await mode(page, 'JSON').click();
      await page.getByRole('textbox', { name: 'JSON' }).fill(JSON.stringify({ input_data: value }, null, 2));
    };
    /** Runs, and answers the input that arrived at the algorithm. */
    const ran = async (page: Page): Promise<unknown> => {
      const before = upstream.requests.length;
      await run(page);
      await until(() => upstream.requests.length > before);
      return upstream.requests.at(-1)!.body.input_data;
    };

    it('draws every schema of the collection or takes JSON instead, and loses nothing on the way', async function () {
      this.timeout(900_000);
      const { page, faults } = await signedUp();
      for (const { tool, name, schema, valid, output } of schemaDocuments) {
        if (output) continue;
        await publish(page, schema);
        for (const value of valid) {
          await enterJson(page, value);
          if (await mode(page, 'Form').isEnabled()) {
            await mode(page, 'Form').click();
            await page.locator('.input-card form').waitFor();
          }
          expect(await ran(page), `${tool}: ${name}`).to.deep.equal(value);
        }
        expect(faults, `${tool}: ${name}`).to.deep.equal([]);
      }
    });

    it('says beside a field what is wrong, goes there, and follows what is typed', async () => {
      const { page, faults } = await signedUp();
      await openAlgorithm(page, 'Seasonal forecast');
      const series = page.getByLabel('Series', { exact: true });
      await series.fill('1, 2, three, 4');
      await run(page);
      await page.getByText('Series /2: must be a number.').waitFor();
      expect(await series.getAttribute('aria-invalid')).to.equal('true');
      expect(await focused(page)).to.contain('series');
      await series.fill('1, 2, 3, 4, 5, 6, 7, 8');
      await page.getByText('Series /2: must be a number.').waitFor({ state: 'detached' });
      expect(faults).to.deep.equal([]);
    });

    it('names the place of broken JSON, and keeps it until it is corrected or given up', async () => {
      const { page } = await signedUp();
      await publish(
        page,
        '{"type":"object","properties":{"text":{"type":"string","title":"Text","maxLength":3}}}',
      );
      await enterJson(page, { text: 'long' });
      await run(page);
      const input = page.locator('.input-card');
      await input.getByText('is too long').waitFor();
      const editor = page.getByRole('textbox', { name: 'JSON' });
      await editor.fill('{\n  "input_data": { "text" 1 }\n}');
      await input.getByText('This is not JSON yet: look at line 2, column 26.').waitFor();
      expect(await input.getByText('is too long').count()).to.equal(0);
      await mode(page, 'Form').click();
      await page.getByText('The form cannot show this until it is JSON.').waitFor();
      await page.getByRole('link', { name: 'About', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Cancel' }).last().click();
      expect(await editor.innerText()).to.contain('"text" 1');
      await page.getByRole('button', { name: 'Reset' }).click();
      await mode(page, 'Form').click();
      await page.getByLabel('Text').fill('abc');
      expect(await ran(page)).to.deep.equal({ text: 'abc' });
    });

    it('takes the types of picture that the schema names', async () => {
      const { page } = await signedUp();
      await openAlgorithm(page, 'Edge detection');
      const file = page.locator('.picture input[type=file]');
      expect(await file.getAttribute('accept')).to.equal('image/png,image/jpeg');
      await file.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a0000') });
      await page.getByText('“a.gif” is a picture of the type GIF. PNG and JPEG are accepted.').waitFor();
      await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
      await page.getByText('“a.txt” is not a picture. PNG and JPEG are accepted.').waitFor();
    });

    it('says of a number that is too long how large it may be', async () => {
      const { page } = await signedUp();
      await publish(page, '{"type":"object","properties":{"n":{"type":"integer","title":"Seed"}}}');
      await page.getByLabel('Seed').fill('99999999999999999999');
      await run(page);
      await page.getByText('Seed must be at most 9007199254740991.').waitFor();
    });

    it('cuts no text that is too long, and says by how much it is', async () => {
      const { page } = await signedUp();
      await publish(
        page,
        '{"type":"object","properties":{"text":{"type":"string","title":"Text","maxLength":1000}}}',
      );
      const field = page.getByLabel('Text');
      await field.fill('😀'.repeat(900));
      await page.getByText('900 of at most 1,000 characters.').waitFor();
      await field.fill('a'.repeat(1_200));
      await page.getByText('1,200 characters: 200 more than the 1,000 that are allowed.').waitFor();
      expect(await field.getAttribute('aria-invalid')).to.equal('true');
      const before = upstream.requests.length;
      await run(page);
      await page.getByText('Text is too long: at most 1,000 characters.').waitFor();
      expect(await field.inputValue()).to.have.length(1_200);
      expect(upstream.requests.length).to.equal(before);
    });

    it('says what only the service finds beside the field, too, also among the rare ones', async () => {
      const { page } = await signedUp();
      const field = { type: 'string', format: 'email', title: 'Reply to', 'x-advanced': true };
      await publish(page, JSON.stringify({ type: 'object', properties: { a: { type: 'string' }, field } }));
      await page.locator('.input-card summary').click();
      await page.getByLabel('Reply to').fill('nobody');
      await page.locator('.input-card summary').click();
      await run(page);
      await page.locator('.input-card .wrong').getByText('Reply to').waitFor();
      await until(async () => (await focused(page)).includes('field'));
      const alert = page.getByRole('alert');
      await alert.getByText('/input_data/field', { exact: true }).waitFor();
      expect(await alert.innerText())
        .to.contain('validation_failed')
        .and.contain('Request id');
    });

    it('adds, moves and takes away items of a list, with the keyboard alone', async () => {
      const { page, faults } = await signedUp();
      const person = {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name' },
          age: { type: ['integer', 'null'], title: 'Age' },
        },
      };
      const schema = {
        type: 'object',
        required: ['people'],
        properties: { people: { title: 'People', type: 'array', items: { $ref: '#/$defs/person' } } },
        $defs: { person },
      };
      await publish(page, JSON.stringify(schema));
      const add = page.getByRole('button', { name: 'Add item' });
      for (const name of ['Ada', 'Grace', 'Joan']) {
        await add.focus();
        await page.keyboard.press('Enter');
        await page.keyboard.type(name);
      }
      await page.keyboard.press('Tab');
      await page.keyboard.type('36');
      await page.getByRole('button', { name: 'Move Item 3 up' }).press('Enter');
      await page.getByRole('button', { name: 'Remove Item 1' }).press('Enter');
      await until(async () => (await page.locator('.item').count()) === 2);
      await page.keyboard.press('Control+Enter');
      await page.locator('.result-card').getByText('success').waitFor();
      expect(upstream.requests.at(-1)!.body.input_data).to.deep.equal({
        people: [{ name: 'Joan', age: 36 }, { name: 'Grace' }],
      });
      expect(faults).to.deep.equal([]);
    });

    it('keeps what was entered while another tab is read, and over a reload', async () => {
      const { page } = await signedUp();
      await openAlgorithm(page, 'Language detection');
      const field = page.getByLabel('Text', { exact: true });
      await field.fill('Il pleure dans mon coeur.');
      await page.getByRole('link', { name: 'About', exact: true }).click();
      await page.getByRole('link', { name: 'Playground', exact: true }).click();
      expect(await field.inputValue()).to.equal('Il pleure dans mon coeur.');
      await until(async () => /Il pleure/.test(await page.evaluate('JSON.stringify(history.state)')));
      await page.reload();
      expect(await field.inputValue()).to.equal('Il pleure dans mon coeur.');
      expect(await page.evaluate('localStorage.length + sessionStorage.length')).to.be.lessThan(3);
      await page.getByRole('button', { name: 'Reset' }).click();
      expect(await field.inputValue()).not.to.equal('Il pleure dans mon coeur.');
    });

    it('has no accessibility fault and fits the screen, light, dark and on a phone, where Run stays at hand', async function () {
      this.timeout(300_000);
      const { page: first } = await signedUp();
      const storageState = await first.context().storageState();
      const looks: BrowserContextOptions[] = [
        {},
        { colorScheme: 'dark' },
        { viewport: { width: 390, height: 844 } },
      ];
      for (const look of looks) {
        const { page, faults } = await stage.open('/', { ...look, storageState });
        for (const name of ['Linear optimisation', 'Edge detection', 'Decision tree']) {
          await page.goto('/');
          await openAlgorithm(page, name);
          await page.locator('.input-card form').waitFor();
          expect(await accessibilityFaults(page), name).to.deep.equal([]);
          expect(await overflow(page), name).to.equal(0);
          expect(await isInView(page, 'Run'), name).to.equal(true);
          await mode(page, 'JSON').click();
          await page.getByRole('textbox', { name: 'JSON' }).waitFor();
          expect(await accessibilityFaults(page), `${name} as JSON`).to.deep.equal([]);
          expect(await overflow(page), `${name} as JSON`).to.equal(0);
        }
        expect(faults).to.deep.equal([]);
      }
    });
  },
  { EGRESS_ALLOW: '127.0.0.1' },
);

/** The id of the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.id');
}

async function isInView(page: Page, name: string): Promise<boolean> {
  const box = await page.getByRole('button', { name }).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= page.viewportSize()!.height;
}
