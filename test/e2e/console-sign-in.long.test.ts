import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow, PASSWORD } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../support/identity-provider.ts';

const BUTTON = 'Continue with Corporate';

describe('signing in by a provider', () => {
  const corp = new IdentityProvider();
  before(async () => {
    await corp.start();
    corp.add('grace', { preferred_username: 'grace', email: 'grace@example.net', email_verified: true });
    corp.add('nobody', { email: 'ada@example.org', email_verified: false });
  });
  after(() => corp.stop());
  beforeEach(() => (corp.next = 'grace'));

  describeConsole(
    'in the console',
    ({ open, signUp }) => {
      const byProvider = (page: Page): Promise<void> => page.getByRole('button', { name: BUTTON }).click();
      const signedIn = (page: Page, name: string): Promise<void> =>
        page.getByRole('button', { name }).waitFor();

      it('leads to the provider and back to where one was, and out of both', async () => {
        const { page, faults } = await open('/history');
        await page.getByRole('link', { name: 'Sign in' }).last().click();
        await page.getByRole('button', { name: BUTTON }).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await byProvider(page);
        await page.waitForURL(/\/history$/);
        await signedIn(page, 'grace');
        await page.reload();
        await signedIn(page, 'grace');
        await page.goto('/account');
        await page.getByText('Linked sign-ins').waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.getByRole('button', { name: 'Remove the link to Corporate' }).click();
        await page.getByText('The last way to sign in must stay').waitFor();
        await page.getByRole('button', { name: 'grace' }).click();
        await page.locator('#menu').getByRole('button', { name: 'Sign out' }).click();
        await page.waitForURL(new RegExp(`^${corp.issuer}/session/end`));
        // The provider asks, in its own words.
        await page.locator('button[name=logout]').click();
        await page.waitForURL(/\/sign-in(\?.*)?$/);
        await page.getByLabel('Username').waitFor();
        // It is somebody else's page, and the refusal is a fault of the network for the browser.
        const own = faults.filter((fault) => !/^http|status of 409/.test(fault));
        expect(own).to.deep.equal([]);
      });

      it('shows no links where there are none', async () => {
        const { page } = await open('/register');
        await signUp(page);
        await page.goto('/account');
        await page.getByText('Where you are signed in').waitFor();
        expect(await page.getByText('Linked sign-ins').count()).to.equal(0);
      });

      it('says why it was refused, also in Chinese at phone width', async () => {
        const { page: first } = await open('/register');
        await signUp(first);
        corp.next = 'nobody';
        const { page } = await open('/sign-in');
        await byProvider(page);
        await page.getByText('The sign-in was refused').waitFor();
        await page.getByText('does not say that it has verified it').waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.getByRole('link', { name: 'Back to the sign-in' }).click();
        await page.getByLabel('Username').fill('ada');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await signedIn(page, 'ada');
        const chinese = await open('/sign-in', { locale: 'zh-CN', viewport: { width: 360, height: 740 } });
        expect(await overflow(chinese.page)).to.equal(0);
        await chinese.page.getByRole('button', { name: '使用 Corporate 登录' }).click();
        await chinese.page.getByText('登录被拒绝').waitFor();
        expect(await overflow(chinese.page)).to.equal(0);
      });

      it('says that the provider is away, and takes a password all the same', async () => {
        const { page: first } = await open('/register');
        await signUp(first);
        await corp.stop();
        try {
          const { page } = await open('/sign-in');
          await byProvider(page);
          await page.getByText('The provider cannot be used now', { exact: true }).waitFor();
          await page.getByLabel('Username').fill('ada');
          await page.getByLabel('Password').fill(PASSWORD);
          await page.getByRole('button', { name: 'Sign in', exact: true }).click();
          await signedIn(page, 'ada');
        } finally {
          await corp.comeBack();
        }
      });
    },
    async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      corp.admit([url], ['corp']);
      return {
        PORT: String(port),
        PUBLIC_URL: url,
        OIDC_PROVIDERS: JSON.stringify([
          { id: 'corp', name: 'Corporate', issuer: corp.issuer, client_id: CLIENT_ID, create_accounts: true },
        ]),
        OIDC_CLIENT_SECRETS: `corp=${CLIENT_SECRET}`,
      };
    },
  );

  describeConsole('without a provider', ({ open }) => {
    it('is not offered', async () => {
      const { page } = await open('/sign-in');
      await page.getByLabel('Password').waitFor();
      expect(await page.getByText('Continue with').count()).to.equal(0);
    });
  });
});
