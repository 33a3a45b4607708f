import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow } from '../support/console.ts';

const NAME = 'Text similarity';

const panel = (page: Page) => page.getByRole('region', { name: /^Checks of version / });
const checkNow = (page: Page) => panel(page).getByRole('button', { name: 'Check now' }).click();
const api = async (page: Page, method: 'get' | 'put', path: string, data?: object) =>
  (
    await page.request[method](`/api/v1${path}`, { data, headers: { Origin: new URL(page.url()).origin } })
  ).json();

describeConsole(
  'the checks of a version, in a browser',
  (stage) => {
    it('are run by hand, name what differs, and are seen by others at once', async () => {
      const { page, faults } = await stage.open('/register');
      await stage.signUp(page);
      await openAlgorithm(page, NAME);
      await page.getByRole('link', { name: /^Versions/ }).click();
      await panel(page).getByText('unchecked').first().waitFor();
      await checkNow(page);
      await panel(page).getByText('All examples passed').waitFor();
      await panel(page).getByText('Working since').waitFor();
      await page.locator('.facets-line').getByText('working').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      const visitor = await stage.open('/?check=working');
      await visitor.page.getByRole('link', { name: NAME, exact: true }).waitFor();
      expect(await visitor.page.locator('.algorithm-card').count()).to.equal(1);
      await visitor.page.locator('.algorithm-card .badge', { hasText: 'working' }).waitFor();

      const algorithmId = new URL(page.url()).pathname.split('/').at(-1)!;
      const { versions } = await api(page, 'get', `/algorithms/${algorithmId}`);
      const examples = `/algorithms/${algorithmId}/versions/${versions[0].id}/examples`;
      const [example] = await api(page, 'get', examples);
      await api(page, 'put', `${examples}/${example.id}`, { output_data: { nonsense: 1 } });
      await checkNow(page);
      await panel(page).getByText('Not as expected').waitFor();
      await panel(page)
        .getByRole('region', { name: /^What differs in/ })
        .first()
        .waitFor();
      await panel(page).getByText('/nonsense').waitFor();
      await page.locator('.facets-line').getByText('broken').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);

      await visitor.page.goto('/?view=table');
      await visitor.page.locator('tr', { hasText: NAME }).getByText('broken').waitFor();
      await visitor.page.getByRole('checkbox', { name: /^broken/ }).check();
      await visitor.page.waitForURL(/check=broken/);
      await visitor.page.getByText('1 algorithm', { exact: true }).waitFor();
      expect(await accessibilityFaults(visitor.page)).to.deep.equal([]);
      expect([...faults, ...visitor.faults]).to.deep.equal([]);
    });

    it('say that all places are taken, and are run once one is free', async () => {
      const { page } = await stage.open('/register');
      await stage.signUp(page);
      await openAlgorithm(page, NAME);
      await page.getByRole('link', { name: /^Versions/ }).click();
      let isFull = true;
      const full = {
        status: 503,
        headers: { 'Retry-After': '1' },
        json: { code: 'overloaded', detail: 'Many versions are being checked.' },
      };
      await page.route('**/checks', (route) =>
        isFull && route.request().method() === 'POST' ? route.fulfill(full) : route.continue(),
      );
      await checkNow(page);
      const alert = panel(page).getByRole('alert');
      await alert.getByText('share the same slots').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      isFull = false;
      await alert.getByRole('button', { name: 'Try again' }).click();
      await panel(page).getByText('All examples passed').waitFor();
      expect(await alert.count()).to.equal(0);
    });

    it('are there on a phone and in Chinese, and are only read by those who do not manage', async () => {
      const { page } = await stage.open('/register');
      await stage.signUp(page);
      const visitor = await stage.open('/', {
        locale: 'zh-CN',
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      const { algorithms } = await api(page, 'get', '/algorithms?q=similarity');
      await visitor.page.goto(`/algorithms/${algorithms[0].id}?tab=versions`);
      const shown = visitor.page.getByRole('region', { name: /的检查$/ });
      await shown.getByText('即将检查').or(shown.getByText('此处不会自动检查')).waitFor();
      expect(await shown.getByRole('button', { name: '立即检查' }).count()).to.equal(0);
      expect(await overflow(visitor.page)).to.equal(0);
      expect(await accessibilityFaults(visitor.page)).to.deep.equal([]);
      expect(visitor.faults).to.deep.equal([]);
    });
  },
  { CHECKS_SCHEDULED: 'false' },
);
