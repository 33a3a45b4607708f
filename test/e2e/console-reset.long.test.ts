import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow, PASSWORD, type ConsoleStage } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { startMailbox, type Mailbox } from '../support/mailbox.ts';
import { until } from '../support/until.ts';

const NEW_PASSWORD = 'nine quiet rivers';

const register = async ({ service, open }: ConsoleStage, username: string): Promise<Page> => {
  const { page } = await open();
  const data = { username, email: `${username}@example.org`, password: PASSWORD };
  for (const path of ['register', 'session'])
    await page.request.post(`${service.url}/api/v1/users/${path}`, { data });
  return page;
};
const linkIn = (text: string): string => /http\S+#token=[\w-]+/.exec(text)![0];

describe('the page of one-time links', () => {
  let mailbox: Mailbox;
  before(async () => {
    mailbox = await startMailbox();
  });
  after(() => mailbox.stop());
  beforeEach(() => {
    mailbox.mails.length = 0;
  });

  describeConsole(
    'where mail is sent',
    (stage) => {
      const { open } = stage;

      it('leads from the sign-in over a mail to another password', async () => {
        await register(stage, 'ada');
        const { page, faults } = await open('/sign-in');
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        await page.getByLabel('E-mail address').fill('ada@example.org');
        await page.getByRole('button', { name: 'Send the link' }).click();
        await page.getByText('If an account has this address').waitFor();
        await until(() => mailbox.mails.length > 0);

        await page.goto(linkIn(mailbox.mails[0]!.source));
        await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
        await page.waitForURL(`${stage.service.url}/reset`);
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.getByLabel('New password').fill(NEW_PASSWORD);
        await page.route('**/api/v1/users/session', (route) =>
          route.fulfill({ status: 503, json: { code: 'overloaded', title: 'Busy', detail: 'Busy.' } }),
        );
        const choose = page.getByRole('button', { name: 'Set the password and sign in' });
        await choose.click();
        await page.getByText('Busy.').waitFor();
        await page.unroute('**/api/v1/users/session');
        // The link was used by now, and only the rest is asked for.
        await choose.click();
        await page.waitForURL(`${stage.service.url}/`);
        await page.getByRole('button', { name: 'ada' }).waitFor();
        expect(faults).to.deep.equal([]);
      });

      it('says that a link was used, and how to get another one', async () => {
        const admin = await register(stage, 'ada');
        const account = { username: 'grace', email: 'grace@example.org' };
        const made = await admin.request.post(`${stage.service.url}/api/v1/users`, {
          data: account,
          headers: { origin: stage.service.url },
        });
        const { url } = (await made.json()).invitation as { url: string };
        const choose = async (page: Page): Promise<void> => {
          await page.goto(url);
          await page.getByLabel('New password').fill(NEW_PASSWORD);
          await page.getByRole('button', { name: 'Set the password and sign in' }).click();
        };
        const { page } = await open();
        await choose(page);
        await page.getByRole('button', { name: 'grace' }).waitFor();
        const { page: late } = await open();
        await choose(late);
        await late.getByText('The link does not work any more').waitFor();
        await late.getByText('The link was used already').waitFor();
        await late.getByRole('button', { name: 'Ask for another link' }).click();
        await late.getByRole('button', { name: 'Send the link' }).waitFor();
      });

      it('names the field of a password that is too short, and works in Chinese at phone width', async () => {
        const { page } = await open('/reset#token=x', {
          locale: 'zh-CN',
          viewport: { width: 360, height: 740 },
        });
        await page.getByLabel('新密码').fill('short');
        await page.getByRole('button', { name: '设置密码并登录' }).click();
        await page.locator('[aria-invalid=true]').waitFor();
        expect(await overflow(page)).to.equal(0);
        await page.getByLabel('新密码').fill(NEW_PASSWORD);
        await page.getByRole('button', { name: '设置密码并登录' }).click();
        await page.getByText('链接已失效').waitFor();
      });
    },
    async () => {
      const port = await freePort();
      return {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'vitrine@example.org',
      };
    },
  );

  describeConsole('where no mail is sent', (stage) => {
    it('says whom to ask, and the sign-in does not lead there', async () => {
      await register(stage, 'ada');
      const { page, faults } = await stage.open('/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.getByRole('link', { name: 'Create an account' }).first().waitFor();
      expect(await page.getByText('Forgot your password?').count()).to.equal(0);
      await page.goto('/reset');
      await page.getByText('Ask an administrator for a link').waitFor();
      expect(faults).to.deep.equal([]);
    });
  });
});
