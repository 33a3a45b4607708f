import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, openAlgorithm, overflow, PASSWORD, run } from '../support/console.ts';
import { deployPlugin, pluginFolder } from '../support/packed-plugin.ts';
import { clientOf } from '../support/service-client.ts';

let project: string | undefined;
let plugins: string;

/** The plugin from outside, built once, as a folder of a deployment. */
function withPlugin(): Record<string, string> {
  if (project === undefined) {
    project = deployPlugin();
    plugins = mkdtempSync(join(tmpdir(), 'vitrine-plugins-'));
    mkdirSync(plugins, { recursive: true });
    symlinkSync(pluginFolder(project), join(plugins, 'call-notes'), 'dir');
  }
  return { PLUGINS_PATH: plugins, PLUGINS_ENABLED: 'call-notes' };
}

const fileOf = (name: string): string => join(pluginFolder(project!), 'dist/pages', name);

/** Goes to a page of a plugin by the menu. */
async function choose(page: Page, title: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('button', { name: 'More' }).click();
  await menu.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

describe('pages of a plugin from outside', () => {
  after(() => {
    for (const folder of [project, plugins]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  describeConsole(
    'in the console',
    (stage) => {
      const { open, signUp } = stage;
      const asAdministrator = async (path = '/') => {
        const watched = await open('/register');
        await signUp(watched.page);
        if (path !== '/') await watched.page.goto(path);
        return watched;
      };

      it('shows panels without code, with what is empty, and again after there is something', async () => {
        const { page, faults } = await asAdministrator();
        await choose(page, 'Call notes');
        await page.getByText('Notes that people wrote on their calls.').waitFor();
        await page.getByRole('region', { name: 'Calls heard of' }).getByText('0 calls').waitFor();
        await page.getByRole('region', { name: 'Latest notes' }).getByText('Nothing here yet.').waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        const call = await noteOnACall(stage.service.url);
        await page.reload();
        await page.getByRole('cell', { name: 'good' }).waitFor();
        await page.getByText(/^[1-9]\d* calls$/).waitFor();
        expect(call).to.match(/^\w+/);
        await page.getByRole('button', { name: 'ada' }).click();
        await page.getByRole('button', { name: '简体中文' }).click();
        await page.getByRole('heading', { name: '调用笔记' }).waitFor();
        expect(faults).to.deep.equal([]);
      });

      it('says in the panel alone that its operation fails, and tries again', async () => {
        const { page } = await asAdministrator();
        let isDown = true;
        await page.route('**/api/v1/call-notes?*', (route) =>
          isDown
            ? route.fulfill({ status: 503, json: { code: 'store_unavailable', detail: 'No database.' } })
            : route.continue(),
        );
        await choose(page, 'Call notes');
        const panel = page.getByRole('region', { name: 'Latest notes' });
        await panel.getByText('No database.').waitFor({ timeout: 30_000 });
        await page.getByText('Notes that people wrote on their calls.').waitFor();
        isDown = false;
        await panel.getByRole('button', { name: 'Try again' }).click();
        await panel.getByText('Nothing here yet.').waitFor();
      });

      it('runs a plain module with the session, its styles and the navigation', async () => {
        const { page, faults } = await asAdministrator();
        const call = await noteOnACall(stage.service.url);
        await choose(page, 'Notes on a call');
        const field = page.getByLabel('Id of a call');
        await field.fill('none');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByText('call_not_found').waitFor();
        await field.fill(call);
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByRole('listitem').getByText('good').waitFor();
        expect(
          await page.evaluate(`getComputedStyle(document.querySelector('.call-notes')).display`),
        ).to.equal('flex');
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.getByRole('button', { name: 'Go to the call' }).click();
        await page.waitForURL(`${stage.service.url}/calls/${call}`);
        expect(faults).to.deep.equal([]);
      });

      it('lends React to a module, which follows the theme, and fails in its own place', async () => {
        const { page, faults } = await asAdministrator();
        const loaded = (): Promise<string[]> =>
          page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`);
        expect((await loaded()).filter((path) => path.includes('shared'))).to.deep.equal([]);
        await choose(page, 'Call counter');
        await page.getByText('0 calls heard, in the light theme').waitFor();
        expect((await loaded()).some((path) => path.includes('shared'))).to.equal(true);
        await page.getByRole('button', { name: 'Use the dark theme' }).click();
        await page.getByText('0 calls heard, in the dark theme').waitFor();
        expect(faults).to.deep.equal([]);
        await page.getByRole('button', { name: 'Break' }).click();
        const alert = page.getByRole('alert');
        await alert.getByText('The counter broke').waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await alert.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('0 calls heard, in the dark theme').waitFor();
        expect(await alert.count()).to.equal(0);
        await page.getByRole('link', { name: 'History' }).click();
        await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
      });

      it('gives a frame its own operations, and nothing else', async () => {
        const { page, faults } = await asAdministrator();
        await choose(page, 'Framed notes');
        const frame = page.frameLocator('iframe[title="Framed notes"]');
        await frame.getByText('en, light').waitFor();
        await frame.getByText('{"notes":[],"calls_heard":0}').waitFor();
        await frame.getByText('not_of_the_plugin').waitFor();
        await page.locator('iframe[height="240"]').waitFor();
        await page.getByRole('button', { name: 'Use the dark theme' }).click();
        await frame.getByText('en, dark').waitFor();
        const inFrame = page.frames().find((each) => each.url().endsWith('/framed.html'))!;
        expect(await inFrame.evaluate('origin')).to.equal('null');
        const tried = `fetch('${stage.service.url}/api/v1/algorithms').then(() => 'answered', () => 'refused')`;
        expect(await inFrame.evaluate(tried)).to.equal('refused');
        expect(await inFrame.evaluate(`try { parent.document } catch ({ name }) { name }`)).to.equal(
          'SecurityError',
        );
        await frame.getByRole('button', { name: 'History' }).click();
        await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
        // Chromium reports the refused request of the test.
        expect(
          faults.filter((fault) => !/Content Security Policy|api\/v1\/algorithms/.test(fault)),
        ).to.deep.equal([]);
      });

      it('says where a module throws, has no mount or is missing, and goes on once it is mended', async () => {
        const { page } = await asAdministrator();
        const original = readFileSync(fileOf('latest.js'), 'utf8');
        const alert = page.getByRole('alert');
        const again = alert.getByRole('button', { name: 'Try again' });
        try {
          writeFileSync(
            fileOf('latest.js'),
            `export function mount() { throw new Error('No notes today'); }`,
          );
          await choose(page, 'Notes on a call');
          await alert.getByText('No notes today').waitFor();
          expect(await accessibilityFaults(page)).to.deep.equal([]);
          writeFileSync(fileOf('latest.js'), `throw new Error('Broken at once');`);
          await again.click();
          await alert.getByText('Broken at once').waitFor();
          writeFileSync(fileOf('latest.js'), 'export const Mount = () => {};');
          await again.click();
          await alert.getByText('exports no function “mount”').waitFor();
          rmSync(fileOf('latest.js'));
          await again.click();
          await alert.getByText('could not be loaded').waitFor();
          writeFileSync(fileOf('latest.js'), 'export const mount = () => new Promise(() => {});');
          await again.click();
          await alert.getByText('has shown nothing for 10 seconds').waitFor({ timeout: 20_000 });
        } finally {
          writeFileSync(fileOf('latest.js'), original);
        }
        await again.click();
        await page.getByLabel('Id of a call').waitFor();
        expect(await alert.count()).to.equal(0);
      });

      it('says that a frame does not answer', async () => {
        const { page } = await asAdministrator();
        const original = readFileSync(fileOf('framed.js'), 'utf8');
        const alert = page.getByRole('alert');
        try {
          writeFileSync(fileOf('framed.js'), '');
          await choose(page, 'Framed notes');
          await alert.getByText('has shown nothing for 10 seconds').waitFor({ timeout: 20_000 });
        } finally {
          writeFileSync(fileOf('framed.js'), original);
        }
        await alert.getByRole('button', { name: 'Try again' }).click();
        await page.frameLocator('iframe').getByText('en, light').waitFor();
        expect(await alert.count()).to.equal(0);
      });

      it('shows results by a module or a frame, and as the console would as well', async () => {
        const { page, faults } = await asAdministrator();
        await echoing(stage.service.url, {
          type: 'object',
          properties: {
            word: { type: 'string', title: 'Said', 'x-view': { kind: 'call-notes:word', before: 'So ' } },
            input: { type: 'object', title: 'Given', 'x-view': { kind: 'call-notes:framed' } },
          },
        });
        await page.reload();
        await openAlgorithm(page, 'Echo');
        await run(page);
        const said = page.getByRole('group', { name: 'Said' });
        await said.getByText('So hello!').waitFor();
        await page.frameLocator('iframe[title="Framed"]').getByText('en, light, {}').waitFor();
        await said.getByRole('button', { name: 'Value' }).click();
        await said.getByText('hello', { exact: true }).waitFor();
        expect(faults).to.deep.equal([]);
      });

      it('offers visitors only what is for everyone, also on a phone and in the palette', async () => {
        const { page, faults } = await open('/', { viewport: { width: 390, height: 844 } });
        await page.locator('[popovertarget=menu]').click();
        const menu = page.getByRole('navigation', { name: 'Main' });
        await menu.getByRole('link', { name: 'Framed notes' }).waitFor();
        expect(await menu.getByRole('link', { name: 'Call counter' }).count()).to.equal(0);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+k');
        await page.keyboard.type('framed');
        await page.getByRole('option', { name: 'Framed notes' }).click();
        await page.frameLocator('iframe').getByText('en, light').waitFor();
        expect(await overflow(page)).to.equal(0);
        await page.goto('/pages/call-notes/counter');
        await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
        expect(faults).to.deep.equal([]);
      });
    },
    async () => withPlugin(),
  );
});

/** A version that echoes and is described by an output schema; answers what to call. */
async function echoing(url: string, output_schema: object = {}) {
  const client = clientOf(url);
  const { access_token: token } = await client.ok('POST', '/users/login', {
    body: { username: 'ada', password: PASSWORD },
  });
  const body = { name: 'Echo', description: 'Says it again', type: 'demo' };
  const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body });
  const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
    token,
    body: { version: '1', url: 'echo:hello', output_schema },
  });
  return { client, token, algorithm_id, version_id };
}

/** A note on a call of the administrator; answers the id of the call. */
async function noteOnACall(url: string): Promise<string> {
  const { client, token, ...version } = await echoing(url);
  const { id } = await client.ok('POST', '/algorithms/call', { token, body: { ...version, input_data: {} } });
  await client.ok('POST', `/call-notes/${id}`, { token, body: { text: 'good' } });
  return id;
}
