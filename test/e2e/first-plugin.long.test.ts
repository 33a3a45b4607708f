import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { testPostgresUrl } from '../../core/testing/scratch.ts';
import { clientOf } from '../support/service-client.ts';
import { startService } from '../support/service-process.ts';

const GUIDE = join(packageRoot, 'docs', 'your-first-plugin.md');
const PLUGIN = 'reading-list';
/** A code block, and what stands in a comment before it: where to insert it. */
const BLOCK = /(?:<!-- insert (\S+) (after|before) "(.+)" -->\n\n)?```(sh|ts)\n([\s\S]*?)```/g;
const STEP_MS = 240_000;

interface Block {
  readonly kind: 'sh' | 'ts';
  readonly text: string;
  readonly insert: { readonly file: string; readonly where: string; readonly anchor: string } | undefined;
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(BLOCK)].map(([, file, where, anchor, kind, text]) => ({
    kind: kind as Block['kind'],
    text: text!,
    insert: file === undefined ? undefined : { file, where: where!, anchor: anchor! },
  }));
}

describe('the guide to the first plugin', () => {
  let workshop: string;
  let folder: string;

  beforeEach(() => {
    workshop = mkdtempSync(join(tmpdir(), 'vitrine-guide-'));
    folder = join(workshop, PLUGIN);
  });

  afterEach(() => rmSync(workshop, { recursive: true, force: true }));

  it('works when it is followed step by step', async function () {
    this.timeout(3 * STEP_MS);
    const [make, ...rest] = blocksOf(readFileSync(GUIDE, 'utf8'));
    // The guide makes it beside the clone, where a test leaves nothing.
    await shell(make!.text.replaceAll(`../${PLUGIN}`, folder), packageRoot);
    const changes = rest.filter(({ kind }) => kind === 'ts');
    expect(changes).to.have.lengthOf(5);
    for (const change of changes) apply(change);
    const [check, serve, ask] = rest.filter(({ kind }) => kind === 'sh');
    const checked = await shell(check!.text, folder);
    expect(checked).to.include('counts the bookmarks for everybody');
    expect(checked).to.match(/sqlite: no faults\npostgres: no faults/);
    expect(serve!.text).to.equal('npx vitrine start\n');
    const { answer, page } = await served(ask!.text);
    expect(answer).to.deep.equal({ total: 0 });
    expect(page.title.en).to.equal('Bookmarks');
    expect(page.panels[0].from).to.equal(`/${PLUGIN}/count`);
  });

  async function shell(commands: string, from: string): Promise<string> {
    const child = spawn('bash', ['-e', '-c', commands], {
      cwd: from,
      env: { ...process.env, TEST_DATABASE_URL: testPostgresUrl() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, output).to.equal(0);
    return output;
  }

  function apply({ text, insert }: Block): void {
    const { file, where, anchor } = insert!;
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const lines = before.split('\n');
    const at = lines.findIndex((line) => line.startsWith(anchor));
    expect(at, `${file} has no line that begins with ${anchor}`).to.be.at.least(0);
    lines.splice(where === 'after' ? at + 1 : at, 0, text.trimEnd());
    writeFileSync(path, lines.join('\n'));
  }

  /** Serves the plugin as the guide does, but on a free port, asks what the guide asks, and looks for the page. */
  async function served(command: string) {
    const [, path] = /^curl http:\/\/127\.0\.0\.1:3000(\S+)\n$/.exec(command)!;
    const env = { PLUGINS_PATH: '..', PLUGINS_ENABLED: PLUGIN, DATA_DIR: join(folder, 'data') };
    const service = await startService(env, [], folder);
    try {
      const answer = await (await fetch(service.url + path)).json();
      const client = clientOf(service.url);
      const token = await client.signUp('ada');
      const { pages } = await client.ok('GET', '/console/pages', { token });
      return { answer, page: pages.find(({ plugin }: { plugin: string }) => plugin === PLUGIN) };
    } finally {
      await service.end();
    }
  }
});
