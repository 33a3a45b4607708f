import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const WATCHDOG_S = 1;
/** A process is ended at the latest a tenth of the time after it; the rest is for a machine that is busy. */
const SOON_MS = 10_000;
const LONG_MS = 3 * WATCHDOG_S * 1000;
const ASKED = 20;

const LOOPING_PLUGIN = `
import { definePlugin, routesWith, step, Type } from 'vitrine';
const route = routesWith({});
const common = { method: 'GET', access: 'public', answers: Type.Object({ pid: Type.Integer() }) };
let isStopEndless = false;
const endless = () => { while (true); };
const pid = process.pid;
export default definePlugin({
  id: 'loops', version: '1.0.0', api: '^1.0', summary: 'Loops without end',
  routes: [
    route({ ...common, path: '/loops/pid', operationId: 'pid', summary: 'Tells who answers', handle: () => ({ pid }) }),
    route({ ...common, path: '/loops/now', operationId: 'now', summary: 'Never answers', handle: endless }),
    route({ ...common, path: '/loops/later', operationId: 'later', summary: 'Lets the stop loop',
      handle: () => { isStopEndless = true; return { pid }; } }),
  ],
  stop: step({}, () => { if (isStopEndless) endless(); }),
});
`;

describe('a process whose main loop hangs', () => {
  let scratch: Scratch;
  let service: ServiceProcess;
  afterEach(async () => {
    await service.end('SIGKILL');
    await scratch.remove();
  });

  async function start(
    engine: 'sqlite' | 'postgres',
    settings: Record<string, string> = {},
    options?: string[],
  ) {
    scratch = await makeScratch(engine);
    const folder = join(scratch.dataDir, 'plugins', 'loops');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'plugin.js'), LOOPING_PLUGIN);
    const plugins = { PLUGINS_PATH: join(scratch.dataDir, 'plugins'), PLUGINS_ENABLED: 'loops' };
    const data = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
    const env = { ...data, ...plugins, SERVER_WATCHDOG_S: String(WATCHDOG_S), ...settings };
    service = await startService(env, options);
  }

  /** On a connection of its own, which any worker may get. */
  async function pidOf(path: string): Promise<number> {
    const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(LONG_MS) };
    const response = await fetch(`${service.url}/api/v1/loops/${path}`, options);
    return ((await response.json()) as { pid: number }).pid;
  }

  /** Who answers when many ask at once. */
  async function pids(): Promise<number[]> {
    const asked = await Promise.allSettled(Array.from({ length: ASKED }, () => pidOf('pid')));
    return asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  const signalOfEnd = (): NodeJS.Signals | null => service.child.signalCode;
  async function expectEndByWatchdog(): Promise<void> {
    await until(() => signalOfEnd() !== null);
    expect(signalOfEnd()).to.equal('SIGKILL');
    const line = JSON.parse(service.output().stderr.trim().split('\n').at(-1)!);
    expect(line).to.include({ level: 'error', pid: service.child.pid, hung_s: WATCHDOG_S });
    expect(line.msg).to.include('main loop').and.include('server.watchdog_s');
    expect(Date.parse(line.time)).to.be.closeTo(Date.now(), SOON_MS);
  }

  it('is ended, and its last line says why', async () => {
    await start('sqlite');
    void pidOf('now').catch(() => undefined);
    await expectEndByWatchdog();
  });

  it('is ended when it hangs as it stops', async () => {
    await start('sqlite');
    await pidOf('later');
    service.child.kill('SIGTERM');
    await expectEndByWatchdog();
  });

  it('is left alone where the watchdog is off', async () => {
    await start('sqlite', { SERVER_WATCHDOG_S: '0' });
    void pidOf('now').catch(() => undefined);
    await pause(LONG_MS);
    expect(signalOfEnd()).to.equal(null);
  });

  it('is replaced where it is one of several workers, and the others answer meanwhile', async () => {
    await start('postgres', {}, ['--workers', '2']);
    const token = await clientOf(service.url).signUp('ada');
    const atFirst = await pids();
    void pidOf('now').catch(() => undefined);
    // Connections that were handed to the worker that hangs are lost.
    let answers: number[];
    do answers = await pids();
    while (new Set(answers).size > 1);
    expect(answers).to.have.length.above(ASKED / 2);

    const isNew = (pid: number): boolean => !atFirst.includes(pid);
    let later: number[];
    do later = await pids();
    while (!later.some(isNew));
    expect(new Set(later.filter((pid) => !isNew(pid)))).to.deep.equal(new Set(answers));
    expect(service.output().stderr).to.include('server.watchdog_s');
    await clientOf(service.url).ok('GET', '/users/me', { token });
  });

  it('is not one that takes its time to stop', async () => {
    await start('sqlite', { SERVER_DRAIN_DELAY_MS: String(LONG_MS) });
    const { code, stderr } = await service.end('SIGTERM');
    expect(code, stderr).to.equal(0);
  });

  it('is not one that was suspended', async () => {
    await start('sqlite');
    for (let time = 1; time <= 2; time += 1) {
      service.child.kill('SIGSTOP');
      await pause(LONG_MS);
      service.child.kill('SIGCONT');
      expect(await pidOf('pid')).to.equal(service.child.pid);
    }
    await pause(LONG_MS);
    expect(signalOfEnd()).to.equal(null);
  });
});
