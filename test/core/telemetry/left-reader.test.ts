import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
