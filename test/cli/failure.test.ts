import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Sqlite from 'better-sqlite3';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { TRANSFERS_SQL } from '../../core/persistence/migrations/unfinished-transfer.ts';

const ENDS_WITHIN_MS = 60_000;

/** The tests run as sources and compiled. */
const COMMAND = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url));

/** Runs the command line with an environment of its own. */
async function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import=tsx', COMMAND, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: ENDS_WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, said };
}

describe('a command that fails', function () {
  this.timeout(2 * ENDS_WITHIN_MS);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'failure-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('says why in its last line, after the lines of its log', async () => {
    const file = join(folder, 'part.db');
    new Sqlite(file).exec(TRANSFERS_SQL).close();
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${file}` };
    const { code, said } = await run(['migrate', 'up'], env);
    const lines = said.trim().split('\n');
    expect(code).to.equal(1);
    expect(lines[0]).to.include('Opened the database');
    expect(lines.at(-1)).to.include('holds only a part of the data');
  });

  for (const command of ['users show', 'users list --x', 'users lists', 'export']) {
    it(`says as JSON how it is misused: ${command}`, async () => {
      const { code, said } = await run([...command.split(' '), '--json'], { DATA_DIR: folder });
      expect(code).to.equal(2);
      expect(JSON.parse(said))
        .to.have.property('error')
        .that.matches(/^error: /);
    });
  }

  for (const command of ['users list', 'jobs list']) {
    it(`makes no installation where there is none: ${command}`, async () => {
      const dir = join(folder, 'wrong');
      const { code, said } = await run(command.split(' '), { DATA_DIR: dir });
      expect(code).to.equal(1);
      expect(said).to.include(`There is no database at ${join(dir, 'vitrine.db')}`);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }
});
