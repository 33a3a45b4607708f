import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
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

/** A worker that is killed as soon as it serves. */
const KILLED = "process.send({ lines: [] }, () => process.kill(process.pid, 'SIGKILL'));";

/** A worker that serves until it is told to stop. */
const SERVING = `
  process.on('SIGTERM', () => process.exit(0));
  process.send({ lines: [] });
`;

describe('the supervisor of worker processes', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'workers-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Starts a supervisor of one worker, which is the script. */
  function supervise(script: string, announce = ''): ChildProcessByStdio<Writable, null, Readable> {
    const worker = join(folder, 'worker.mjs');
    writeFileSync(worker, script);
    const supervisor = `
      import cluster from 'node:cluster';
      import { superviseWorkers } from ${JSON.stringify(WORKERS.href)};
      cluster.setupPrimary({ exec: ${JSON.stringify(worker)}, execArgv: [] });
      const logger = { error: (facts, message) => console.error(JSON.stringify({ ...facts, message })) };
      process.exit(await superviseWorkers(1, () => {${announce}}, logger));
    `;
    return spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', supervisor], {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
  }

  it('says how a worker ended before it replaces it', async () => {
    const child = supervise(KILLED);
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(JSON.parse(line)).to.deep.include({
      worker: 1,
      signal: 'SIGKILL',
      message: 'A worker process ended, and another one takes its place.',
    });
  });

  it('stops its workers when its terminal is closed', async () => {
    const child = supervise(SERVING, 'process.stderr.write("serves\\n")');
    await once(createInterface(child.stderr), 'line');
    child.kill('SIGHUP');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('does not wait for a worker that is dead, though its channel is still open', async () => {
    const child = supervise(WORKER);
    child.stderr.resume();
    const [code] = (await once(child, 'exit')) as [unknown];
    child.stdin.end();
    expect(code).to.equal(1);
  });
});
