import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describeConsole, openAlgorithm, PASSWORD, run } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';

const WAYS = [
  {
    way: 'takes the prefix away',
    isStripped: true,
    settings: (url: string) => ({ PUBLIC_URL: `${url}/vitrine` }),
  },
  {
    way: 'leaves the prefix',
    isStripped: false,
    settings: (url: string) => ({ PUBLIC_URL: url, SERVER_BASE_PATH: '/vitrine/api/v1' }),
  },
];

for (const { way, isStripped, settings } of WAYS) {
  let proxy: TlsProxy;

  describeConsole(
    `the console behind a proxy that ends TLS and ${way}`,
    (stage) => {
      afterEach(() => proxy.stop());

      it('signs in, runs, and finds its files, addresses and calls below the prefix', async () => {
        const site = `${proxy.url}/vitrine/`;
        const { page, faults } = await stage.open('register', { baseURL: site, ignoreHTTPSErrors: true });
        await page.getByLabel('Username').fill('ada');
        await page.getByLabel('E-mail address').fill('ada@example.org');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: /^Create/ }).click();
        await page.waitForURL(site);
        const [cookie] = await page.context().cookies();
        expect(cookie).to.deep.include({
          path: '/vitrine/',
          secure: true,
          httpOnly: true,
          sameSite: 'Strict',
        });

        await openAlgorithm(page, 'Language detection');
        await page
          .getByLabel('Text', { exact: true })
          .fill('Il pleure dans mon coeur comme il pleut sur la ville.');
        await run(page);
        await page.locator('.scores').getByText('French').waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'Language detection' }).waitFor();
        expect(page.url().startsWith(`${site}algorithms/`)).to.equal(true);

        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click();
        await page.waitForURL(`${site}history`);
        await page.getByRole('button', { name: 'Language detection' }).waitFor();
        // Every request went to an address below the prefix.
        expect(faults).to.deep.equal([]);
      });

      it('shows a command with the address of the proxy, which works as it is', async () => {
        const site = `${proxy.url}/vitrine/`;
        const { page } = await stage.open('register', { baseURL: site, ignoreHTTPSErrors: true });
        await page.getByLabel('Username').fill('ada');
        await page.getByLabel('E-mail address').fill('ada@example.org');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: /^Create/ }).click();
        await page.waitForURL(site);
        await page.getByRole('link', { name: 'API keys' }).click();
        await page.getByLabel('Name').fill('notebook');
        await page.getByRole('button', { name: 'New key' }).click();
        const first = await page.locator('pre').innerText();
        expect(first).to.contain(`'${site}api/v1/users/me'`);
        expect(await runCommand(first)).to.contain('"username":"ada"');
        const key = /vk_\w+/.exec(first)![0];
        await page.getByRole('button', { name: 'Done' }).click();
        await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
        await openAlgorithm(page, 'Language detection');
        await page.getByRole('button', { name: 'Code' }).click();
        const code = page.locator('.result-card pre');
        expect(await runCommand(await code.innerText(), key)).to.contain('"status":"success"');
        for (const language of ['TypeScript', 'Python']) {
          await page.getByRole('button', { name: language }).click();
          expect(await code.innerText(), language).to.contain(`${site}api/v1`);
        }
      });

      it('refuses what a page of another site sends with the cookie', async () => {
        const site = `${proxy.url}/vitrine/`;
        const { page } = await stage.open('./', { baseURL: site, ignoreHTTPSErrors: true });
        const account = { username: 'ada', password: PASSWORD };
        const send = (path: string, data: object, origin: string) =>
          page.request.post(path, { data, headers: { origin }, ignoreHTTPSErrors: true });
        await send('api/v1/users/register', { ...account, email: 'ada@example.org' }, proxy.url);
        expect((await send('api/v1/users/session', account, proxy.url)).status()).to.equal(200);
        const key = { name: 'stolen', expires_at: '2099-01-01T00:00:00Z' };
        const foreign = await send('api/v1/api-keys', key, 'https://elsewhere.example.org');
        expect([foreign.status(), (await foreign.json()).code]).to.deep.equal([403, 'origin_refused']);
        expect((await send('api/v1/api-keys', key, proxy.url)).status()).to.equal(200);
      });
    },
    async () => {
      proxy = await startTlsProxy('/vitrine', { isStripped });
      const port = await freePort();
      proxy.target = `http://127.0.0.1:${port}`;
      return { PORT: String(port), ...settings(proxy.url) };
    },
  );
}

/** Without blocking this process, in which the proxy runs. No authority signed its certificate. */
async function runCommand(command: string, key = ''): Promise<string> {
  const trusting = command.replace('curl ', 'curl --insecure ');
  const { stdout } = await promisify(execFile)('bash', ['-c', trusting], {
    env: { ...process.env, VITRINE_KEY: key },
  });
  return stdout;
}
