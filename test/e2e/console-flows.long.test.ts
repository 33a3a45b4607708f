import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow, PASSWORD } from '../support/console.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const FRENCH = 'Il pleure dans mon coeur comme il pleut sur la ville.';

describeConsole(
  'what people do in the console',
  (stage) => {
    let upstream: Upstream;
    let isBroken = true;
    before(async () => {
      upstream = await startUpstream((_, response) => {
        if (isBroken) response.statusCode = 500;
        return isBroken ? { detail: 'The disk is full.' } : { answer: 42 };
      });
    });
    after(() => upstream?.stop());

    for (const hands of allHands) {
      describe(hands.name, () => {
        const register = async () => {
          const watched = await stage.open('/register', hands.look);
          await stage.signUp(watched.page);
          await watched.page.getByRole('heading', { name: 'Catalogue' }).waitFor();
          return watched;
        };
        const find = async (page: Page): Promise<void> => {
          await hands.write(page.getByRole('searchbox'), 'language det');
          await page.getByText('1 algorithm', { exact: true }).waitFor();
          await hands.press(page.getByRole('link', { name: 'Language detection', exact: true }));
          await page.locator('.actions').getByRole('button', { name: 'Run' }).waitFor();
        };

        it('finds an algorithm, runs its example, changes a value and copies the code', async () => {
          const { page, faults } = await register();
          await find(page);
          await hands.press(page.locator('.actions').getByRole('button', { name: 'Run' }));
          await page.locator('.result-card').getByText('success').waitFor();
          await hands.write(page.getByRole('textbox', { name: 'Text' }), FRENCH);
          await page.getByText('The input has changed since this result.').waitFor();
          const card = page.locator('.result-card');
          await hands.press(card.getByRole('button', { name: 'Code' }));
          await hands.press(card.getByRole('button', { name: 'Copy', exact: true }));
          await card.getByText('Copied').waitFor();
          expect(await copied(page))
            .to.contain(FRENCH)
            .and.contain('$VITRINE_KEY');
          expect(await overflow(page)).to.equal(0);
          expect(faults).to.deep.equal([]);
        });

        it('makes the first account of an empty installation', async () => {
          const { page, faults } = await stage.open('/', hands.look);
          await hands.press(page.getByRole('link', { name: /administrator/ }));
          await page.getByRole('heading', { name: 'Create the administrator' }).waitFor();
          await hands.write(page.getByLabel('Username'), 'ada');
          await hands.write(page.getByLabel('E-mail address'), 'ada@example.org');
          await hands.write(page.getByLabel('Password'), 'short');
          const create = page.locator('form').getByRole('button', { name: /^Create/ });
          await hands.press(create);
          await page.getByRole('alert').waitFor();
          await hands.write(page.getByLabel('Password'), PASSWORD);
          await hands.press(create);
          await page.waitForURL(`${stage.service.url}/`);
          expect(await overflow(page)).to.equal(0);
          const me = await (await page.request.get('/api/v1/users/me')).json();
          expect([me.username, me.role]).to.deep.equal(['ada', 'admin']);
          expect(faults).to.deep.equal([]);
        });

        it('makes a key, calls with the copied command, and finds that call', async () => {
          const { page, faults } = await register();
          await hands.goTo(page, 'API keys');
          await hands.write(page.getByLabel('Name'), 'notebook');
          await hands.press(page.getByRole('button', { name: 'New key' }));
          await hands.press(page.getByRole('button', { name: 'Copy', exact: true }).first());
          await page.getByText('Copied').waitFor();
          const key = await copied(page);
          expect(await overflow(page)).to.equal(0);
          await hands.press(page.getByRole('button', { name: 'Done' }));
          await page.getByRole('button', { name: 'Revoke notebook' }).waitFor();
          await hands.goTo(page, 'Catalogue');
          await find(page);
          const card = page.locator('.result-card');
          await hands.press(card.getByRole('button', { name: 'Code' }));
          await hands.press(card.getByRole('button', { name: 'Copy', exact: true }));
          await card.getByText('Copied').waitFor();
          const env = { ...process.env, VITRINE_KEY: key };
          const answer = execFileSync('bash', ['-c', await copied(page)], { encoding: 'utf8', env });
          const { id, status } = JSON.parse(answer) as { id: string; status: string };
          expect(status).to.equal('success');
          await hands.goTo(page, 'History');
          const call = page.getByRole('button', { name: 'Language detection' });
          await hands.press(call);
          await page.getByRole('dialog').getByText(id).waitFor();
          await page.goBack();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          expect(await call.evaluate((element) => element.matches(':focus'))).to.equal(true);
          expect(faults).to.deep.equal([]);
        });

        it('reads why a call failed, copies its request id, and runs it again', async () => {
          isBroken = true;
          const { page, faults } = await register();
          const headers = { Origin: stage.service.url };
          const about = { name: 'Answers at times', description: 'Its disk is full at times.', type: 'ml' };
          const made = await page.request.post('/api/v1/algorithms', { data: about, headers });
          const { id } = await made.json();
          const version = { version: '1', url: upstream.url };
          await page.request.post(`/api/v1/algorithms/${id}/versions`, { data: version, headers });
          await page.goto(`/algorithms/${id}`);
          await hands.press(page.locator('.actions').getByRole('button', { name: 'Run' }));
          const card = page.locator('.result-card');
          const alert = card.getByRole('alert');
          await alert.waitFor();
          const [, requestId] = /Request id (\S+)/.exec(await alert.innerText())!;
          await hands.press(card.getByRole('button', { name: 'Copy the request id' }));
          await card.getByText('Copied').waitFor();
          expect(await copied(page)).to.equal(requestId);
          expect(await overflow(page)).to.equal(0);
          isBroken = false;
          await hands.press(card.getByRole('button', { name: 'Try again' }));
          await card.getByText('success').waitFor();
          // A press that follows begins in the card, where the button was.
          await hands.press(card.getByRole('link', { name: 'Open the call' }));
          await page.waitForURL(/\/calls\//);
          expect(faults).to.deep.equal([]);
        });
      });
    }
  },
  { EGRESS_ALLOW: '127.0.0.1' },
);

function copied(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}
