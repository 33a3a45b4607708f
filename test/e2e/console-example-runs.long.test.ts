import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow } from '../support/console.ts';

const starting = (page: Page) => page.getByRole('button', { name: 'Run each example once' });
const calls = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/v1/history/user-calls')).json()).total as number;
const send = (page: Page, path: string, data: object) =>
  page.request.post(`/api/v1${path}`, { data, headers: { Origin: new URL(page.url()).origin } });

describeConsole('running each example once, in a browser', (stage) => {
  const signedIn = async (options: BrowserContextOptions = {}) => {
    const watched = await stage.open('/register', options);
    await stage.signUp(watched.page);
    return watched;
  };

  it('is offered once to the first administrator, and fills history, statistics and performance', async function () {
    this.timeout(180_000);
    const { page, faults } = await signedIn();
    await page.getByText('The installation is ready').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await starting(page).click();
    await page.getByText(/^\d+ of \d+: /).waitFor();
    await page.getByText(/^\d+ calls succeeded, none failed\.$/).waitFor({ timeout: 120_000 });
    const { algorithms } = await (await page.request.get('/api/v1/algorithms?limit=100')).json();
    expect(await calls(page)).to.equal(algorithms.length);
    expect(await page.getByText('Not called yet').count()).to.equal(0);

    await page.locator('.runs').getByRole('link', { name: 'Statistics' }).click();
    await page.locator('.plot canvas').first().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'See these calls' }).click();
    await page.locator('tbody tr').first().waitFor();
    expect(await starting(page).count()).to.equal(0);
    await page.goto('/');
    await page.getByText('Language detection', { exact: true }).waitFor();
    expect(await page.getByText('The installation is ready').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('is offered where nothing was called yet, goes on over other screens, and can be stopped', async () => {
    const { page, faults } = await signedIn();
    await page.getByRole('button', { name: 'Not now' }).click();
    expect(await starting(page).count()).to.equal(0);
    await page.goto('/statistics');
    await page.getByText('No calls yet').waitFor();
    await starting(page).waitFor();
    await page.goto('/history');
    // Slow enough to be stopped.
    await page.route('**/api/v1/algorithms/call', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue().catch(() => {});
    });
    await starting(page).click();
    await page.getByText(/^(?:[3-9]|1\d) of \d+: /).waitFor();
    await page.getByRole('link', { name: 'See statistics' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^\d+ calls succeeded, none failed\.$/).waitFor();
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
    expect(await calls(page)).to.be.within(2, 15);
    expect(faults).to.deep.equal([]);
  });

  it('leaves out what is not for everybody, counts what fails, and says what keeps it from going on', async () => {
    const { page } = await signedIn();
    const { algorithms } = await (
      await page.request.get('/api/v1/algorithms?limit=100&sort=created_at')
    ).json();
    const change = (id: string, data: object) =>
      page.request.put(`/api/v1/algorithms/${id}`, { data, headers: { Origin: new URL(page.url()).origin } });
    for (const { id } of algorithms.slice(2)) await change(id, { access: 'restricted' });
    const { id } = await (
      await send(page, '/algorithms', { name: 'Away', description: 'Its endpoint is away.', type: 'ml' })
    ).json();
    const version = await (
      await send(page, `/algorithms/${id}/versions`, { version: '1', url: 'http://127.0.0.1:9/' })
    ).json();
    await send(page, `/algorithms/${id}/versions/${version.id}/examples`, {
      name: 'Nothing',
      input_data: {},
      is_default: true,
    });
    await page.goto('/history');
    const body = JSON.stringify({ code: 'rate_limited', title: 'Too many', detail: 'Wait a little.' });
    const headers = { 'Retry-After': '2', 'Content-Type': 'application/problem+json' };
    await page.route('**/algorithms/call', (route) => route.fulfill({ status: 429, headers, body }));
    await starting(page).click();
    await page.locator('.runs').getByText('Wait a little.').waitFor();
    await page.getByText('0 calls succeeded, none failed.').waitFor();
    await page.unroute('**/algorithms/call');
    await page.getByRole('button', { name: /^Try again/ }).click();
    await page.getByText('2 calls succeeded, 1 failed.').waitFor();
    await page.locator('.runs').getByRole('link', { name: 'See what failed' }).click();
    await page.getByText('1 call', { exact: true }).waitFor();
  });

  it('is used on a phone, and has no accessibility fault, light and dark', async function () {
    this.timeout(180_000);
    const looks: BrowserContextOptions[] = [
      { colorScheme: 'dark' },
      { viewport: { width: 390, height: 844 } },
    ];
    const { page: first } = await signedIn();
    const storageState = await first.context().storageState();
    for (const look of looks) {
      const { page } = await stage.open('/history', { ...look, storageState });
      await page.route('**/api/v1/algorithms/call', () => {});
      await starting(page).click();
      await page.getByText(/^1 of \d+: /).waitFor();
      expect(await accessibilityFaults(page), 'running').to.deep.equal([]);
      expect(await overflow(page), 'running').to.equal(0);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('heading', { name: 'Stopped' }).waitFor();
      expect(await accessibilityFaults(page), 'ended').to.deep.equal([]);
      expect(await overflow(page), 'ended').to.equal(0);
    }
  });
});
