import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fixture } from './support.ts';

/** Asks until there is an answer. */
async function until<T>(ask: () => T | undefined): Promise<T> {
  for (;;) {
    const answer = ask();
    if (answer !== undefined) return answer;
    await sleep(20);
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is gone; signal 0 only asks. */
function gone(pid: number): true | undefined {
  try {
    process.kill(pid, 0);
    return undefined;
  } catch {
    return true;
  }
}

describe('A worker whose service was killed', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-orphan-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('ends soon, even in the midst of an endless algorithm', async () => {
    const pidFile = join(folder, 'pid');
    const host = fileURLToPath(fixture('endless-host'));
    const loader = host.endsWith('.ts') ? ['--import', 'tsx'] : [];
    const service = spawn(process.execPath, [...loader, host, fixture('endless-with-pid').href, pidFile]);
    const worker = await until(() => pidIn(pidFile));
    expect(gone(worker)).to.equal(undefined);
    service.kill('SIGKILL');
    expect(await until(() => gone(worker))).to.equal(true);
  });
});
