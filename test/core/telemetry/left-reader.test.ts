import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { extname } from 'node:path';
import { expect } from 'chai';

const ENDS_WITHIN_MS = 20_000;

/** The tests run as sources and compiled. */
const LOGGER = new URL(`../../../core/telemetry/pino-logger${extname(import.meta.url)}`, import.meta.url);
const LOGS_WHEN_TOLD = `
  import { createLogger } from ${JSON.stringify(LOGGER.href)};
  process.stdin.once('end', () => createLogger({ level: 'info' }).info({}, 'The last line.')).resume();
`;

describe('the log of a process whose reader', () => {
  const endOf = async (isLeft: boolean): Promise<{ code: unknown; log: string }> => {
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', LOGS_WHEN_TOLD], {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    let log = '';
    if (isLeft) child.stderr.destroy();
    else child.stderr.on('data', (text: Buffer) => (log += text.toString()));
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, log };
  };

  it('has left does not keep the process from ending', async () => {
    expect((await endOf(true)).code).to.equal(0);
  });

  it('stays is written to its last line', async () => {
    const { code, log } = await endOf(false);
    expect(code).to.equal(0);
    expect(log).to.include('The last line.');
  });
});

/** With one thread for files, the write comes after that of the log. */
const GOES_ON = `
  import { write } from 'node:fs';
  import { createLogger, logWritten } from ${JSON.stringify(LOGGER.href)};
  const logger = createLogger({ level: 'info' });
  logger.info({}, 'x'.repeat(3000));
  write(2, '.', async () => {
    process.stdout.write('It goes on.');
    logger.info({}, 'The last line.');
    await logWritten();
    process.exit(0);
  });
`;

/** Nothing was written before the exit. */
const EXITS = `
  import { createLogger, logWritten } from ${JSON.stringify(LOGGER.href)};
  process.stdin.once('end', async () => {
    createLogger({ level: 'info' }).info({}, 'The last line.');
    await logWritten();
    process.exit(0);
  }).resume();
`;

describe('the log of a process that cannot be written', () => {
  async function endOf(script: string, log: number | 'left'): Promise<{ said: string; code: unknown }> {
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', log === 'left' ? 'pipe' : log],
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stdout!.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr?.destroy();
    child.stdin!.end();
    const [code] = (await once(child, 'close')) as [unknown];
    return { said, code };
  }

  it('neither ends the process nor keeps it from ending, while its disk is full', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    expect(await endOf(GOES_ON, full)).to.deep.equal({ said: 'It goes on.', code: 0 });
    expect((await endOf(EXITS, full)).code).to.equal(0);
    closeSync(full);
  });

  it('does not keep the process from an exit whose last line finds that the reader has left', async () => {
    expect((await endOf(EXITS, 'left')).code).to.equal(0);
  });
});
