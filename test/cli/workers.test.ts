import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect } from 'chai';

const ENDS_WITHIN_MS = 20_000;

/** The tests run as sources and compiled. */
const WORKERS = new URL(`../../cli/start/workers${extname(import.meta.url)}`, import.meta.url);

/** A worker that ends at once. Its child keeps the channel to the supervisor open until the test closes standard input. */
const WORKER = `
  import { spawn } from 'node:child_process';
  spawn(process.execPath, ['--eval', 'process.stdin.resume()'], { stdio: ['inherit', 'ignore', 'ignore', 3] });
  process.exit(1);
`;

describe('the supervisor of worker processes', () => {
  it('does not wait for a worker that is dead, though its channel is still open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workers-'));
    const worker = join(folder, 'worker.mjs');
    writeFileSync(worker, WORKER);
    const supervisor = `
      import cluster from 'node:cluster';
      import { superviseWorkers } from ${JSON.stringify(WORKERS.href)};
      cluster.setupPrimary({ exec: ${JSON.stringify(worker)}, execArgv: [] });
      process.exit(await superviseWorkers(1, () => undefined));
    `;
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', supervisor], {
      stdio: ['pipe', 'ignore', 'inherit'],
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    const [code] = (await once(child, 'exit')) as [unknown];
    child.stdin.end();
    rmSync(folder, { recursive: true });
    expect(code).to.equal(1);
  });
});
