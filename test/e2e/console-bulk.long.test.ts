import { expect } from 'chai';
import { asAdministrator, inEveryLook, type Caller } from '../support/administration.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';

const LIST = '/administration/algorithms?type=batch';
const SETTINGS = { PLUGINS_DISABLED: 'samples' };

async function thirty({ call }: Caller): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= 30; n += 1) {
    const name = `Batch ${String(n).padStart(2, '0')}`;
    ids.push((await call('POST', '/algorithms', { name, description: '', type: 'batch' })).id);
  }
  return ids;
}

const statuses = async ({ call }: Caller) => {
  const { algorithms } = await call('GET', '/algorithms?type=batch&limit=100');
  return (algorithms as readonly { name: string; status: string }[]).map(({ status }) => status);
};

describeConsole(
  'the status of many algorithms',
  (stage) => {
    it('is changed for all that match, and one that fails is named and tried again', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      const ids = await thirty(caller);
      let isRefused = true;
      await page.route(`**/api/v1/algorithms/${ids[11]}`, async (route) => {
        if (!isRefused || route.request().method() !== 'PUT') return route.continue();
        // What the service answers about an algorithm that another administrator deleted meanwhile.
        const url = route.request().url().replace(ids[11]!, '00000000-0000-7000-8000-000000000000');
        await route.fulfill({ response: await route.fetch({ url }) });
      });
      await page.goto(LIST);
      await page.getByRole('button', { name: 'Select all 30' }).click();
      await page.getByText('30 selected').waitFor();
      await page.getByLabel('Change the status …').selectOption('inactive');
      const dialog = page.getByRole('dialog', { name: 'Make 30 algorithms inactive?' });
      await dialog.getByRole('button', { name: /^Make them/ }).click();
      await page.getByText('29 changed, 1 failed.').waitFor();
      const failures = page.getByRole('table', { name: 'What failed' });
      await failures.getByRole('link', { name: 'Batch 12' }).waitFor();
      expect((await statuses(caller)).filter((status) => status === 'inactive')).to.have.length(29);
      await inEveryLook(page, 'bulk');
      isRefused = false;
      await page.getByRole('button', { name: 'Try 1 algorithm again' }).click();
      await page.getByText('1 changed.').waitFor();
      expect(await statuses(caller)).to.deep.equal(Array(30).fill('inactive'));
      expect(faults).to.deep.equal([]);
    });

    it('goes on while one looks at other screens, and can be stopped', async () => {
      const { page, faults, ...caller } = await asAdministrator(stage);
      await thirty(caller);
      await page.route('**/api/v1/algorithms/*', async (route) => {
        if (route.request().method() === 'PUT') await new Promise((resolve) => setTimeout(resolve, 150));
        await route.continue();
      });
      await page.goto(LIST);
      await page.getByRole('button', { name: 'Select all 30' }).click();
      await page.getByLabel('Change the status …').selectOption('deprecated');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Make them/ })
        .click();
      await page.getByRole('progressbar').waitFor();
      await page.getByRole('link', { name: 'Groups', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText(/^\d+ changed, \d+ not changed\.$/).waitFor();
      const before = (await statuses(caller)).filter((status) => status === 'deprecated').length;
      expect(before).to.be.within(1, 29);
      await page.getByRole('button', { name: /^Try \d+ algorithms again$/ }).click();
      await page.getByText(`${30 - before} changed.`).waitFor();
      expect(await statuses(caller)).to.deep.equal(Array(30).fill('deprecated'));
      expect(faults).to.deep.equal([]);
    });

    for (const hands of allHands) {
      it(`is changed for those that are selected one by one, ${hands.name}`, async () => {
        const { page, faults, ...caller } = await asAdministrator(stage, hands);
        await thirty(caller);
        await page.goto(LIST);
        for (const name of ['Batch 30', 'Batch 29']) {
          const box = page.getByRole('checkbox', { name: `Select ${name}` });
          if (hands.name.includes('keyboard')) {
            await box.focus();
            await page.keyboard.press('Space');
          } else {
            await hands.press(box);
          }
        }
        await page.getByText('2 selected').waitFor();
        expect(await overflow(page)).to.equal(0);
        await page.getByLabel('Change the status …').selectOption('inactive');
        const dialog = page.getByRole('dialog', { name: 'Make 2 algorithms inactive?' });
        await hands.press(dialog.getByRole('button', { name: /^Make them/ }));
        await page.getByText('2 changed.').waitFor();
        expect((await statuses(caller)).filter((status) => status === 'inactive')).to.have.length(2);
        expect(faults).to.deep.equal([]);
      });
    }
  },
  SETTINGS,
);
