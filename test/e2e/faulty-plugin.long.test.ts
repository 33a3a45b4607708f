import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { engines, makeScratch, type Scratch } from '../../core/testing.ts';
import { ENDS_WITHIN_MS, runCommand, startService, type ServiceProcess } from '../support/service-process.ts';

/** It comes to grief in the way that is asked for. */
const PLUGIN = `
  import { definePlugin, jsonObject, routesWith } from 'vitrine';
  import { fall } from './lib/fall.js';
  const ways = {
    handler: () => fall(),
    timer: () => void setTimeout(() => fall(), 50),
    rejection: () => void setTimeout(async () => fall(), 0),
    never: () => undefined,
    slow: () => new Promise((resolve) => setTimeout(resolve, 1000)),
  };
  const route = routesWith({})({
    method: 'GET',
    path: '/falls/{way}',
    operationId: 'fall',
    summary: 'Falls',
    access: 'public',
    answers: jsonObject(),
    handle: async ({ path }) => {
      await ways[path.way]();
      return { way: path.way };
    },
  });
  export default definePlugin({ id: 'clumsy', version: '1.0.0', api: '^1.0', summary: 'Falls', routes: [route] });
`;

interface Line {
  readonly level: string;
  readonly plugin?: string;
  readonly err?: { readonly message: string };
  readonly msg: string;
}

describe('a plugin from outside that is at fault', () => {
  let scratch: Scratch;
  let service: ServiceProcess;
  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    const folder = join(scratch.dataDir, 'plugins', 'clumsy');
    mkdirSync(join(folder, 'lib'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'plugin.js'), PLUGIN);
    writeFileSync(join(folder, 'lib', 'fall.js'), `export function fall() { throw new Error('It fell.'); }`);
    service = await startService({
      DATA_DIR: scratch.dataDir,
      DATABASE_URL: scratch.databaseUrl,
      SAMPLES_SEED: 'false',
      PLUGINS_PATH: join(scratch.dataDir, 'plugins'),
      PLUGINS_ENABLED: 'clumsy',
    });
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await scratch.remove();
  });

  const fall = async (way: string): Promise<number> =>
    (await fetch(`${service.url}/api/v1/falls/${way}`)).status;
  const told = (): Line[] =>
    service
      .output()
      .stderr.split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const blamed = (msg: string): Line | undefined =>
    told().find((line) => line.msg === msg && line.plugin === 'clumsy' && line.err?.message === 'It fell.');

  it('in a handler: 500 for that request, and its id in the log', async () => {
    expect(await fall('handler')).to.equal(500);
    while (!blamed('request failed unexpectedly')) await pause(20);
    expect(await fall('never')).to.equal(200);
  });

  it('by a promise that nobody waits for: its id in the log, and the service serves on', async () => {
    expect(await fall('rejection')).to.equal(200);
    while (!blamed('Unhandled promise rejection')) await pause(20);
    expect(await fall('never')).to.equal(200);
  });

  it('by a throw that nobody catches: its id in the log, requests under way are answered, and the process ends with 1', async () => {
    const slow = fall('slow');
    expect(await fall('timer')).to.equal(200);
    expect(await slow).to.equal(200);
    const ended = new Promise<number | null>((resolve) => service.child.once('close', resolve));
    expect(service.child.exitCode ?? (await ended)).to.equal(1);
    expect(blamed('Uncaught exception; stopping')).to.include({ level: 'error' });
  });
});

/** It leaves a timer running, and cannot start. */
const TICKING = `
  import { definePlugin, step } from 'vitrine';
  setInterval(() => undefined, 1000);
  const start = step({}, () => { throw new Error('It fell.'); });
  export default definePlugin({ id: 'ticking', version: '1.0.0', api: '^1.0', summary: 'Ticks', start });
`;

describe('a plugin from outside that leaves a timer running', () => {
  for (const engine of engines) {
    it(`does not keep a process from ending whose start failed, or whose command is done, on ${engine}`, async () => {
      const scratch = await makeScratch(engine);
      const folder = join(scratch.dataDir, 'plugins', 'ticking');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'plugin.js'), TICKING);
      const env = {
        PORT: '0',
        DATA_DIR: scratch.dataDir,
        DATABASE_URL: scratch.databaseUrl,
        PLUGINS_PATH: join(scratch.dataDir, 'plugins'),
        PLUGINS_ENABLED: 'ticking',
      };
      const fail = async (args: readonly string[]): Promise<void> => {
        const { code, stderr } = await runCommand(args, env);
        expect(code).to.equal(1);
        expect(stderr).to.include('The plugin "ticking" could not start: It fell.');
      };
      try {
        await fail(['start']);
        if (engine === 'postgres') await fail(['start', '--workers', '2']);
        expect((await runCommand(['plugins', 'list'], env)).code).to.equal(0);
      } finally {
        await scratch.remove();
      }
    }).timeout(3 * ENDS_WITHIN_MS);
  }
});
