import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { asAdministrator, inEveryLook, lookAgain } from '../support/administration.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow } from '../support/console.ts';
import { until } from '../support/until.ts';

const expectValue = (field: Locator, value: string): Promise<void> =>
  until(async () => (await field.inputValue()) === value);

describeConsole('what records keep of an algorithm', (stage) => {
  for (const hands of allHands) {
    it(`is set, after a look at what an example would leave, and holds for the next call, ${hands.name}`, async () => {
      const { page, faults, ...caller } = await asAdministrator(stage, hands);
      const { algorithms } = await caller.call('GET', '/algorithms?q=language%20detection');
      const { id, versions } = await caller.call('GET', `/algorithms/${algorithms[0].id}`);
      const [example] = await caller.call('GET', `/algorithms/${id}/versions/${versions[0].id}/examples`);
      await page.goto(`/administration/algorithms/${id}?tab=payloads`);
      const preview = page.getByRole('region', { name: 'What a record would keep' });
      const [first] = Object.keys(example.input_data);
      await preview.getByText(`"${first}"`).first().waitFor();
      await page.getByLabel('Input: what is kept').selectOption('redact');
      await hands.write(page.getByLabel('Input: fields to hide'), `/${first}`);
      await preview.getByText('"[redacted]"').waitFor();
      await page.getByLabel('Output: what is kept').selectOption('drop');
      await preview.getByText('Nothing.').waitFor();
      expect(await overflow(page)).to.equal(0);
      await hands.press(page.getByRole('button', { name: 'Save' }));
      await page.getByText(/^Changed on .* by ada\.$/).waitFor();

      const { input_data, params } = example;
      const body = { algorithm_id: id, version_id: versions[0].id, input_data, params };
      const made = await caller.call('POST', '/algorithms/call', body);
      const record = await caller.call('GET', `/algorithms/calls/${made.id}`);
      expect(record.input_data[first!]).to.equal('[redacted]');
      expect(record.output_data).to.equal(null);

      await hands.press(page.getByRole('button', { name: 'Keep everything again' }));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Keep everything again' }));
      await preview.getByText('"[redacted]"').waitFor({ state: 'detached' });
      expect(faults).to.deep.equal([]);
    });
  }

  it('shows the fields that somebody else has hidden meanwhile, and so does not lay them open', async () => {
    const { page, call } = await asAdministrator(stage);
    const { algorithms } = await call('GET', '/algorithms?q=language%20detection');
    const hide = (...pointers: readonly string[]): Promise<unknown> =>
      call('PUT', `/algorithms/${algorithms[0].id}/payload-policy`, {
        input_data: { mode: 'redact', pointers },
        params: { mode: 'store' },
        output_data: { mode: 'store' },
      });
    await hide('/text');
    await page.clock.install();
    await page.goto(`/administration/algorithms/${algorithms[0].id}?tab=payloads`);
    const field = page.getByLabel('Input: fields to hide');
    await field.waitFor();
    await hide('/text', '/name');
    await lookAgain(page);
    await expectValue(field, '/text\n/name');
    await field.fill('/text\n/name\n\n/age');
    expect(await field.inputValue()).to.equal('/text\n/name\n\n/age');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectValue(field, '/text\n/name\n/age');
  });

  it('is refused at its place, and is clear on every screen', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const { algorithms } = await caller.call('GET', '/algorithms?q=language%20detection');
    await page.goto(`/administration/algorithms/${algorithms[0].id}?tab=payloads`);
    await page.getByLabel('Parameters: what is kept').selectOption('redact');
    const places = page.getByLabel('Parameters: fields to hide');
    await places.fill('name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('"name" does not begin with "/". Write "/name".', { exact: true }).waitFor();
    expect(await places.getAttribute('aria-invalid')).to.equal('true');
    expect(await places.inputValue()).to.equal('name');
    await page.getByLabel('Input: what is kept').selectOption('redact');
    await page.getByText('Fields of the example').first().click();
    await page
      .getByRole('button', { name: /^Hide \// })
      .first()
      .click();
    await page.getByText('"[redacted]"').waitFor();
    await page.getByText('for ever').first().waitFor();
    await inEveryLook(page, 'payloads');
    expect(faults).to.deep.equal([]);
  });
});
