import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow, tabTo } from '../support/console.ts';
import { until } from '../support/until.ts';

const FRENCH = 'Il pleure dans mon coeur comme il pleut sur la ville.';
const GERMAN = 'Wer reitet so spät durch Nacht und Wind?';

/** Sends a request with the session of the browser. */
const send = async (page: Page, path: string, data: object): Promise<{ readonly id: string }> => {
  const headers = { Origin: new URL(page.url()).origin };
  const answer = await page.request.post(`/api/v1${path}`, { data, headers });
  return (await answer.json()) as { id: string };
};

/** Calls for a history that is not empty. */
const callAs = async (
  page: Page,
  name: string,
  inputs: readonly object[],
  params: object = {},
): Promise<string[]> => {
  const { algorithms } = await (await page.request.get('/api/v1/algorithms?limit=100')).json();
  const { id: algorithm_id } = algorithms.find((each: { name: string }) => each.name === name);
  const ids: string[] = [];
  for (const input_data of inputs) {
    const body = { algorithm_id, version_id: 'default', input_data, params };
    ids.push((await send(page, '/algorithms/call', body)).id);
  }
  return ids;
};

/** An algorithm whose endpoint is away, so that its calls fail. */
const addBroken = async (page: Page): Promise<string> => {
  const { id } = await send(page, '/algorithms', { name: 'Broken', description: 'It is away.', type: 'ml' });
  await send(page, `/algorithms/${id}/versions`, { version: '1', url: 'http://127.0.0.1:9/' });
  return id;
};

const texts = (...all: string[]): object[] => all.map((text) => ({ text }));

describeConsole('the history and the statistics in a browser', (stage) => {
  const signedIn = async (path = '/') => {
    const watched = await stage.open('/register');
    await stage.signUp(watched.page);
    if (path !== '/') await watched.page.goto(path);
    return watched;
  };
  const rows = (page: Page) => page.locator('tbody tr');

  it('says of a call that it runs, until it has ended', async () => {
    const { page, faults } = await signedIn();
    const [id] = await callAs(page, 'Language detection', texts(FRENCH));
    let asked = 0;
    await page.route(`**/api/v1/algorithms/calls/${id}`, async (route) => {
      const response = await route.fetch();
      const isFirst = (asked += 1) === 1;
      const running = { ...(await response.json()), status: 'running', output_data: null };
      await route.fulfill({ response, ...(isFirst && { json: running }) });
    });
    await page.goto(`/calls/${id}`);
    await page.getByText('It has not ended yet.').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByText('success', { exact: true }).first().waitFor();
    await page.getByText('It has not ended yet.').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
  });

  it('filters calls in the address, so that a link and Back show the same', async () => {
    const { page, faults } = await signedIn();
    await addBroken(page);
    await callAs(page, 'Language detection', texts(FRENCH, GERMAN));
    await callAs(page, 'Broken', [{}]);
    await page.goto('/history');
    await page.getByText('3 calls', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('1 call', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).to.equal('failed');
    await page.getByLabel('Algorithm').selectOption('Language detection');
    await page.getByText('No call matches').waitFor();
    await page.goBack();
    await page.getByText('1 call', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).to.equal('failed');
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('Time').selectOption('Choose days …');
    await page.getByLabel('From').fill('2099-01-01');
    await page.getByText('No call matches').waitFor();
    await page.reload();
    await page.getByText('No call matches').waitFor();
    expect(await page.getByLabel('From').inputValue()).to.equal('2099-01-01');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('3 calls', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('goes through pages, and back', async () => {
    const { page } = await signedIn();
    await callAs(page, 'Language detection', texts(...Array<string>(30).fill(GERMAN)));
    await page.goto('/history');
    await page.getByText('30 calls', { exact: true }).waitFor();
    expect(await rows(page).count()).to.equal(25);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('button', { name: 'Newest' }).waitFor();
    await page.waitForFunction('document.querySelectorAll("tbody tr").length === 5');
    await page.goBack();
    await page.waitForFunction('document.querySelectorAll("tbody tr").length === 25');
  });

  it('opens a call beside the list, with the keyboard alone, and returns to it', async () => {
    const { page, faults } = await signedIn();
    const [id] = await callAs(page, 'Language detection', texts(FRENCH, GERMAN));
    await page.goto('/history');
    await page.getByText('2 calls', { exact: true }).waitFor();
    await tabTo(page, 'Language detection');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText(GERMAN).first().waitFor();
    await panel.getByText('Request id').waitFor();
    await panel.getByRole('button', { name: 'Older call' }).click();
    await panel.getByText(FRENCH).first().waitFor();
    expect(new URL(page.url()).searchParams.get('open')).to.equal(id);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.searchParams.has('open'));
    await page.goto(`/history?open=${id}`);
    await panel.getByText(FRENCH).first().waitFor();
    await panel.getByRole('link', { name: 'Run again' }).click();
    await page.waitForURL(/\/algorithms\//);
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal(FRENCH);
    expect(faults).to.deep.equal([]);
  });

  it('compares two calls, and shows only what differs', async () => {
    const { page, faults } = await signedIn();
    await callAs(page, 'Language detection', texts(FRENCH, GERMAN), { max_candidates: 1 });
    await page.goto('/history');
    await page.getByText('2 calls', { exact: true }).waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'Compare two calls' }).waitFor();
    const input = page.getByRole('region', { name: 'Input' });
    await input.getByText('/text', { exact: true }).waitFor();
    expect(await input.innerText())
      .to.contain(FRENCH)
      .and.contain(GERMAN);
    await page.getByText('No difference').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.reload();
    await input.getByText('/text', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('downloads what is filtered, as a table and as lines of JSON', async () => {
    const { page } = await signedIn();
    await addBroken(page);
    await callAs(page, 'Language detection', texts(FRENCH));
    await callAs(page, 'Broken', [{}]);
    await page.goto('/history?status=success');
    await page.getByText('1 call', { exact: true }).waitFor();
    for (const [format, file] of [
      ['CSV', 'calls.csv'],
      ['NDJSON', 'calls.ndjson'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(file);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      expect(text).to.contain(FRENCH).and.not.contain('failed');
    }
  });

  it('shows statistics of a time that the address names, as a chart and as a table', async () => {
    const { page, faults } = await signedIn('/statistics');
    await page.getByText('No calls yet').waitFor();
    await page.getByRole('link', { name: 'Go to the catalogue' }).waitFor();
    await addBroken(page);
    await callAs(page, 'Language detection', texts(FRENCH, GERMAN, FRENCH));
    await callAs(page, 'Broken', [{}]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('75%', { exact: true }).waitFor();
    await page.locator('.plot canvas').first().waitFor();
    await page.getByText('4 calls, 1 without success').waitFor();
    await page.getByRole('link', { name: 'Language detection' }).waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('Last 7 days');
    await page.waitForURL(/range=7d/);
    await page.getByText('See as a table').first().click();
    const table = page.getByRole('region', { name: 'See as a table' });
    await until(async () => (await table.getByRole('row').count()) === 7 * 24 + 1);
    await page.getByRole('button', { name: 'By day' }).click();
    await page.waitForURL(/by=day/);
    await until(async () => (await table.getByRole('row').count()) === 8);
    await page.reload();
    await page.locator('.plot canvas').first().waitFor();
    expect(await page.getByRole('button', { name: 'By day' }).getAttribute('aria-pressed')).to.equal('true');
    await page.goto('/statistics?from=2020-01-01&to=2020-01-02');
    await page.getByText('No calls in this period').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('shows the performance of an algorithm to those who manage it, and its figures to others', async () => {
    const { page: manager } = await signedIn();
    const id = await addBroken(manager);
    await callAs(manager, 'Broken', [{}, {}]);
    await manager.goto(`/algorithms/${id}?tab=performance`);
    await manager.locator('.plot canvas').first().waitFor();
    await manager.getByRole('definition').getByText('0%', { exact: true }).waitFor();

    const { page: visitor } = await stage.open(`/algorithms/${id}?tab=performance`);
    await visitor.getByText('Sign in to see this').waitFor();
    await visitor.goto('/register');
    await stage.signUp(visitor, 'bob');
    await visitor.goto(`/algorithms/${id}?tab=performance`);
    await visitor.getByText('Charts by hour and day are for those who manage the algorithm.').waitFor();
    await visitor.getByText('Mean time').waitFor();
    expect(await visitor.locator('.plot').count()).to.equal(0);
    await visitor.goto(`/algorithms/${id}?tab=history`);
    await visitor.getByText('No calls yet').waitFor();
  });

  it('has no accessibility fault and fits the window, light, dark and on a phone', async function () {
    this.timeout(240_000);
    const { page: first } = await signedIn();
    const id = await addBroken(first);
    const [one, two] = await callAs(first, 'Language detection', texts(FRENCH, GERMAN));
    await callAs(first, 'Broken', [{}]);
    const storageState = await first.context().storageState();
    const looks: BrowserContextOptions[] = [
      {},
      { colorScheme: 'dark' },
      { viewport: { width: 390, height: 844 } },
    ];
    for (const look of looks) {
      const { page, faults } = await stage.open('/', { ...look, storageState });
      for (const [path, shown] of Object.entries({
        '/history': 'tbody tr',
        '/history?range=7d&from=2026-01-01': 'input[type=date]',
        [`/history?open=${one}`]: 'dialog .tree',
        [`/calls/${one}?with=${two}`]: '.differences',
        '/statistics': '.plot canvas',
        [`/algorithms/${id}?tab=history`]: 'tbody tr',
        [`/algorithms/${id}?tab=performance`]: '.plot canvas',
      })) {
        await page.goto(path);
        await page.locator(shown).first().waitFor();
        expect(await accessibilityFaults(page), path).to.deep.equal([]);
        expect(await overflow(page), path).to.equal(0);
      }
      expect(faults).to.deep.equal([]);
    }
  });
});
