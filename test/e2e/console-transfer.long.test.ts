import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parse, stringify } from 'yaml';
import { asAdministrator, inEveryLook } from '../support/administration.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { allHands } from '../support/console-hands.ts';
import { describeConsole, overflow, PASSWORD } from '../support/console.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';

const ADDRESS = '/administration/transfer';
const file = (document: unknown, name = 'catalogue.yaml') => ({
  name,
  mimeType: 'application/yaml',
  buffer: Buffer.from(typeof document === 'string' ? document : stringify(document)),
});
const importOn = (page: Page) => page.getByRole('region', { name: 'Import' });
const rowsOf = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody tr');

describeConsole('import and export in the console', (stage) => {
  let other: ServiceProcess | undefined;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-transfer-'));
  });
  afterEach(async () => {
    await other?.end();
    other = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  it('carry the catalogue to a second service, which first tells what would change', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    const fields = { name: 'Tides', description: '', type: 'time_series', tags: ['carried'] };
    const { id } = await caller.call('POST', '/algorithms', fields);
    const version = { version: '1.0', url: 'https://example.org/tides' };
    await caller.call('POST', `/algorithms/${id}/versions`, version);
    await page.goto(ADDRESS);
    await page.getByLabel('Chosen algorithms').check();
    await page.getByRole('combobox', { name: 'Add an algorithm by name' }).fill('tid');
    await page.getByRole('option', { name: 'Tides' }).click();
    await page.getByText('1 algorithm', { exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const path = join(folder, 'catalogue.yaml');
    await (await downloading).saveAs(path);
    expect(parse(readFileSync(path, 'utf8')).algorithms).to.have.length(1);

    other = await startService({ DATA_DIR: join(folder, 'data'), PLUGINS_DISABLED: 'samples' });
    const theirs = await stage.open('/register', { baseURL: other.url });
    await theirs.page.getByLabel('Username').fill('linus');
    await theirs.page.getByLabel('E-mail address').fill('linus@example.org');
    await theirs.page.getByLabel('Password').fill(PASSWORD);
    await theirs.page.getByRole('button', { name: /^Create/ }).click();
    await theirs.page.waitForURL(`${other.url}/`);
    await theirs.page.goto(ADDRESS);
    await theirs.page.getByLabel('File', { exact: true }).setInputFiles(path);
    await theirs.page.getByRole('button', { name: 'Check what would change' }).click();
    await theirs.page.getByRole('heading', { name: /^The import would make \d+ changes$/ }).waitFor();
    const first = rowsOf(theirs.page, 'Changes').first();
    expect(await first.innerText()).to.contain('algorithm "Tides"');
    const seen = async () =>
      (await (await theirs.page.request.get(`${other!.url}/api/v1/algorithms`)).json()).algorithms;
    expect(await seen()).to.deep.equal([]);
    expect(await accessibilityFaults(theirs.page)).to.deep.equal([]);
    await theirs.page.getByRole('button', { name: /^Make \d+ changes$/ }).click();
    await theirs.page.getByRole('heading', { name: /^The import made \d+ changes$/ }).waitFor();
    expect((await seen()).map(({ tags }: { tags: string[] }) => tags)).to.deep.equal([['carried']]);
    await theirs.page.getByRole('button', { name: 'Check what would change' }).click();
    await theirs.page.getByRole('heading', { name: /^Nothing to change/ }).waitFor();
    expect([...faults, ...theirs.faults]).to.deep.equal([]);
  });

  for (const hands of allHands) {
    it(`make one change, and call it one, ${hands.name}`, async () => {
      const { page, faults } = await asAdministrator(stage, hands);
      await page.goto(ADDRESS);
      const algorithm = { name: 'Carried', description: '', type: 'nlp' };
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles(file({ vitrine: 1, algorithms: [algorithm] }));
      await hands.press(page.getByRole('button', { name: 'Check what would change' }));
      await page.getByRole('heading', { name: 'The import would make 1 change', exact: true }).waitFor();
      expect(await overflow(page)).to.equal(0);
      await hands.press(page.getByRole('button', { name: 'Make 1 change', exact: true }));
      await page.getByRole('heading', { name: 'The import made 1 change', exact: true }).waitFor();
      expect(faults).to.deep.equal([]);
    });
  }

  it('ask before they delete', async () => {
    const { page, faults, ...caller } = await asAdministrator(stage);
    await page.goto(ADDRESS);
    const { document } = { document: await caller.call('GET', '/catalogue/export?format=json') };
    document.algorithms.shift();
    await page.getByLabel('File', { exact: true }).setInputFiles(file(document));
    await page.getByLabel(/^Delete what the file does not name/).check();
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await page.getByRole('button', { name: 'Make 1 change', exact: true }).waitFor();
    await inEveryLook(page, 'transfer');
    await page.getByRole('button', { name: 'Make 1 change', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 entry?' });
    await dialog.getByRole('button', { name: 'Make 1 change' }).click();
    await page.getByRole('heading', { name: 'The import made 1 change', exact: true }).waitFor();
    const { total } = await caller.call('GET', '/algorithms');
    expect(total).to.equal(document.algorithms.length);
    expect(faults).to.deep.equal([]);
  });

  it('name the line of each fault, in either language', async () => {
    const { page, faults } = await asAdministrator(stage);
    await page.goto(ADDRESS);
    const wrong = `vitrine: 1
algorithms:
  - name: A
    description: ''
    type: nlp
    versions:
      - version: '1.0'
        url: ftp://example.org
  - name: B
    description: ''
    type: nlp
    versions:
      - version: '1.0'
        url: https://example.org
        input_schema: { type: object, properties: { a: { type: text } } }
`;
    await page.getByLabel('File', { exact: true }).setInputFiles(file(wrong));
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await page.getByRole('heading', { name: 'The file has 2 errors' }).waitFor();
    const lines = rowsOf(page, 'Errors').locator('td.number');
    expect(await lines.allInnerTexts()).to.deep.equal(['8', '15']);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByLabel('File', { exact: true }).setInputFiles(file('vitrine: 1\nalgorithms: [\n'));
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await page.getByRole('heading', { name: /^The file has 1 error/ }).waitFor();
    expect(Number(await lines.first().innerText())).to.be.within(2, 3);
    await page.locator('[popovertarget=menu]').click();
    await page.getByRole('button', { name: '简体中文' }).click();
    await page.getByRole('heading', { name: '导入和导出' }).waitFor();
    expect(await importOn(page).count(), 'the English name is gone').to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('say of a file that was changed after it was chosen that it is to be chosen again', async () => {
    const { page, faults } = await asAdministrator(stage);
    const path = join(folder, 'catalogue.yaml');
    writeFileSync(path, 'algorithms: {');
    await page.goto(ADDRESS);
    await page.getByLabel('File', { exact: true }).setInputFiles(path);
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await page.getByText(/^The file has \d error/).waitFor();
    writeFileSync(path, 'vitrine: 1\nalgorithms: []\n');
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await page.getByText('It was changed or moved after it was chosen. Choose it again.').waitFor();
    expect(await page.getByText('The service does not answer').count()).to.equal(0);
    await page.getByLabel('File', { exact: true }).setInputFiles(path);
    await page.getByRole('button', { name: 'Check what would change' }).click();
    await importOn(page).getByRole('status').or(importOn(page).getByRole('alert')).first().waitFor();
    expect(faults).to.deep.equal([]);
  });
});
