import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { asAdministrator, createUsers, signedInAs } from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { allHands, type Hands } from '../support/console-hands.ts';
import { describeConsole, openAlgorithm, overflow, run } from '../support/console.ts';
import { startUpstream } from '../support/upstream.ts';

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Gateway' }).getByRole('link', { name });

/** Chooses what a finder found for a part of its name. */
async function pick(hands: Hands, page: Page, field: string, part: string, name: string): Promise<void> {
  const combobox = page.getByRole('combobox', { name: field });
  await hands.write(combobox, part);
  const option = page.getByRole('option', { name });
  await option.waitFor();
  await hands.press(hands.name.includes('keyboard') ? combobox : option);
}

describeConsole(
  'the gateway in the administration',
  (stage) => {
    for (const hands of allHands) {
      it(`limits and blocks a caller, says why, and lets calls pass again, ${hands.name}`, async () => {
        const { page, faults, ...caller } = await asAdministrator(stage, hands);
        await createUsers(caller, 'grace');
        const { page: theirs } = await signedInAs(stage, 'grace');
        await openAlgorithm(theirs, 'Text similarity');
        const succeeds = async (): Promise<void> => {
          await run(theirs);
          await theirs.getByText('success', { exact: true }).first().waitFor();
          await theirs.reload();
        };
        const isRefused = async (reason: string): Promise<void> => {
          await run(theirs);
          await theirs.getByRole('alert').getByText(reason).first().waitFor();
          await theirs.reload();
        };
        const asksWhy = async (): Promise<void> => {
          await hands.press(tab(page, 'Why is a call refused?'));
          await pick(hands, page, 'Find by name or e-mail', 'gra', 'grace');
          await page.getByRole('heading', { name: 'Such a call would be refused.' }).waitFor();
        };

        await page.goto('/administration/gateway');
        await hands.press(page.getByRole('button', { name: 'New limit' }));
        const dialog = page.getByRole('dialog');
        await hands.write(dialog.getByLabel('Name', { exact: true }), 'Slowly');
        await hands.press(dialog.getByRole('button', { name: 'Create the limit' }));
        await hands.write(dialog.getByLabel('Calls', { exact: true }), '1');
        await hands.press(dialog.getByRole('button', { name: 'Create the limit' }));
        await dialog.getByText('Choose one first.').waitFor();
        await pick(hands, page, 'Find by name or e-mail', 'gra', 'grace');
        await dialog.getByRole('button', { name: 'Remove the filter grace' }).waitFor();
        await dialog.getByRole('combobox', { name: 'Within' }).selectOption('hours');
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await hands.press(dialog.getByRole('button', { name: 'Create the limit' }));
        await page.getByText('1 call within 1 hour').waitFor();
        await page.getByText('User grace').waitFor();
        expect(await overflow(page)).to.equal(0);

        await succeeds();
        await isRefused('rate_limited');
        await asksWhy();
        await page.getByText('A limit is used up. User: 1 call within 1 hour.').waitFor();
        await page.getByText(/Such calls are sent again from .* \(in (59|60) min\.?\)/).waitFor();
        await page.getByRole('cell', { name: '0 of 1' }).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        expect(await overflow(page)).to.equal(0);
        await hands.press(page.getByRole('link', { name: 'Go to the limit' }));
        await hands.write(dialog.getByLabel('Calls', { exact: true }), '100');
        await hands.press(dialog.getByRole('button', { name: 'Save' }));
        await page.getByText('100 calls within 1 hour').waitFor();
        await succeeds();

        await hands.press(tab(page, 'Blocks'));
        await page.getByText('Nobody is blocked').waitFor();
        await hands.press(page.getByRole('button', { name: 'New block' }));
        await pick(hands, page, 'Find by name or e-mail', 'gra', 'grace');
        await hands.write(dialog.getByLabel('Reason'), 'Too eager');
        await hands.press(dialog.getByRole('button', { name: 'Block', exact: true }));
        await page.getByRole('cell', { name: 'Too eager' }).waitFor();
        await isRefused('Too eager');
        await asksWhy();
        await page.getByText('Blocked: User grace. The reason given: “Too eager”').waitFor();
        await page
          .getByText(/Such calls are sent again from .* \((in 24 hr|tomorrow|in 23 hr)\.?\)/)
          .waitFor();
        await hands.press(page.getByRole('link', { name: 'Go to the block' }));
        await hands.press(dialog.getByRole('button', { name: 'Cancel' }).first());
        await hands.press(page.getByRole('button', { name: 'Lift the block of User grace' }));
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await hands.press(dialog.getByRole('button', { name: 'Lift' }));
        await page.getByText('Nobody is blocked').waitFor();
        await succeeds();
        const counted = page.getByRole('region', { name: 'Calls by outcome' });
        await counted.getByText('5', { exact: true }).waitFor();
        expect(faults).to.deep.equal([]);
      });
    }

    it('asks before what was entered about a limit is lost, which an address opened', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      const limit = { name: 'All', subject: 'user', subject_id: null, limit: 5, window_s: 60 };
      const { id } = await caller.call('POST', '/gateway/policies', limit);
      await page.goto('/administration/gateway/limits');
      await page.getByRole('button', { name: 'All', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: /All/ });
      const calls = dialog.getByLabel('Calls', { exact: true });
      await calls.fill('6');
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Cancel' }).last().click();
      await page.goBack();
      await question.getByRole('button', { name: 'Cancel' }).last().click();
      expect(await calls.inputValue()).to.equal('6');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('6 calls within 1 minute').waitFor();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await calls.fill('7');
      await dialog.getByRole('button', { name: 'Cancel' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      expect(await question.count()).to.equal(0);
      expect((await caller.call('GET', `/gateway/policies/${id}`)).limit).to.equal(6);
      expect(faults).to.deep.equal([]);
    });

    it('lets a block end when it did where only its reason is changed', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      const until = '2099-05-31T10:00:30.000Z';
      const block = { subject: 'network', value: '192.0.2.0/24', reason: 'Too eager', until };
      const { id } = await caller.call('POST', '/gateway/blocks', block);
      await page.goto(`/administration/gateway/blocks?open=${id}`);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Far too eager');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Far too eager' }).waitFor();
      const changed = await caller.call('GET', `/gateway/blocks/${id}`);
      expect(new Date(changed.until).toISOString()).to.equal(until);
      expect(faults).to.deep.equal([]);
    });

    it('shows an open circuit with why and until when, and closes it', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      const upstream = await startUpstream((_request, response) => response.writeHead(500).end());
      try {
        const { id } = await caller.call('POST', '/algorithms', {
          name: 'Frail',
          description: '',
          type: 'demo',
        });
        const { id: version_id } = await caller.call('POST', `/algorithms/${id}/versions`, {
          version: '1',
          url: upstream.url,
        });
        const call = () =>
          caller.call('POST', '/algorithms/call', { algorithm_id: id, version_id, input_data: {} });
        await page.goto('/administration/gateway/circuits');
        await page.getByText('All circuits are closed').waitFor();
        for (let i = 0; i < 5; i += 1) await call();
        const row = page.getByRole('row', { name: /Frail/ });
        await row.getByText('5 failures in a row').waitFor();
        await row.getByText(/^in \d+ (sec|min)/).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.goto(`/administration/gateway/check?algorithm=${id}`);
        await page.getByText('The version failed again and again').waitFor();
        await page.getByRole('link', { name: 'Go to the circuits' }).click();
        await row.getByRole('button', { name: 'Close the circuit of Frail' }).click();
        await page.getByText('All circuits are closed').waitFor();
        expect((await call()).error_code).to.equal('upstream_error');
        await page.goto('/administration/audit');
        await page.getByRole('button', { name: 'Closed a circuit' }).waitFor();
        expect(faults).to.deep.equal([]);
      } finally {
        await upstream.stop();
      }
    });

    it('says at its field what is wrong, and keeps what was typed', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      await caller.call('POST', '/gateway/policies', { name: 'All', subject: 'algorithm', limit: 9 });
      await page.goto('/administration/gateway');
      await page.getByText('All algorithms without their own limit').waitFor();
      await page
        .getByText('Other users have the limit from the settings: 600 calls within 1 minute.')
        .waitFor();
      await page.getByRole('button', { name: 'New limit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Once more');
      await dialog.getByLabel('For').selectOption('Algorithm');
      await dialog.getByLabel('All algorithms without').check();
      await dialog.getByLabel('Calls at once').fill('2');
      await dialog.getByRole('button', { name: 'Create the limit' }).click();
      await dialog.getByText('gateway_policy_exists').waitFor();
      expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Once more');
      await dialog.getByRole('button', { name: 'Cancel' }).last().click();
      await page.getByRole('button', { name: 'Delete All' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No limits apart from those in the settings').waitFor();
      await page.goto('/administration/gateway/blocks');
      await page.getByRole('button', { name: 'New block' }).click();
      await dialog.getByLabel('Applies to').selectOption('Address or network');
      await dialog.getByLabel('Address or network', { exact: true }).last().fill('192.0.2.0/99');
      await dialog.getByLabel('Reason').fill('Scans');
      await dialog.getByRole('button', { name: 'Block', exact: true }).click();
      await dialog.getByText('is not an IP address or a network').first().waitFor();
      await dialog.getByLabel('Address or network', { exact: true }).last().fill('192.0.2.0/24');
      await dialog.getByRole('button', { name: 'Block', exact: true }).click();
      await page.getByRole('cell', { name: 'Scans' }).waitFor();
      await page.goto('/administration/gateway/check');
      await page.getByRole('heading', { name: 'Such a call would be sent now.' }).waitFor();
      await page.getByLabel('Address').fill('192.0.2');
      await page.getByText('must be one IP address').waitFor();
      await page.getByLabel('Address').fill('192.0.2.7');
      await page.getByText('Blocked: Address or network 192.0.2.0/24. The reason given: “Scans”').waitFor();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('button', { name: '简体中文' }).click();
      await page.getByRole('heading', { name: '这样的调用会被拒绝。' }).waitFor();
      await page.getByText('原因：“Scans”').waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(faults.filter((fault) => !/409|422/.test(fault))).to.deep.equal([]);
    });
  },
  { GATEWAY_BREAKER_OPEN_MS: '300000', EGRESS_ALLOW: '127.0.0.0/8' },
);
