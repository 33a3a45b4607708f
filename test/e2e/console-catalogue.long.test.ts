import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { EXAMPLE_ALGORITHM_ID, EXAMPLE_VERSION_ID } from '../../plugins/catalogue/contract.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, run, tabTo } from '../support/console.ts';

const SAMPLE = `/algorithms/${EXAMPLE_ALGORITHM_ID}`;
const VERSION = `${SAMPLE}/versions/${EXAMPLE_VERSION_ID}`;

describeConsole('the catalogue in a browser', (stage) => {
  const facet = (page: Page, name: string) => page.locator('aside').getByRole('checkbox', { name });
  const shown = (page: Page, count: string) =>
    page.getByRole('status').getByText(count, { exact: true }).waitFor();
  const query = (page: Page) => new URL(page.url()).searchParams;

  it('keeps search, facets, order, view and size in the address, and Back undoes each', async () => {
    const { page, faults } = await stage.open();
    await shown(page, '16 algorithms');
    await facet(page, 'Language').check();
    await shown(page, '4 algorithms');
    await facet(page, 'Time series').check();
    await shown(page, '7 algorithms');
    expect(query(page).getAll('type')).to.deep.equal(['nlp', 'time_series']);
    await facet(page, 'text').check();
    await shown(page, '4 algorithms');
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
    const rows = page.locator('tbody th a');
    await page.locator('th[aria-sort="descending"]').waitFor();
    expect(await rows.allTextContents()).to.deep.equal([
      'Text summary',
      'Text similarity',
      'Language detection',
      'Keyword extraction',
    ]);
    await page.goBack();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    await page.goBack();
    await page.locator('.algorithm-card').first().waitFor();
    await page.goBack();
    await shown(page, '7 algorithms');

    const { page: other } = await stage.open(page.url());
    await shown(other, '7 algorithms');
    expect(await facet(other, 'Time series').isChecked()).to.equal(true);
    await other.getByRole('link', { name: 'Remove the filter Language' }).click();
    await shown(other, '3 algorithms');
    expect(faults).to.deep.equal([]);
  });

  it('shows the page in one request, and nothing jumps when it comes', async () => {
    const { page } = await stage.open('/?q=none');
    await page.getByText('Nothing matches').waitFor();
    const asked: Route[] = [];
    await page.route('**/api/v1/algorithms?*', (route) => void asked.push(route));
    for (const [path, place] of [
      ['/', '.algorithm-card'],
      ['/?view=table', 'tbody tr'],
    ] as const) {
      asked.length = 0;
      await page.goto(path);
      await page.locator('[aria-busy=true]').first().waitFor();
      const before = await page.locator(place).first().boundingBox();
      await asked[0]!.continue();
      await page.getByText('Not called yet').or(page.locator('tbody th')).first().waitFor();
      const after = await page.locator(place).first().boundingBox();
      expect(asked.length, path).to.equal(1);
      expect([after!.x, after!.y], path).to.deep.equal([before!.x, before!.y]);
      expect(Math.abs(after!.height - before!.height), path).to.be.below(2);
    }
  });

  it('counts calls and successes, and sorts by them', async () => {
    const { page } = await stage.open('/register');
    await stage.signUp(page);
    await openAlgorithm(page, 'Text summary');
    await run(page);
    await page.getByText('success').first().waitFor();
    await page.goto('/?sort=-calls');
    const first = page.locator('.algorithm-card').first();
    await first.getByText('1 call', { exact: true }).waitFor();
    expect(await first.innerText())
      .to.contain('Text summary')
      .and.contain('100% ok');
    await first.getByRole('img', { name: '1 call in the last 30 days, at most 1 on a day' }).waitFor();
  });

  it('says which filter leaves nothing, and what is there without it', async () => {
    const { page } = await stage.open('/?type=nlp&tags=text&q=zzz');
    await page.getByRole('link', { name: 'Without “zzz”: 4' }).click();
    await shown(page, '4 algorithms');
    await page.goto('/?page=9');
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await shown(page, '16 algorithms');
  });

  it('is used with the keyboard alone', async () => {
    const { page, faults } = await stage.open();
    await shown(page, '16 algorithms');
    await page.keyboard.press('/');
    await page.keyboard.type('series');
    await page.waitForURL(/q=series/);
    await tabTo(page, 'seasons2');
    await page.keyboard.press('Space');
    await shown(page, '2 algorithms');
    await tabTo(page, 'Seasonal forecast');
    await page.keyboard.press('Enter');
    await page.getByText('Example result').waitFor();
    await page.goBack();
    await shown(page, '2 algorithms');
    expect(faults).to.deep.equal([]);
  });

  it('shows what an example answers without an account, and that it is no run of one’s own', async () => {
    const { page } = await stage.open(SAMPLE);
    const result = page.locator('.result-card');
    await result.getByText('It is not a run of yours').waitFor();
    await result.locator('.scores').getByText('German').waitFor();
    await page.getByRole('link', { name: 'A Portuguese sentence' }).click();
    await result.locator('.scores').getByText('Portuguese').waitFor();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.contain(
      'Todos os seres humanos',
    );
    expect(query(page).get('example')).to.be.a('string');
    await page.getByRole('textbox', { name: 'Text' }).fill('Il pleure dans mon coeur.');
    await result.getByText('this is the result of the example').waitFor();
    await page.goBack();
    await result.locator('.scores').getByText('German').waitFor();
  });

  it('keeps the focus on the way to the last page', async () => {
    const { page } = await stage.open('/register');
    await stage.signUp(page);
    const headers = { Origin: stage.service.url };
    for (let n = 0; n < 10; n += 1) {
      const data = { name: `Another ${n}`, description: 'One of many.', type: 'ml' };
      await page.request.post('/api/v1/algorithms', { data, headers });
    }
    await page.goto('/');
    await page.getByRole('link', { name: 'Next' }).press('Enter');
    await page.getByText('Page 2 of 2').waitFor();
    await shown(page, '25–26 of 26 algorithms');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Next');
  });

  it('lets those who manage an algorithm keep a call as an example, and nobody else', async () => {
    const { page, faults } = await stage.open('/register');
    await stage.signUp(page);
    await page.goto(SAMPLE);
    await run(page);
    const call = await page.getByRole('link', { name: 'Open the call' }).getAttribute('href');
    await page.getByRole('button', { name: 'Save as an example' }).click();
    await page.getByLabel('Name').fill('Of my own');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Saved as the example “Of my own”' }).click();
    await page.locator('.result-card').getByText('It is not a run of yours').waitFor();

    await page.getByRole('link', { name: /^Versions/ }).click();
    const own = page.locator('.example-list li').filter({ hasText: 'Of my own' });
    await own.getByRole('button', { name: 'Make it the default' }).click();
    await own.getByText('default', { exact: true }).waitFor();
    await own.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Renamed');
    await page.keyboard.press('Enter');
    const renamed = page.locator('.example-list li').filter({ hasText: 'Renamed' });
    await renamed.waitFor();
    // The version changes so that it does not accept its examples any more.
    const input_schema = { type: 'object', required: ['words'], properties: { words: { type: 'string' } } };
    expect(await send(page, 'PUT', VERSION, { input_schema })).to.have.nested.property(
      'unfit_examples.length',
      3,
    );
    await page.reload();
    await renamed.getByText('no longer fits').waitFor();
    await page.goto(call!);
    await page.getByRole('button', { name: 'Save as an example' }).click();
    await page.getByLabel('Name').fill('Too old');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The version does not accept this example').waitFor();

    await page.goto(`${SAMPLE}?tab=versions`);
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await renamed.waitFor({ state: 'detached' });

    const { page: others } = await stage.open(`${SAMPLE}?tab=versions`);
    await others.getByText('A German verse').waitFor();
    expect(await others.getByRole('button', { name: /Edit|Delete/ }).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('shows headings of one level in a readme alike, below those of the page', async () => {
    const { page } = await stage.open('/');
    await openAlgorithm(page, 'Seasonal forecast');
    await page.getByRole('link', { name: 'About' }).click();
    await page.locator('.markdown h2').first().waitFor();
    const headings = await page
      .locator('.markdown :is(h1, h2, h3, h4)')
      .evaluateAll((all) => all.map((each) => `${each.tagName} ${each.textContent}`));
    expect(headings).to.deep.equal(['H2 When to use it', 'H2 When not', 'H2 How it works']);
  });

  it('runs no markup of names, tags, readmes and examples, and asks no other server', async () => {
    const { page, faults } = await stage.open('/register');
    await stage.signUp(page);
    const markup = '<img src=x onerror="window.broken = 1">';
    const readme = [
      markup,
      '<script>window.broken = 1</script>',
      '[bad](javascript:window.broken=1) ![tracker](https://tracker.example.org/a.png)',
      `| ${markup} |`,
      '|-|',
      `> - ${markup}`,
      `# ${markup}`,
      '```html',
      markup,
      '```',
      '[![badge](https://tracker.example.org/b.png)](https://example.org)',
    ].join('\n\n');
    const algorithm = await send(page, 'POST', '/algorithms', {
      name: markup,
      description: markup,
      type: markup,
      tags: [markup],
      readme,
    });
    const version = await send(page, 'POST', `/algorithms/${algorithm.id}/versions`, {
      version: markup,
      url: 'plugin:samples/language-detection',
    });
    await send(page, 'POST', `/algorithms/${algorithm.id}/versions/${version.id}/examples`, {
      name: markup,
      description: markup,
      input_data: { [markup]: markup },
      output_data: { [markup]: markup },
    });
    for (const path of ['/', '/?view=table']) {
      await page.goto(path);
      await page.getByRole('link', { name: markup, exact: true }).waitFor();
    }
    for (const tab of ['', '?tab=versions', '?tab=api', '?tab=about']) {
      await page.goto(`/algorithms/${algorithm.id}${tab}`);
      await page.getByRole('heading', { name: markup }).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.getByRole('link', { name: 'tracker' }).waitFor();
    const links = await page.locator('.markdown a').evaluateAll((all) => all.map((each) => each.outerHTML));
    expect(links.length).to.equal(2);
    for (const link of links)
      expect(link)
        .to.match(/href="https:/)
        .and.contain('rel="noopener noreferrer"');
    expect(await page.evaluate('window.broken')).to.equal(undefined);
    expect(await page.locator('.markdown img, .markdown script').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('is no wider for a word without end in names, descriptions, types and tags', async function () {
    this.timeout(300_000);
    const { page: first } = await stage.open('/register');
    await stage.signUp(first);
    const word = (length: number) => 'Donaudampfschifffahrt'.repeat(500).slice(0, length);
    const input_schema = {
      type: 'object',
      properties: { text: { type: 'string', title: word(300), description: word(900) } },
    };
    const about = { name: word(200), description: word(5_000), type: word(100), tags: [word(50)] };
    const { id } = await send(first, 'POST', '/algorithms', { ...about, readme: word(2_000) });
    const version = await send(first, 'POST', `/algorithms/${id}/versions`, {
      version: word(50),
      url: 'plugin:samples/language-detection',
      is_default: true,
      input_schema,
    });
    const example = { name: word(200), description: word(900), input_data: { text: word(2_000) } };
    await send(first, 'POST', `/algorithms/${id}/versions/${version.id}/examples`, {
      ...example,
      output_data: { [word(200)]: word(2_000), languages: [{ label: word(200), score: 1 }] },
    });
    const call = await send(first, 'POST', '/algorithms/call', {
      algorithm_id: id,
      version_id: version.id,
      input_data: { text: word(2_000) },
    });
    const storageState = await first.context().storageState();
    const tooWide: string[] = [];
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { page } = await stage.open('/', { viewport, storageState });
      const tabs = ['', '?tab=about', '?tab=api', '?tab=versions', '?tab=history', '?tab=performance'];
      const paths = [
        '/',
        '/?view=table',
        `/?tags=${word(50)}`,
        ...tabs.map((tab) => `/algorithms/${id}${tab}`),
        `/calls/${call.id}`,
        '/history',
        `/history?open=${call.id}`,
        '/statistics',
      ];
      for (const path of paths) {
        await page.goto(path);
        await page.getByText(word(40)).first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        const wider = await overflow(page);
        if (wider > 0) tooWide.push(`${path} at ${viewport.width}: ${wider}`);
      }
    }
    expect(tooWide).to.deep.equal([]);
  });

  it('has no accessibility fault, light, dark and on a phone, where the filters are in a dialog', async function () {
    this.timeout(300_000);
    const { page: first } = await stage.open('/register');
    await stage.signUp(first);
    const storageState = await first.context().storageState();
    for (const look of [{}, { colorScheme: 'dark' }, { viewport: { width: 390, height: 844 } }] as const) {
      const { page, faults } = await stage.open('/', { ...look, storageState });
      const check = async (what: string): Promise<void> => {
        expect(await accessibilityFaults(page), what).to.deep.equal([]);
        expect(await overflow(page), what).to.equal(0);
      };
      for (const [path, ready] of [
        ['/', '16 algorithms'],
        ['/?view=table&sort=-calls', '16 algorithms'],
        ['/?type=ml&q=zzz', 'Nothing matches'],
        [SAMPLE, 'It is not a run of yours'],
        [`${SAMPLE}?tab=about`, 'When to use it'],
        [`${SAMPLE}?tab=api`, 'Get an API key'],
        [`${SAMPLE}?tab=versions`, 'A Portuguese sentence'],
      ] as const) {
        await page.goto(path);
        await page.getByText(ready).first().waitFor();
        await check(path);
      }
      await page.getByRole('button', { name: 'Edit' }).first().click();
      await check('the dialog of an example');
      if ('viewport' in look) {
        await page.goto('/');
        await page.getByRole('button', { name: 'Filters' }).click();
        await page.getByRole('checkbox', { name: 'Language' }).check();
        await check('the dialog of filters');
        await page.getByRole('button', { name: 'Show 4 algorithms' }).click();
        await shown(page, '4 algorithms');
        // The cards begin on the first screen.
        expect((await page.locator('.algorithm-card').first().boundingBox())!.y).to.be.below(400);
      }
      expect(faults).to.deep.equal([]);
    }
  });
});

interface Answer {
  readonly id: string;
}

/** Sends a request of the signed-in page to the API. */
async function send(page: Page, method: string, path: string, body: unknown): Promise<Answer> {
  return await page.evaluate(async ([url, init]) => (await (await fetch(url, init)).json()) as Answer, [
    `/api/v1${path}`,
    { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  ] as const);
}
