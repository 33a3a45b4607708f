import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow, tabTo } from '../support/console.ts';
import { until } from '../support/until.ts';

/** Sends a request with the session of the browser. */
const send = async (page: Page, path: string, data: object) => {
  const headers = { Origin: new URL(page.url()).origin };
  const answer = await page.request.post(`/api/v1${path}`, { data, headers });
  expect(answer.ok(), `${path}: ${await answer.text()}`).to.equal(true);
  return (await answer.json()) as { readonly id: string };
};

/** An algorithm whose endpoint is away, so that its calls fail. */
const addBroken = async (page: Page): Promise<string> => {
  const { id } = await send(page, '/algorithms', { name: 'Broken', description: 'It is away.', type: 'ml' });
  await send(page, `/algorithms/${id}/versions`, { version: '1', url: 'http://127.0.0.1:9/' });
  return id;
};

const call = (page: Page, algorithm_id: string) =>
  send(page, '/algorithms/call', { algorithm_id, version_id: 'default', input_data: {} });

/** The day before another one. */
const before = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** A panel by its title. */
const panel = (page: Page, title: string): Locator =>
  page.locator('.figure-panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** The cells of the table of a panel, row by row. */
const tableOf = async (of: Locator): Promise<string[][]> => {
  const rows = of.locator('table').locator('tr');
  const cells = await rows.evaluateAll((all) =>
    (all as unknown as { cells: Iterable<{ textContent: string }> }[]).map((row) =>
      [...row.cells].map(({ textContent }) => textContent),
    ),
  );
  return cells;
};

/** What a click on CSV saves, row by row. */
const fileOf = async (page: Page, of: Locator): Promise<string[][]> => {
  const saving = page.waitForEvent('download');
  await of.getByRole('button', { name: /save as CSV/ }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8');
  expect(saved.charCodeAt(0), 'a byte order mark').to.equal(0xfeff);
  return saved
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
};

describeConsole('the dashboard in a browser', (stage) => {
  const signedIn = async (path = '/dashboard', look = {}) => {
    const watched = await stage.open('/register', look);
    await stage.signUp(watched.page);
    const id = await addBroken(watched.page);
    await call(watched.page, id);
    await watched.page.goto(path.replace('ID', id));
    return { ...watched, id };
  };
  const time = (page: Page) => page.getByRole('combobox', { name: 'Time', exact: true });
  const query = (page: Page) => new URL(page.url()).searchParams;

  it('keeps one time for all panels, in the address', async () => {
    const { page, faults } = await signedIn();
    await panel(page, 'Calls by status').locator('canvas').waitFor();
    await time(page).selectOption('Last 15 minutes');
    await page.waitForURL(/range=15m/);
    for (const title of ['Calls by status', 'Failed calls by error'])
      await panel(page, title).getByText('See as a table').click();
    const counts = panel(page, 'Calls by status');
    await until(async () => (await tableOf(counts)).length === 16);
    const times = (rows: string[][]) => rows.slice(1).map(([at]) => at);
    expect(times(await tableOf(panel(page, 'Failed calls by error')))).to.deep.equal(
      times(await tableOf(counts)),
    );
    expect((await tableOf(panel(page, 'Busiest callers')))[1]!.slice(0, 2)).to.deep.equal(['ada', '1']);
    await page.reload();
    await counts.locator('canvas').waitFor();
    expect(await time(page).inputValue()).to.equal('15m');
    await page.goBack();
    await until(async () => (await time(page).inputValue()) === '24h');
    expect(faults).to.deep.equal([]);
  });

  it('zooms into what is dragged across, in all panels, and out again with Back', async () => {
    const { page } = await signedIn('/dashboard?range=7d&by=day');
    const canvas = panel(page, 'Calls by status').locator('.u-over');
    const box = (await canvas.boundingBox())!;
    // The second and the third of seven days.
    await page.mouse.move(box.x + box.width * (1.4 / 7), box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * (2.6 / 7), box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    const [from, to] = [query(page).get('from')!, query(page).get('to')!];
    expect(Date.parse(to) - Date.parse(from)).to.equal(2 * 86_400_000);
    expect([query(page).get('range'), query(page).get('by')]).to.deep.equal([null, null]);
    await panel(page, 'Calls by status').getByText('No calls in this period.').waitFor();
    await panel(page, 'Busiest callers').getByText('Nobody called in this period.').waitFor();
    await page.goBack();
    await page.waitForURL(/range=7d/);
    await panel(page, 'Calls by status').getByText('1 call, 1 without success').waitFor();
  });

  it('takes a time from the keyboard, in the zone that is chosen', async () => {
    const { page } = await signedIn('/dashboard', { timezoneId: 'Asia/Shanghai' });
    await time(page).selectOption('Choose times …');
    await page.getByLabel('From').fill('2026-01-31T08:00');
    await page.getByLabel('to', { exact: true }).fill('2026-01-31T07:00');
    await page.getByText('The end must be after the start.').waitFor();
    await page.getByLabel('to', { exact: true }).fill('2026-01-31T10:30');
    await tabTo(page, 'Show');
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=/);
    expect([query(page).get('from'), query(page).get('to')]).to.deep.equal([
      '2026-01-31T00:00Z',
      '2026-01-31T02:30Z',
    ]);
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.waitForURL(/zone=utc/);
    await until(async () => (await page.getByLabel('From').inputValue()) === '2026-01-31T00:00');
  });

  it('leads from a part of the time to its calls', async () => {
    const { page } = await signedIn('/statistics?range=15m');
    await page.getByRole('link', { name: 'See these calls' }).click();
    await page.waitForURL(/\/history\?from=.*Z/);
    await page.getByText('1 call', { exact: true }).waitFor();
    const today = new Date().toISOString().slice(0, 10);
    expect(await page.getByLabel('From').inputValue()).to.be.oneOf([today, before(today)]);
    await page.goto('/history?from=2026-01-31T09:30Z&to=2026-01-31T09:45Z');
    await page.getByText('No call matches').waitFor();
  });

  it('saves each panel as CSV, with what its table shows', async () => {
    const { page } = await signedIn('/dashboard?range=15m&live=off');
    for (const title of ['Calls by status', 'Failed calls by error', 'Response time', 'Busiest callers']) {
      const one = panel(page, title);
      await one.getByRole('button', { name: /save as CSV/ }).waitFor();
      const [head, ...rows] = await fileOf(page, one);
      const details = one.getByText('See as a table');
      if (await details.isVisible()) await details.click();
      await one.locator('table tr').first().waitFor();
      const [shownHead, ...shown] = await tableOf(one);
      expect(rows, title).to.have.length(shown.length);
      if (title === 'Busiest callers') {
        expect([rows[0]![0], rows[0]![2], rows[0]![3]]).to.deep.equal(['ada', '1', '0']);
        continue;
      }
      expect(head, title).to.deep.equal(shownHead);
      expect(new Date(rows[0]![0]!).toISOString(), title).to.equal(rows[0]![0]);
      if (title === 'Response time') continue;
      const counts = (all: string[][]) => all.map(([, ...each]) => each);
      expect(counts(rows), title).to.deep.equal(counts(shown));
      expect(
        counts(rows)
          .flat()
          .map(Number)
          .reduce((sum, each) => sum + each),
      ).to.equal(1);
    }
  });

  it('tells when its figures came, also where later ones are refused', async () => {
    const { page } = await signedIn('/');
    await page.clock.install();
    await page.goto('/dashboard?live=off');
    const told = page.getByText(/^As of /);
    await told.waitFor();
    const before = await told.innerText();
    await page.clock.fastForward(60_000);
    let isAway = true;
    await page.route('**/api/v1/monitoring/series?*', (route) =>
      isAway ? route.fulfill({ status: 422, json: { detail: 'It was refused.' } }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('It was refused.').first().waitFor();
    expect(await told.innerText()).to.equal(before);
    isAway = false;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(async () => (await told.innerText()) !== before);
  });

  it('shows a fault in its own panel alone', async () => {
    const { page } = await signedIn('/');
    let isAway = true;
    await page.route('**/api/v1/monitoring/callers?*', (route) =>
      isAway
        ? route.fulfill({ status: 422, json: { code: 'validation_failed', detail: 'It was refused.' } })
        : route.continue(),
    );
    await page.goto('/dashboard');
    await panel(page, 'Busiest callers').getByText('It was refused.').waitFor();
    await panel(page, 'Calls by status').locator('canvas').waitFor();
    isAway = false;
    await panel(page, 'Busiest callers').getByRole('button', { name: 'Try again' }).click();
    await panel(page, 'Busiest callers').getByRole('link', { name: 'ada' }).waitFor();
  });

  it('is of an algorithm and of a version for those who manage it, and of nobody else', async () => {
    const { page, id } = await signedIn('/algorithms/ID?tab=performance');
    await panel(page, 'Busiest callers').getByText('ada').waitFor();
    await send(page, `/algorithms/${id}/versions`, { version: '2', url: 'http://127.0.0.1:9/' });
    await page.reload();
    await page.getByRole('button', { name: 'Only 1' }).click();
    await page.waitForURL(/only=version/);
    await panel(page, 'Failed calls by error').getByText('The algorithm cannot be reached').first().waitFor();
    await page.locator('[popovertarget=menu]').click();
    await page.getByRole('button', { name: '简体中文' }).click();
    await panel(page, '各错误的失败次数').getByText('无法连接算法服务').first().waitFor();
    const { page: visitor } = await stage.open('/register');
    await stage.signUp(visitor, 'bob');
    expect(await visitor.getByRole('link', { name: 'Dashboard' }).count()).to.equal(0);
    await visitor.goto('/dashboard');
    await visitor.getByText('Only for administrators', { exact: true }).waitFor();
  });

  describe('shows what happens without loading anew', () => {
    const counted = (page: Page, text: string) =>
      panel(page, 'Calls by status').getByText(text).waitFor({ timeout: 15_000 });

    it('as the service tells of it, when somebody calls in another browser', async () => {
      const { page, id, faults } = await signedIn();
      await counted(page, '1 call, 1 without success');
      await page.locator('.pulse').waitFor();
      const { page: other } = await stage.open('/register');
      await stage.signUp(other, 'bob');
      await other.goto(`/algorithms/${id}`);
      await call(other, id);
      await counted(page, '2 calls, 2 without success');
      await panel(page, 'Busiest callers').getByRole('link', { name: 'bob' }).waitFor();
      await other.goto('/statistics');
      await counted(other, '1 call, 1 without success');
      await other.locator('.pulse').waitFor();
      await call(other, id);
      await counted(other, '2 calls, 2 without success');
      expect(faults).to.deep.equal([]);
    });

    it('by asking, where the stream is refused', async () => {
      const { page, id } = await signedIn('/');
      await page.route('**/monitoring/events?*', (route) => route.fulfill({ status: 429, json: {} }));
      await page.goto('/dashboard');
      await counted(page, '1 call, 1 without success');
      await call(page, id);
      await counted(page, '2 calls, 2 without success');
      await page.getByTitle('Updated every 5 seconds.').waitFor();
      expect(await page.locator('.pulse').count()).to.equal(0);
    });

    it('but not while nobody looks, and not when that is switched off', async () => {
      const { page, id } = await signedIn();
      await page.locator('.pulse').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const look = (hidden: boolean) =>
        page.evaluate(`(() => {
          Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        })()`);
      await look(true);
      await call(page, id);
      await page.waitForTimeout(6_000);
      expect(asked).to.deep.equal([]);
      await look(false);
      await counted(page, '2 calls, 2 without success');
      await page.getByRole('switch', { name: 'Live' }).uncheck();
      await page.waitForURL(/live=off/);
      await page.locator('.pulse').waitFor({ state: 'detached' });
      await call(page, id);
      await page.waitForTimeout(4_000);
      expect(await panel(page, 'Calls by status').getByText('2 calls').count()).to.equal(1);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await counted(page, '3 calls, 3 without success');
    });
  });

  it('shows why requests were refused, and what the service bears', async function () {
    this.timeout(180_000);
    const { page, id } = await signedIn();
    const { id: me } = await (await page.request.get('/api/v1/users/me')).json();
    await send(page, '/gateway/blocks', { subject: 'user', value: me, reason: 'Enough.' });
    const headers = { Origin: new URL(page.url()).origin };
    const data = { algorithm_id: id, version_id: 'default', input_data: {} };
    const isRefused = async () =>
      (await page.request.post('/api/v1/algorithms/call', { data, headers })).status() === 403;
    await until(isRefused);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await panel(page, 'Refusals by reason')
      .getByText('1 refused request. Most of them: blocked, 1.')
      .waitFor();
    await panel(page, 'System load')
      .getByText(/^At the end: Processor /)
      .waitFor({ timeout: 90_000 });
    await panel(page, 'Database size').locator('canvas').waitFor();
    const [head, ...rows] = await fileOf(page, panel(page, 'System load'));
    expect(head!.slice(1)).to.deep.equal(['Processor', 'Memory', 'Disk']);
    expect(Number(rows.at(-1)![2])).to.be.within(0.1, 100);
    await page.goto(`/algorithms/${id}?tab=performance`);
    await panel(page, 'Refusals by reason')
      .getByText('1 refused request. Most of them: blocked, 1.')
      .waitFor();
  });

  it('has no accessibility fault and fits the window, light, dark, in Chinese and on a phone', async function () {
    this.timeout(240_000);
    const { page: first, id } = await signedIn();
    const storageState = await first.context().storageState();
    for (const look of [
      {},
      { colorScheme: 'dark' },
      { locale: 'zh-CN' },
      { viewport: { width: 390, height: 844 } },
      { viewport: { width: 1024, height: 800 } },
    ] as const) {
      const { page, faults } = await stage.open('/', { ...look, storageState });
      for (const path of [
        '/dashboard',
        '/dashboard?from=2026-01-01T00:00Z&to=2026-01-01T12:00Z',
        `/algorithms/${id}?tab=performance`,
        '/statistics',
      ]) {
        await page.goto(path);
        await page.locator('.figure-panel canvas, .nothing, .empty').first().waitFor();
        expect(await accessibilityFaults(page), path).to.deep.equal([]);
        expect(await overflow(page), path).to.equal(0);
      }
      expect(faults).to.deep.equal([]);
    }
  });
});
