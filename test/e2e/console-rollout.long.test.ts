import { expect } from 'chai';
import {
  asAdministrator,
  createUsers,
  inEveryLook,
  signedInAs,
  signInAgain,
  type Caller,
} from '../support/administration.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';

const rolloutOf = (id: string) => `/administration/algorithms/${id}?tab=rollout`;

/** A sample with a second version at the same address. */
async function twoVersions({ call }: Caller) {
  const { algorithms } = await call('GET', '/algorithms?q=language%20detection');
  const { id, versions } = await call('GET', `/algorithms/${algorithms[0].id}`);
  const { url, params, input_schema, output_schema, version } = versions[0];
  const second = { version: 'next', url, params, input_schema, output_schema };
  const { id: canary } = await call('POST', `/algorithms/${id}/versions`, second);
  const examples = await call('GET', `/algorithms/${id}/versions/${versions[0].id}/examples`);
  return { id: id as string, stable: version as string, canary: canary as string, example: examples[0] };
}

describeConsole('the rollout of a version', (stage) => {
  for (const hands of allHands) {
    it(`gives callers the new version, and rolls it back with one press, ${hands.name}`, async () => {
      const { page, faults, ...caller } = await asAdministrator(stage, hands);
      await createUsers(caller, 'grace');
      const { id, stable, canary, example } = await twoVersions(caller);
      const theirs = await signedInAs(stage, 'grace');
      const served = async () => {
        const { input_data, params } = example;
        const body = { algorithm_id: id, version_id: 'default', input_data, params };
        return (await theirs.call('POST', '/gateway/call', body)).version_id === canary ? 'canary' : 'stable';
      };
      expect(await served()).to.equal('stable');

      await page.goto(rolloutOf(id));
      await page.getByText('gets the rest: 95%').waitFor();
      await hands.write(page.getByRole('spinbutton', { name: 'Percentage of next' }), '100');
      await page.getByText('gets the rest: 0%').waitFor();
      await page.getByLabel('Reason').fill('A first try');
      expect(await overflow(page)).to.equal(0);
      await hands.press(page.getByRole('button', { name: 'Begin the rollout' }));
      const now = page.getByRole('table', { name: 'What callers get now' });
      await now.getByText('canary').waitFor();
      expect(await served()).to.equal('canary');
      await now
        .locator('tr', { hasText: 'next' })
        .getByText('1', { exact: true })
        .waitFor({ timeout: 20_000 });

      await hands.press(page.getByRole('button', { name: `Roll back to ${stable}` }));
      await page.getByText(`Everybody gets ${stable}.`).waitFor();
      expect(await served()).to.equal('stable');
      const history = page.getByRole('table', { name: 'History of the shares' });
      await history.getByText('rolled back').waitFor();
      await history.getByText('A first try').waitFor();

      await hands.press(page.getByRole('button', { name: 'End the rollout' }));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'End the rollout' }));
      await page.getByRole('button', { name: 'Begin the rollout' }).waitFor();
      expect([...faults, ...theirs.faults]).to.deep.equal([]);
    });
  }

  it('keeps what was entered when somebody else changed the shares, and is clear on every screen', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { id } = await twoVersions(caller);
    await page.goto(rolloutOf(id));
    await page.getByRole('button', { name: 'Begin the rollout' }).click();
    await page.getByRole('button', { name: 'Change the shares' }).waitFor();
    await page.getByRole('link', { name: 'Performance' }).waitFor();
    await inEveryLook(page, 'rollout');
    await page.getByRole('spinbutton', { name: 'Percentage of next' }).fill('40');
    await page.route('**/gateway/routes/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await caller.call('POST', `/gateway/routes/${id}/rollback`, {});
    await page.getByRole('button', { name: 'Change the shares' }).click();
    await page.getByText('route_conflict').waitFor();
    expect(await page.getByRole('spinbutton', { name: 'Percentage of next' }).inputValue()).to.equal('40');
    expect(faults).to.deep.equal([]);
  });

  it('keeps what was entered when the session has ended', async () => {
    const { page, ...caller } = await asAdministrator(stage);
    const { id } = await twoVersions(caller);
    await page.goto(rolloutOf(id));
    const share = page.getByRole('spinbutton', { name: 'Percentage of next' });
    await share.fill('40');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Begin the rollout' }).click();
    await signInAgain(page);
    expect(await share.inputValue()).to.equal('40');
    await page.getByRole('button', { name: 'Begin the rollout' }).click();
    await page.getByRole('button', { name: 'Change the shares' }).waitFor();
  });
});
