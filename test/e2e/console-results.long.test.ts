import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { packageRoot } from '../../core/support/package-root.ts';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow, run, type ConsoleStage } from '../support/console.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const PICTURE = drawing(256, 128);
const MARKUP = '<img src=x onerror="window.broken = 1"><script>window.broken = 1</script>';

describeConsole('the results in the console', (stage) => {
  const upstream = givenUpstream();

  it('draws boxes over the picture of the input, whose labels do not collide', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'boxes', { image: PICTURE });
    const labels = page.locator('.box-label');
    await labels.first().waitFor();
    expect(await labels.allInnerTexts())
      .to.include('person 95%')
      .and.include('person 74%');
    expect(collisions(await boxesOf(labels))).to.deep.equal([]);
    const list = page.getByRole('list', { name: 'What was found' });
    expect(await list.getByRole('button').count()).to.equal(7);

    await list.getByRole('button', { name: 'bicycle' }).focus();
    expect(await page.locator('.box.is-active').count()).to.equal(1);
    await page.locator('.box').first().hover();
    expect(await list.locator('[aria-pressed=true]').innerText()).to.contain('car');

    await page.getByRole('button', { name: 'Larger' }).click();
    expect(await page.getByText('150 %').count()).to.equal(1);
    expect(collisions(await boxesOf(labels))).to.deep.equal([]);
    expect(await overflow(page)).to.equal(0);
  });

  it('shows each part by what it is, offers the views that fit, and keeps the choice for all in the address', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'mixed');
    const part = (name: string) => page.getByRole('group', { name, exact: true });
    const viewsOf = (name: string) =>
      part(name).locator('.segments').first().getByRole('button').allInnerTexts();
    expect(await viewsOf('Labels')).to.deep.equal(['Bars', 'Table']);
    expect(await viewsOf('Visits')).to.deep.equal(['Chart', 'Table']);
    await part('Visits').locator('canvas').waitFor();
    await part('Labels').getByRole('button', { name: 'Table' }).click();
    await part('Labels').getByRole('columnheader', { name: 'Score' }).waitFor();
    expect(await part('Odd').locator('.tree').count()).to.equal(1);

    await page.locator('.result-card').getByRole('button', { name: 'Tree' }).click();
    await page.waitForURL(/show=tree/);
    await page.getByText('language:').waitFor();
    await page.locator('.result-card').getByRole('button', { name: 'JSON' }).click();
    expect(await page.locator('.result-card .code').innerText()).to.contain('"language": "de"');
  });

  it('offers files to save, plays sound, and draws SVG', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'files');
    await page.locator('audio').waitFor();
    const duration = () => page.locator('audio').evaluate((player: { duration: number }) => player.duration);
    await page.waitForFunction("document.querySelector('audio').duration > 0.9");
    expect(await duration()).to.equal(1);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('group', { name: 'Report' }).getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(saved.suggestedFilename()).to.equal('report.pdf');
    const drawing = page.frameLocator('iframe').locator('img');
    await drawing.waitFor();
    expect(await drawing.evaluate((img: { naturalWidth: number }) => img.naturalWidth)).to.equal(300);
  });

  it('runs and loads nothing of the markup in outputs, names and errors', async () => {
    const page = await signedIn(stage);
    const seen: string[] = [];
    page.on('dialog', (dialog) => (seen.push('a dialog'), void dialog.dismiss()));
    page.on('console', (message) => message.type() === 'error' && seen.push(message.text()));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(stage.service.url) || /^(data|blob|about):/.test(request.url());
      if (!isOurs) seen.push(request.url());
    });
    for (const kind of ['page', 'hostile-svg', 'names']) {
      await showOutput(page, upstream, kind, {}, { name: MARKUP });
      const frames = await page.locator('iframe').all();
      const rights = await Promise.all(frames.map((frame) => frame.getAttribute('sandbox')));
      expect(new Set(rights)).to.deep.equal(
        new Set({ page: ['allow-scripts'], 'hostile-svg': [''], names: ['allow-scripts'] }[kind]),
      );
      if (kind === 'page')
        await page
          .frameLocator('iframe')
          .frameLocator('iframe')
          .getByRole('heading', { name: 'Report' })
          .waitFor();
      for (const view of ['Tree', 'JSON', 'Preview']) {
        await page.locator('.result-card > header').getByRole('button', { name: view }).click();
        await page.waitForTimeout(200);
      }
      expect(await page.evaluate('window.broken'), kind).to.equal(undefined);
      for (const frame of page.frames()) expect(frame.url()).to.match(/^(about:|http:\/\/127)/);
    }
    await showOutput(page, upstream, 'refuse');
    await page.getByText('onerror').waitFor();
    expect(await page.evaluate('window.broken')).to.equal(undefined);
    expect(seen.filter((each) => !each.startsWith('Failed to load resource'))).to.deep.equal([]);
  });

  it('keeps the styles of a page, and runs none of its scripts, even where they are not left out', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'styled');
    const asked = upstream.requests.length;
    const shown = page.frameLocator('iframe').frameLocator('iframe');
    const colourOf = (name: string) => shown.getByText(name, { exact: true }).evaluate(colourIn);
    await shown.getByText('Inline').waitFor();
    expect(await colourOf('Inline')).to.equal('rgb(1, 2, 3)');
    expect(await colourOf('Of a class')).to.equal('rgb(4, 5, 6)');

    // As if nothing were left out on the way: what is left are the frames and their policies.
    const planted = PLANTED.replaceAll('http://127.0.0.1:9', upstream.url);
    const message = JSON.stringify({ title: 'Planted', page: planted });
    await page.evaluate(
      `document.querySelector('.result-card iframe').contentWindow.postMessage(${message}, '*')`,
    );
    await shown.getByText('Planted').click();
    await page.waitForTimeout(500);
    expect(await colourOf('Planted')).to.equal('rgb(7, 8, 9)');
    for (const frame of page.frames()) {
      const found = await frame.evaluate('[typeof window.broken, document.title.includes("broken")]');
      expect(found).to.deep.equal(['undefined', false]);
    }
    expect(await page.frameLocator('iframe').locator('iframe').getAttribute('sandbox')).to.equal('');
    await shown.getByText('A link').click();
    await page.waitForTimeout(500);
    expect(upstream.requests.length).to.equal(asked);
  });

  for (const kind of ['rows', 'numbers', 'line', 'word', 'deep', 'keys'] as const) {
    it(`does not freeze with megabytes: ${kind}`, async () => {
      const page = await signedIn(stage);
      await page.addInitScript(`
        window.longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
        }).observe({ entryTypes: ['longtask'] })`);
      await showOutput(page, upstream, kind);
      for (const view of ['Tree', 'JSON', 'Preview']) {
        await page.locator('.result-card > header').getByRole('button', { name: view }).click();
        await page.waitForTimeout(500);
        const more = page.locator('.result-card').getByRole('button', { name: /^Show/ }).first();
        if (await more.isVisible()) await more.click();
        await page.waitForTimeout(500);
      }
      // Reading the answer is part of it. The longest task takes a third of this on a machine that is busy.
      expect(await page.evaluate('window.longest'), 'longest task in milliseconds').to.be.below(1_000);
    });
  }

  it('sorts ten thousand rows by each column, and turns their pages', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'rows');
    const table = page.locator('.result-table');
    const first = () => table.locator('tbody tr').first().locator('td').allInnerTexts();
    expect(await first()).to.include('row 0');
    await table.getByRole('button', { name: 'Id' }).click();
    await table.getByRole('button', { name: 'Id' }).click();
    expect((await first())[0]).to.equal('9,999');
    expect(await table.getByRole('columnheader', { name: 'Id' }).getAttribute('aria-sort')).to.equal(
      'descending',
    );
    await table.getByRole('button', { name: 'Next' }).click();
    expect((await first())[0]).to.equal('9,899');
    await table.getByText('Rows 101 to 200 of 10,000').waitFor();
    expect(await table.locator('tbody tr').count()).to.equal(100);
  });

  it('says before the first run what is filled in: an example, an earlier call, or nothing', async () => {
    const page = await signedIn(stage);
    await openOutput(page, upstream, 'mixed');
    await page.getByText('An example is filled in.').waitFor();
    await page.getByLabel('Kind').fill('files');
    await page.getByText('Enter the input, and run it.').waitFor();
    await run(page);
    await page.locator('.result-card').getByRole('link', { name: 'Open the call' }).click();
    await page.getByRole('link', { name: 'Run again' }).waitFor();
    const before = upstream.requests.length;
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.locator('.result-card').getByText('success').waitFor();
    expect(upstream.requests.length - before, 'run again').to.equal(1);
    await page.reload();
    await page.getByText('What an earlier call sent is filled in.').waitFor();
    expect(upstream.requests.length - before, 'loaded anew').to.equal(1);
    expect(await page.getByLabel('Kind').inputValue()).to.equal('files');

    const { id } = await post(page, '/algorithms', { name: 'Bare', description: 'Bare', type: 'demo' });
    await post(page, `/algorithms/${id}/versions`, { version: '1', url: `${upstream.url}/mixed` });
    await page.goto(`/algorithms/${id}`);
    await page.getByText('Enter the input, and run it.').waitFor();
  });

  it('tells how long the call runs, stops it, and marks a result that the input has left behind', async () => {
    const page = await signedIn(stage);
    await openOutput(page, upstream, 'slow');
    await run(page);
    const card = page.locator('.result-card');
    await card.getByText(/^[1-9]\.\d s$/).waitFor();
    await card.getByRole('button', { name: 'Stop' }).click();
    await card.getByText('The request was stopped').waitFor();
    expect(await card.getByRole('link', { name: 'Look in the history' }).count()).to.equal(1);

    await showOutput(page, upstream, 'mixed');
    await page.getByLabel('Kind').fill('something else');
    await card.getByText('The input has changed').waitFor();
    await card.getByRole('link', { name: 'Open the call' }).click();
    await page.waitForURL(/\/calls\//);
    await page.getByRole('group', { name: 'Visits' }).waitFor();
  });

  it('runs by a double click as by a single one, and stops by a click later on', async () => {
    const page = await signedIn(stage);
    await openOutput(page, upstream, 'slow');
    const before = upstream.requests.length;
    await page.locator('.actions').getByRole('button', { name: 'Run' }).dblclick();
    await page
      .locator('.result-card')
      .getByText(/^[1-9]\.\d s$/)
      .waitFor();
    expect(upstream.requests.length - before).to.equal(1);
    await page.locator('.actions').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The request was stopped').waitFor();
  });

  it('runs by Ctrl-Enter wherever the focus is, except in a dialog', async () => {
    const page = await signedIn(stage);
    await openOutput(page, upstream, 'mixed');
    const before = upstream.requests.length;
    await page.locator('.input-card form').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Algorithms, pages' }).press('Control+Enter');
    await page.goto(page.url());
    await page.locator('.input-card form').waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('.result-card').getByText('success').waitFor();
    expect(upstream.requests.length - before).to.equal(1);
  });

  it('says what failed and what to do next, and when the outcome is not known', async () => {
    const page = await signedIn(stage);
    await showOutput(page, upstream, 'refuse');
    const alert = page.locator('.result-card').getByRole('alert');
    expect(await alert.innerText())
      .to.contain('The algorithm refused the input')
      .and.contain('Change the input')
      .and.contain('upstream_rejected')
      .and.contain('Request id');

    await page.route('**/algorithms/call', (route) =>
      route.fulfill({ status: 504, body: 'Gateway Timeout' }),
    );
    await run(page);
    await page.getByText('The answer did not come in time').waitFor();
    await page.getByText('Whether the algorithm did its work is not known').waitFor();
    await page.unroute('**/algorithms/call');
    await page.route('**/algorithms/call', (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No answer came').waitFor();
    await page.unroute('**/algorithms/call');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The algorithm refused the input').waitFor();
  });

  it('is used by keyboard, and has no accessibility fault, light, dark and on a phone', async function () {
    this.timeout(300_000);
    const first = await signedIn(stage);
    const storageState = await first.context().storageState();
    for (const look of [{}, { colorScheme: 'dark' as const }, { viewport: { width: 390, height: 844 } }]) {
      const { page, faults } = await stage.open('/', { ...look, storageState });
      for (const kind of ['boxes', 'mixed', 'files', 'rows', 'page', 'refuse']) {
        await showOutput(page, upstream, kind, kind === 'boxes' ? { image: PICTURE } : {});
        expect(await accessibilityFaults(page), kind).to.deep.equal([]);
        expect(await overflow(page), kind).to.equal(0);
      }
      await showOutput(page, upstream, 'boxes', { image: PICTURE });
      await page.getByRole('button', { name: 'Larger' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.locator('.box-list [aria-pressed=true]').innerText()).to.contain('car');
      for (const view of ['Tree', 'JSON', 'Code']) {
        await page.locator('.result-card > header').getByRole('button', { name: view }).press('Enter');
        await page.waitForURL(new RegExp(`show=${view === 'JSON' ? 'raw' : view.toLowerCase()}`));
        expect(await accessibilityFaults(page), view).to.deep.equal([]);
        expect(await overflow(page), view).to.equal(0);
      }
      expect(faults).to.deep.equal([]);
    }
  });
});

describeConsole(
  'a limit in the console',
  (stage) => {
    const upstream = givenUpstream();

    it('says when to come again, counts down, and then runs', async () => {
      const page = await signedIn(stage);
      await showOutput(page, upstream, 'mixed');
      await run(page);
      await page.getByText(/Come again at/).waitFor();
      const again = page.getByRole('button', { name: /^Try again/ });
      expect(await again.isDisabled()).to.equal(true);
      expect(await again.innerText()).to.match(/Try again in \d+ s/);
      await page.getByText('It can be run again now').waitFor({ timeout: 30_000 });
      await again.click();
      await page.getByRole('group', { name: 'Visits' }).waitFor();
    });
  },
  { GATEWAY_RATE_LIMIT: '1', GATEWAY_RATE_WINDOW_S: '6' },
);

describeConsole('the code of a call', (stage) => {
  const upstream = givenUpstream();
  const hostile = {
    kind: 'echo',
    quotes: `' " \` """ ''' $HOME $(id) \${x} %s \\n \\ */ // # {{x}} <!-- </script>`,
    lines: 'one\ntwo\r\n\ttabs\u2028separator\nVITRINE\n',
    unicode: 'schön 漢字 🦊 e\u0301 \u202Eabc @@ @@@',
    'a "key" of its own': { nested: [true, false, null, 0.1, -1e-9, 12345678901, [], {}, [[1], ['a']]] },
    numbers: Array.from({ length: 60 }, (_, i) => i / 7),
  };

  for (const [title, input, fileCount] of [
    ['hostile values', hostile, 0],
    [
      'a picture in a file',
      { ...hostile, image: drawing(40, 30), url: `data:image/png;base64,${drawing(50, 20)}` },
      2,
    ],
    ['more than fits into a program', { kind: 'echo', text: 'Its "quotes" and \\ \n '.repeat(1_600) }, 1],
  ] as const) {
    it(`makes exactly the same call by curl, TypeScript and Python: ${title}`, async function () {
      this.timeout(180_000);
      const page = await signedIn(stage);
      const key = await makeKey(page);
      await showOutput(page, upstream, 'echo', input);
      const expected = upstream.requests.at(-1)!.body.input_data;
      await page.locator('.result-card').getByRole('button', { name: 'Code' }).click();
      for (const language of ['curl', 'TypeScript', 'Python'] as const) {
        await page.getByRole('button', { name: language }).click();
        const code = await page.locator('.result-card pre').innerText();
        expect(code).to.contain('VITRINE_KEY').and.not.contain(key);
        const folder = mkdtempSync(join(tmpdir(), 'vitrine-code-'));
        try {
          const buttons = page.locator('.result-card').getByRole('button', { name: 'Download' });
          expect(await buttons.count()).to.equal(fileCount);
          for (const button of await buttons.all()) {
            const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
            await saved.saveAs(join(folder, saved.suggestedFilename()));
          }
          const before = upstream.requests.length;
          const output = await runProgram(language, code, folder, key);
          expect(output, language).to.match(/\bsuccess\b/);
          expect(upstream.requests.length).to.equal(before + 1);
          expect(upstream.requests.at(-1)!.body.input_data, language).to.deep.equal(expected);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
    });
  }
});

/** Without blocking this process, in which the endpoint answers. */
async function runProgram(
  language: 'curl' | 'TypeScript' | 'Python',
  code: string,
  cwd: string,
  key: string,
): Promise<string> {
  const [name, program, args] = {
    curl: ['call.sh', 'bash', []],
    TypeScript: [
      'call.mts',
      process.execPath,
      ['--import', join(packageRoot, 'node_modules/tsx/dist/loader.mjs')],
    ],
    Python: ['call.py', 'python3', []],
  }[language] as [string, string, string[]];
  writeFileSync(join(cwd, name), code);
  const { stdout } = await promisify(execFile)(program, [...args, name], {
    cwd,
    env: { ...process.env, VITRINE_KEY: key },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

function givenUpstream(): Upstream {
  let started: Upstream | undefined;
  before(async () => {
    started = await startUpstream(async ({ path, body }, response) => {
      const kind = path.slice(1);
      if (kind === 'echo') return { echo: body.input_data };
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 20_000));
      if (kind === 'refuse') response.statusCode = 422;
      return OUTPUTS[kind]?.() ?? {};
    });
  });
  after(() => started?.stop());
  return {
    get url() {
      return started!.url;
    },
    get requests() {
      return started!.requests;
    },
    stop: async () => started?.stop(),
  };
}

async function signedIn(stage: ConsoleStage): Promise<Page> {
  const { page } = await stage.open('/register');
  await stage.signUp(page);
  return page;
}

async function post(page: Page, path: string, body: object): Promise<Record<string, string>> {
  return page.evaluate(
    async ([to, json]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`/api/v1${to}`, { method: 'POST', headers, body: json! });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Record<string, string>;
    },
    [path, JSON.stringify(body)],
  );
}

async function makeKey(page: Page): Promise<string> {
  return (await post(page, '/api-keys', { name: 'program', expires_at: '2099-01-01T00:00:00Z' }))['key']!;
}

/** Opens an algorithm that answers an output of a kind, with an input in its form. */
async function openOutput(
  page: Page,
  upstream: Upstream,
  kind: string,
  input: object = {},
  { name = `Answers ${kind}` }: { readonly name?: string } = {},
): Promise<void> {
  const { id } = await post(page, '/algorithms', { name, description: name, type: 'demo' });
  await post(page, `/algorithms/${id}/versions`, {
    version: '1',
    url: `${upstream.url}/${kind}`,
    input_schema: {
      type: 'object',
      properties: { kind: { type: 'string', title: 'Kind' } },
      examples: [{ kind, ...input }],
    },
  });
  await page.goto(`/algorithms/${id}`);
}

async function showOutput(...args: Parameters<typeof openOutput>): Promise<void> {
  const [page] = args;
  await openOutput(...args);
  await run(page);
  await page.locator('.result-card > header .badge').waitFor({ timeout: 60_000 });
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxesOf(elements: Locator): Promise<readonly Rectangle[]> {
  const found = await Promise.all((await elements.all()).map((each) => each.boundingBox()));
  return found.filter((box) => box !== null);
}

interface Styles {
  getComputedStyle(element: object): { readonly color: string };
}

/** Runs in the browser. */
function colourIn(element: object): string {
  return (globalThis as unknown as Styles).getComputedStyle(element).color;
}

function collisions(boxes: readonly Rectangle[]): readonly string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) =>
          a.x < b.x + b.width - 0.5 &&
          b.x < a.x + a.width - 0.5 &&
          a.y < b.y + b.height - 0.5 &&
          b.y < a.y + a.height - 0.5,
      )
      .map((b) => `${JSON.stringify(a)} ${JSON.stringify(b)}`),
  );
}

function drawing(width: number, height: number): string {
  const png = new PNG({ width, height });
  // Without a pattern, so that it does not become small.
  for (let i = 0; i < png.data.length; i += 1)
    png.data[i] = i % 4 === 3 ? 255 : (i * i * 7 + (i >> 5) * 31) % 256;
  return PNG.sync.write(png).toString('base64');
}

function sound(): string {
  const [rate, header] = [8_000, Buffer.alloc(44)];
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + rate, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(rate, 40);
  return Buffer.concat([header, Buffer.alloc(rate, 128)]).toString('base64');
}

const file = (content_type: string, content: string) => ({
  content_type,
  data_base64: Buffer.from(content).toString('base64'),
});

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><style>rect { fill: teal }</style><rect width="300" height="120"/></svg>`;
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120" onload="top.broken = 1"><script>top.broken = 1</script><image href="http://127.0.0.1:9/x.png"/><a href="javascript:top.broken = 1"><rect width="300" height="120" style="fill: red" onclick="top.broken = 1"/></a></svg>`;
const PAGE = `<!doctype html><html><head><title>Report</title><style>body { background: url(http://127.0.0.1:9/a.png) }</style>
<link rel="stylesheet" href="http://127.0.0.1:9/a.css"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/"><base href="http://127.0.0.1:9/">
<script>top.broken = 1</script><script src="http://127.0.0.1:9/a.js"></script></head><body onload="top.broken = 1">
<h1 style="color: red">Report</h1><p onclick='top.broken = 1'>3 < 4, and style="x" in the text.</p><img src=x onerror=top.broken=1>
<img src="http://127.0.0.1:9/x.png" srcset="http://127.0.0.1:9/y.png 2x"><iframe src="http://127.0.0.1:9/"></iframe><object data="http://127.0.0.1:9/"></object>
<video poster="http://127.0.0.1:9/p.png" src="http://127.0.0.1:9/v.mp4"></video><svg onload=top.broken=1></svg><form action="http://127.0.0.1:9/"><button>x</button></form>
<table background="http://127.0.0.1:9/t.png"><tr><td>a</table><scr<script>ipt>top.broken = 1</script></body></html>`;

const STYLED = `<style>.mine { color: rgb(4, 5, 6) }</style><p style="color: rgb(1, 2, 3)">Inline</p><p class="mine">Of a class</p>`;
const BREAKS = `document.title = 'broken'; window.broken = 1; parent.postMessage({ title: 'broken', page: 'broken' }, '*')`;
const PLANTED = `<script>${BREAKS}</script><p style="color: rgb(7, 8, 9)" onclick="${BREAKS}">Planted</p><img src=x onerror="${BREAKS}">
<style>@import 'http://127.0.0.1:9/a.css'; body { background: url(http://127.0.0.1:9/a.png) }</style><svg onload="${BREAKS}"></svg>
<iframe srcdoc="<script>top.broken = 1; parent.broken = 1</script>"></iframe><script src="http://127.0.0.1:9/a.js"></script>
<a href="http://127.0.0.1:9/">A link</a><details open ontoggle="${BREAKS}">x</details>`;

const BOXES = [
  ['car', 0.97, 20, 60, 60, 40],
  ['car', 0.91, 180, 60, 50, 40],
  ['person', 0.95, 95, 45, 20, 60],
  ['person', 0.74, 110, 45, 20, 60],
  ['bicycle', 0.66, 130, 70, 40, 30],
  ['sign', 0.88, 150, 10, 20, 20],
  ['tree', 0.58, 190, 5, 50, 70],
].map(([label, score, ...box]) => ({ label, score, box }));

const day = (i: number): string => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);

const OUTPUTS: Readonly<Record<string, () => object>> = {
  boxes: () => ({ detections: BOXES }),
  styled: () => ({ report: file('text/html', STYLED) }),
  mixed: () => ({
    language: 'de',
    labels: [
      { label: 'a', score: 0.9 },
      { label: 'b', score: 0.08 },
    ],
    visits: Array.from({ length: 60 }, (_, i) => ({ day: day(i), visits: (i * i) % 37 })),
    nested: { inner: [1, 2, 3], empty: [] },
    odd: [1, { a: 2 }],
    nothing: null,
  }),
  files: () => ({
    speech: { content_type: 'audio/wav', data_base64: sound() },
    report: file('application/pdf', '%PDF-1.4'),
    drawing: file('image/svg+xml', SVG),
    picture: { content_type: 'image/png', data_base64: PICTURE },
    notes: file('text/plain; charset=utf-8', 'Some notes.'),
    damaged: { content_type: 'image/png', data_base64: 'AAAA' },
  }),
  page: () => ({ report: file('text/html', PAGE) }),
  'hostile-svg': () => ({
    drawing: file('image/svg+xml', HOSTILE_SVG),
    inline: `data:image/svg+xml,${encodeURIComponent(HOSTILE_SVG)}`,
  }),
  names: () => ({
    [MARKUP]: MARKUP,
    list: [{ label: MARKUP, score: 0.5, [MARKUP]: MARKUP }],
    file: { ...file('text/html', ''), name: `../${MARKUP}.html` },
  }),
  refuse: () => ({ detail: MARKUP }),
  rows: () => ({
    rows: Array.from({ length: 10_000 }, (_, id) => ({
      id,
      name: `row ${id % 97}`,
      value: Math.sin(id / 40) * 100,
      note: 'A note that makes the row longer. '.repeat(12),
    })),
  }),
  numbers: () => ({
    values: Array.from({ length: 900_000 }, (_, i) => Math.round(Math.sin(i / 5_000) * 10_000)),
  }),
  line: () => ({ text: 'word '.repeat(1_500_000) }),
  word: () => ({ text: 'x'.repeat(7_500_000) }),
  deep: () => {
    let deep: unknown = 'bottom';
    for (let i = 0; i < 60; i += 1) deep = i % 2 === 0 ? [deep] : { in: deep };
    return { deep };
  },
  keys: () => Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`key ${i}`, i])),
};
