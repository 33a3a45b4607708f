import { expect } from 'chai';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import {
  asAdministrator,
  createUsers,
  lookAgain,
  sectionsOf,
  signedInAs,
  signInAgain,
} from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { allHands, type Hands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';
import { until } from '../support/until.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', title: 'A text', minLength: 1 } },
});
const OUTPUT_SCHEMA = { type: 'object', properties: { words: { type: 'integer' } } };

const mouse = allHands[0]!;

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: {},
  dark: { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 } },
  'in Chinese': { locale: 'zh-CN' },
};

describeConsole(
  'the algorithms in the administration',
  (stage) => {
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await startUpstream(({ body, path }) => ({
        words: path === '/wrong' ? 'many' : body.input_data.text.split(' ').length,
      }));
    });
    afterEach(() => upstream.stop());

    const editor = (within: Page | Locator, name: string) =>
      within.getByRole('textbox', { name, exact: true });
    const result = (page: Page) => page.getByRole('region', { name: 'What came back' });
    /** Replaces what the editor holds, as pasting does. */
    const paste = async (
      hands: Pick<Hands, 'press'>,
      page: Page,
      name: string,
      typed: string,
      within: Page | Locator = page,
    ): Promise<void> => {
      await hands.press(editor(within, name));
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(typed);
    };

    /** An algorithm with a version at the endpoint. */
    const made = async (
      { call }: Awaited<ReturnType<typeof asAdministrator>>,
      more: object = {},
    ): Promise<{ readonly id: string; readonly version: string }> => {
      const { id } = await call('POST', '/algorithms', {
        name: 'Word count',
        description: 'Counts words.',
        type: 'nlp',
        ...more,
      });
      const { id: version } = await call('POST', `/algorithms/${id}/versions`, {
        version: '1.0.0',
        url: upstream.url,
        input_schema: JSON.parse(INPUT_SCHEMA),
        output_schema: OUTPUT_SCHEMA,
      });
      return { id, version };
    };

    for (const hands of allHands) {
      it(`are added by pasting a URL and a schema, tried and published, ${hands.name}`, async () => {
        const visitor = await stage.open('/');
        const { page, faults } = await asAdministrator(stage, hands);
        await hands.goTo(page, 'Administration');
        await page.waitForURL(/\/administration\/algorithms$/);
        await hands.press(page.getByRole('link', { name: 'New algorithm' }));
        await hands.write(page.getByLabel('URL', { exact: true }), upstream.url);
        await hands.write(page.getByLabel('Name', { exact: true }), 'Word count');
        await hands.write(page.getByLabel('Type'), 'nlp');
        await hands.write(page.getByLabel('Description', { exact: true }), 'Counts the words of a text.');
        await hands.write(page.getByLabel('Tags'), 'text, counting');
        await paste(hands, page, 'Input', INPUT_SCHEMA);
        await hands.write(page.getByLabel('A text'), 'one two three');
        await hands.press(page.getByRole('button', { name: 'Test the URL' }));
        await result(page).getByText('success').waitFor();
        await result(page).getByText('3', { exact: true }).waitFor();
        expect(upstream.requests.at(-1)!.body.input_data).to.deep.equal({ text: 'one two three' });
        expect(await overflow(page)).to.equal(0);
        expect(await accessibilityFaults(page)).to.deep.equal([]);

        await hands.press(page.getByRole('button', { name: 'Publish' }));
        await page.getByRole('heading', { name: 'Word count', level: 1 }).waitFor();
        await page.waitForURL(/\/administration\/algorithms\/[-0-9a-f]{36}$/);

        await visitor.page.reload();
        await visitor.page.getByRole('searchbox').fill('word count');
        await visitor.page.getByText('1 algorithm', { exact: true }).waitFor();
        await visitor.page.getByRole('link', { name: 'Word count', exact: true }).click();
        // What was tried is its example.
        await visitor.page.getByLabel('A text').waitFor();
        expect(await visitor.page.getByLabel('A text').inputValue()).to.equal('one two three');
        expect([...faults, ...visitor.faults]).to.deep.equal([]);
      });
    }

    it('are tested before they are saved, and say why an endpoint does not do', async () => {
      const { page, faults } = await asAdministrator(stage);
      await page.goto('/administration/algorithms/new');
      await page.getByLabel('URL', { exact: true }).fill('ftp://models.example.org');
      await page.getByText('URL has the scheme "ftp"').waitFor();
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await result(page).getByText('Nothing was called').waitFor();

      await page.getByLabel('URL', { exact: true }).fill(`${upstream.url}/wrong`);
      await paste(mouse, page, 'Input', INPUT_SCHEMA);
      await page.getByLabel('A text').waitFor();
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await page.getByText('is needed').waitFor();
      await page.getByLabel('A text').fill('one two');
      await page.getByRole('group', { name: 'Schemas' }).getByRole('button', { name: 'Output' }).click();
      await paste(mouse, page, 'Output', JSON.stringify(OUTPUT_SCHEMA));
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await result(page).getByText('/words must be an integer.').waitFor();
      await result(page).getByText('many').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      await upstream.stop();
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await result(page).getByText('The algorithm cannot be reached').waitFor();
      expect(faults).to.deep.equal([]);
    });

    it('are tested with the first input again after Reset, also where its JSON was broken', async () => {
      const { page, faults } = await asAdministrator(stage);
      await page.goto('/administration/algorithms/new');
      await paste(mouse, page, 'Input', INPUT_SCHEMA);
      await page.getByLabel('A text').waitFor();
      const card = page.locator('.input-card');
      await card.getByRole('button', { name: 'JSON', exact: true }).click();
      const editor = card.getByRole('textbox', { name: 'JSON' });
      await editor.fill('{');
      const test = page.getByRole('button', { name: 'Test the URL' });
      await until(() => test.isDisabled());
      await card.getByRole('button', { name: 'Reset' }).click();
      await until(() => test.isEnabled());
      expect(await editor.textContent()).to.contain('input_data');
      expect(faults).to.deep.equal([]);
    });

    it('ask before what was entered is lost, and only then', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id, version } = await made(admin);
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      const section = () => page.getByRole('link', { name: 'Users', exact: true });

      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      await page.getByLabel('URL', { exact: true }).fill(`${upstream.url}/other`);
      await section().click();
      await question.getByText('Cancel').click();
      expect(await page.getByLabel('URL', { exact: true }).inputValue()).to.equal(`${upstream.url}/other`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The version was changed').waitFor();
      await section().click();
      await page.waitForURL(/\/administration\/users$/);

      await page.getByRole('link', { name: 'Algorithms', exact: true }).click();
      await page.getByRole('link', { name: 'Word count', exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill('Another name');
      await page.goBack();
      await question.waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await question.getByText('Cancel').click();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Another name');
      await section().click();
      await question.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL(/\/administration\/users$/);
      await page.goto(`/administration/algorithms/${id}`);
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Word count');
      await section().click();
      await page.waitForURL(/\/administration\/users$/);
      expect(faults).to.deep.equal([]);
    });

    it('name the faults of a schema at their places, and are saved when there are none', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id, version } = await made(admin);
      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      const typed = '{\n  "type": "object",\n  "properties": {\n    "n": { "type": "whole" }\n  }\n}';
      await paste(mouse, page, 'Input', typed.slice(0, -1));
      await page.getByText(/^This is not JSON yet: look at line [56]/).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('This is no JSON object yet: Input.').waitFor();

      await paste(mouse, page, 'Input', typed);
      const line = page.getByRole('listitem').filter({ hasText: '/properties/n/type' });
      await line.getByRole('button', { name: 'Line 4' }).click();
      await page.keyboard.insertText('!');
      expect(await editor(page, 'Input').innerText()).to.contain('"type": !"whole"');
      await page.keyboard.press('Control+Z');
      await page.getByText('The schema has errors; this is the form').waitFor();
      await page.locator('.cm-lintRange-error').waitFor();
      await page.getByRole('button', { name: 'Input · 1 error' }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('The version is invalid').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      await paste(mouse, page, 'Input', typed.replace('whole', 'integer'));
      await page.getByLabel(/^n\b/).fill('4');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The version was changed.').waitFor();
      const { versions } = await admin.call('GET', `/algorithms/${id}`);
      expect(versions[0].input_schema.properties).to.deep.equal({ n: { type: 'integer' } });
      expect(versions[0].output_schema).to.deep.equal(OUTPUT_SCHEMA);
      expect(faults).to.deep.equal([]);
    });

    it('are duplicated as drafts with their versions and examples, and published later', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id, version } = await made(admin, { readme: '# How it counts', tags: ['text'] });
      await admin.call('POST', `/algorithms/${id}/versions/${version}/examples`, {
        name: 'Two words',
        input_data: { text: 'one two' },
        output_data: { words: 2 },
      });
      await page.goto(`/administration/algorithms/${id}`);
      await page.getByRole('button', { name: 'Duplicate' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('Name').inputValue()).to.equal('Copy of Word count');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Duplicate' }).click();
      await page.getByRole('heading', { name: 'Copy of Word count', level: 1 }).waitFor();
      const copyId = new URL(page.url()).pathname.split('/').at(-1)!;
      const copy = await admin.call('GET', `/algorithms/${copyId}`);
      expect(copy).to.include({ status: 'inactive', access: 'private', readme: '# How it counts' });
      const [copied] = copy.versions;
      expect(copied).to.deep.include({ version: '1.0.0', url: upstream.url, output_schema: OUTPUT_SCHEMA });
      const examples = await admin.call('GET', `/algorithms/${copyId}/versions/${copied.id}/examples`);
      expect(examples).to.have.lengthOf(1);
      expect(examples[0]).to.deep.include({ name: 'Two words', output_data: { words: 2 }, is_default: true });

      const visitor = await stage.open('/?q=copy+of');
      await visitor.page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await dialog.getByRole('radio', { name: /^Open/ }).check();
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('active', { exact: true }).first().waitFor();
      await visitor.page.reload();
      await visitor.page.getByRole('link', { name: 'Copy of Word count' }).waitFor();
      expect(faults).to.deep.equal([]);
    });

    it('are described, with a readme that is looked at before it is saved', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id } = await made(admin);
      await page.goto(`/administration/algorithms/${id}`);
      await page.getByLabel('Name', { exact: true }).fill('Words');
      await page.getByLabel('Tags').fill('text，counting');
      await page.getByLabel('Text in Markdown').fill('# How\n\nBy *spaces*.');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'How', exact: true }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.getByLabel('Status').selectOption('deprecated');
      // What somebody else changes meanwhile stays.
      await admin.call('PUT', `/algorithms/${id}`, { description: 'Counts them.' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The algorithm was changed.').waitFor();
      expect(await admin.call('GET', `/algorithms/${id}`)).to.deep.include({
        name: 'Words',
        description: 'Counts them.',
        readme: '# How\n\nBy *spaces*.',
        tags: ['text', 'counting'],
        status: 'deprecated',
        access: 'open',
      });
      await page.getByLabel('Name', { exact: true }).fill(' ');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/^Name must/).waitFor();

      await page.getByRole('button', { name: 'Delete the algorithm' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('Words');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the algorithm' }).click();
      await page.waitForURL(/\/administration\/algorithms$/);
      expect(faults).to.deep.equal([]);
    });

    it('show what somebody else has changed meanwhile where nothing was entered', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id, version } = await made(admin);
      const field = (name: string) => page.locator(`input[name=${name}]`);
      await page.clock.install();
      await page.goto(`/administration/algorithms/${id}`);
      await field('name').waitFor();
      await admin.call('PUT', `/algorithms/${id}`, { name: 'Words', tags: ['text'] });
      await lookAgain(page);
      await until(async () => (await field('name').inputValue()) === 'Words');
      expect(await field('tags').inputValue()).to.equal('text');
      await field('name').fill('Word counter');
      await admin.call('PUT', `/algorithms/${id}`, { name: 'Counter', tags: ['text', 'words'] });
      await lookAgain(page);
      await page.getByRole('heading', { name: 'Counter', level: 1 }).waitFor();
      expect(await field('name').inputValue()).to.equal('Word counter');
      await field('name').press('Enter');
      await page.getByRole('heading', { name: 'Word counter', level: 1 }).waitFor();
      expect((await admin.call('GET', `/algorithms/${id}`)).tags).to.deep.equal(['text', 'words']);
      expect(await page.evaluate('document.activeElement.name')).to.equal('name');

      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      await field('version').waitFor();
      await admin.call('PUT', `/algorithms/${id}/versions/${version}`, { version: '1.0.1' });
      await lookAgain(page);
      await until(async () => (await field('version').inputValue()) === '1.0.1');
      expect(faults).to.deep.equal([]);
    });

    it('have a new version from an old one, which becomes the default for others', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id } = await made(admin);
      const visitor = await stage.open(`/algorithms/${id}?tab=versions`);
      await page.goto(`/administration/algorithms/${id}?tab=versions`);
      await page.getByRole('link', { name: 'Duplicate 1.0.0' }).click();
      await page.getByRole('heading', { name: 'New version' }).waitFor();
      expect(await page.getByLabel('URL', { exact: true }).inputValue()).to.equal(upstream.url);
      await page.getByLabel('Version', { exact: true }).fill('1.0.0');
      await page.getByRole('button', { name: 'Create the version' }).click();
      await page.getByText('Version must be unique within the algorithm.').waitFor();
      await page.getByLabel('Version', { exact: true }).fill('2.0.0');
      await page.getByRole('button', { name: 'Create the version' }).click();
      await page.getByRole('heading', { name: '2.0.0', level: 1 }).waitFor();

      await visitor.page.reload();
      const row = visitor.page.getByRole('row', { name: /^2\.0\.0/ });
      await row.waitFor();
      expect(await row.getByText('default').count()).to.equal(0);
      await page.getByRole('button', { name: 'Make 2.0.0 the default' }).click();
      await page.locator('.badge', { hasText: 'default' }).first().waitFor();
      await visitor.page.reload();
      await row.getByText('default').waitFor();

      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.waitForURL(/tab=versions/);
      await page.getByRole('row', { name: /^1\.0\.0 default/ }).waitFor();
      expect(faults).to.deep.equal([]);
    });

    it('have a new version with the examples that it accepts', async () => {
      const admin = await asAdministrator(stage);
      const { page } = admin;
      const { id, version } = await made(admin);
      for (const text of ['one', 'one two']) {
        const example = { name: text, input_data: { text } };
        await admin.call('POST', `/algorithms/${id}/versions/${version}/examples`, example);
      }
      await page.goto(`/administration/algorithms/${id}/versions/new?from=${version}`);
      await page.getByLabel('Version', { exact: true }).fill('2.0.0');
      await paste(mouse, page, 'Input', INPUT_SCHEMA.replace('"minLength":1', '"minLength":5'));
      await page.getByRole('button', { name: 'Create the version' }).click();
      await page.getByRole('heading', { name: '2.0.0', level: 1 }).waitFor();
      await page.getByRole('row', { name: /^one two/ }).waitFor();
      const [{ id: next }] = (await admin.call('GET', `/algorithms/${id}`)).versions;
      const examples = await admin.call('GET', `/algorithms/${id}/versions/${next}/examples`);
      expect(examples.map(({ name }: { name: string }) => name)).to.deep.equal(['one two']);
    });

    it('have no half of a new version whose examples could not be saved', async () => {
      const admin = await asAdministrator(stage);
      const { page } = admin;
      const { id, version } = await made(admin);
      const example = { name: 'One', input_data: { text: 'one' } };
      await admin.call('POST', `/algorithms/${id}/versions/${version}/examples`, example);
      await page.goto(`/administration/algorithms/${id}/versions/new?from=${version}`);
      await page.getByLabel('Version', { exact: true }).fill('2.0.0');
      let refused = 0;
      await page.route('**/examples', (route) =>
        route.request().method() === 'POST' && (refused += 1) === 1
          ? route.fulfill({
              status: 429,
              json: { code: 'rate_limited', title: 'Too many', detail: 'Later.' },
            })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Create the version' }).click();
      await page.getByRole('alert').getByText('Later.').waitFor();
      expect((await admin.call('GET', `/algorithms/${id}`)).versions).to.have.lengthOf(1);
      await page.getByRole('button', { name: 'Create the version' }).click();
      await page.getByRole('heading', { name: '2.0.0', level: 1 }).waitFor();
      await page.getByRole('row', { name: /^One/ }).waitFor();
    });

    it('have examples with what is expected and how far it may be', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id, version } = await made(admin);
      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      await page.getByRole('button', { name: 'New example' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Two');
      await paste(mouse, page, 'Input', '{ "wrong": 1 }', dialog);
      await dialog.getByRole('button', { name: 'Expected output' }).click();
      await paste(mouse, page, 'Expected output', '{ "words": 2 }', dialog);
      await dialog.getByLabel('Percent').fill('5');
      await dialog.getByRole('button', { name: 'Parameters' }).click();
      await paste(mouse, page, 'Parameters', '{ "broken": ', dialog);
      await dialog.getByRole('button', { name: 'Expected output' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('This is no JSON object yet: Parameters.').waitFor();
      await dialog.getByRole('button', { name: 'Parameters' }).click();
      await paste(mouse, page, 'Parameters', '{}', dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('The version does not accept this example').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Input' }).click();
      await dialog.getByRole('listitem').filter({ hasText: '/text is required' }).first().waitFor();
      await paste(mouse, page, 'Input', '{ "text": "one two" }', dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('row', { name: /^Two default/ })
        .getByText('the saved output ± 5 %')
        .waitFor();
      const examples = `/algorithms/${id}/versions/${version}/examples`;
      expect((await admin.call('GET', examples))[0]).to.deep.include({
        input_data: { text: 'one two' },
        output_data: { words: 2 },
        tolerance: { relative: 0.05 },
      });

      await page.getByLabel('A text').fill('one two three four');
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await page.getByRole('button', { name: 'Save as an example' }).click();
      await dialog.getByLabel('Name').fill('Four');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /^Four/ }).waitFor();
      await page.getByRole('button', { name: 'Make Four the default' }).click();
      await page.getByRole('row', { name: /^Four default/ }).waitFor();
      await page.getByRole('button', { name: 'Delete Two' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('row', { name: /^Two/ }).waitFor({ state: 'detached' });
      expect((await admin.call('GET', examples)).map(({ name }: { name: string }) => name)).to.deep.equal([
        'Four',
      ]);
      expect(faults).to.deep.equal([]);
    });

    it('are changed by those who manage them, who see nothing else of the administration', async () => {
      const admin = await asAdministrator(stage);
      const { id, version } = await made(admin);
      const { grace } = await createUsers(admin, 'grace');
      const { page, faults } = await signedInAs(stage, 'grace');
      await page.goto(`/administration/algorithms/${id}`);
      await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
      await page.goto(`/algorithms/${id}`);
      await page.getByRole('heading', { name: 'Word count' }).waitFor();
      expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).to.equal(0);

      await admin.call('POST', '/permissions/grants', {
        algorithm_id: id,
        user_id: grace!.id,
        permission_type: 'manage',
      });
      await page.goto(`/algorithms/${id}`);
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill('Words');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
      expect(await sectionsOf(page).count()).to.equal(0);
      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      await page.getByLabel('A text').fill('one two');
      await page.getByRole('button', { name: 'Test the URL' }).click();
      await result(page).getByText('success').waitFor();
      await page.goto('/administration/algorithms');
      await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
      expect(faults).to.deep.equal([]);
    });

    it('keep what those who manage them entered when their session has ended', async () => {
      const admin = await asAdministrator(stage);
      const { id, version } = await made(admin);
      const { grace } = await createUsers(admin, 'grace');
      const grant = { algorithm_id: id, user_id: grace!.id, permission_type: 'manage' };
      await admin.call('POST', '/permissions/grants', grant);
      const { page } = await signedInAs(stage, 'grace');
      await page.goto(`/administration/algorithms/${id}/versions/${version}`);
      const url = page.getByLabel('URL', { exact: true });
      await url.fill(`${upstream.url}/other`);
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await signInAgain(page, 'grace');
      expect(await url.inputValue()).to.equal(`${upstream.url}/other`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The version was changed').waitFor();
    });

    it('keep a user signed in who chose to stay because of unsaved changes', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      const { id } = await made(admin);
      await page.goto(`/administration/algorithms/${id}`);
      await page.getByLabel('Name', { exact: true }).fill('Words');
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByText('Cancel').click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The algorithm was changed.').waitFor();
      await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
      await page.getByRole('link', { name: 'Words', exact: true }).waitFor();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('link', { name: 'Account', exact: true }).click();
      await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
      await page.getByText('this one', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
      expect((await page.request.get('/api/v1/users/me')).status()).to.equal(401);
      expect(faults).to.deep.equal([]);
    });

    it('are found by words and filters, which the address keeps', async () => {
      const admin = await asAdministrator(stage);
      const { page, faults } = admin;
      await made(admin, { status: 'deprecated', tags: ['counting'] });
      const rows = page.getByRole('table', { name: 'Algorithms' }).locator('tbody tr');
      await page.goto('/administration/algorithms');
      await page.getByRole('searchbox').fill('count');
      await page.waitForURL(/q=count/);
      await page.getByLabel('Status').selectOption('deprecated');
      await page.getByLabel('Tag', { exact: true }).selectOption('counting');
      await page.getByLabel('Type').selectOption('nlp');
      await page.getByText('1 algorithm', { exact: true }).waitFor();
      await page.reload();
      await page.getByText('1 algorithm', { exact: true }).waitFor();
      expect(await page.getByLabel('Tag', { exact: true }).inputValue()).to.equal('counting');
      await page.getByLabel('Status').selectOption('inactive');
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await rows.nth(5).waitFor();
      await rows.first().getByRole('link', { name: 'Word count' }).click();
      await page.getByRole('heading', { name: 'Word count', level: 1 }).waitFor();
      expect(faults).to.deep.equal([]);
    });

    it('are administered in every look and in Chinese', async () => {
      const admin = await asAdministrator(stage);
      const { id, version } = await made(admin, { readme: '# How' });
      const storageState = await admin.page.context().storageState();
      const screens = {
        algorithms: 'tbody tr a',
        'algorithms/new': '.cm-content',
        [`algorithms/${id}`]: '.readme',
        [`algorithms/${id}?tab=versions`]: 'tbody tr',
        [`algorithms/${id}/versions/${version}`]: '.cm-content',
        [`algorithms/${id}/versions/new`]: '.cm-content',
      };
      for (const [look, options] of Object.entries(LOOKS)) {
        const { page, faults } = await stage.open('/', { ...options, storageState });
        for (const [path, shown] of Object.entries(screens)) {
          await page.goto(`/administration/${path}`);
          await page.locator(shown).first().waitFor();
          expect(await accessibilityFaults(page), `${path} ${look}`).to.deep.equal([]);
          expect(await overflow(page), `${path} ${look}`).to.equal(0);
        }
        expect(faults).to.deep.equal([]);
      }
    });
  },
  { EGRESS_ALLOW: '127.0.0.1' },
);
