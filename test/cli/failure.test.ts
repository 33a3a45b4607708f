import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Sqlite from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { TRANSFERS_SQL } from '../../core/persistence/migrations/unfinished-transfer.ts';

const ENDS_WITHIN_MS = 60_000;

/** The tests run as sources and compiled. */
const COMMAND = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url));

describe('a command that fails', () => {
  it('says why in its last line, after the lines of its log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'failure-'));
    const file = join(folder, 'part.db');
    new Sqlite(file).exec(TRANSFERS_SQL).close();
    const child = spawn(process.execPath, ['--import=tsx', COMMAND, 'migrate', 'up'], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder, DATABASE_URL: `sqlite:${file}` },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const [code] = (await once(child, 'close')) as [unknown];
    rmSync(folder, { recursive: true });
    const lines = said.trim().split('\n');
    expect(code).to.equal(1);
    expect(lines[0]).to.include('Opened the database');
    expect(lines.at(-1)).to.include('holds only a part of the data');
  });
});
