import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { ENDS_WITHIN_MS, runCommand, startService } from '../support/service-process.ts';

/** One after the other, in a test. */
const MOST_COMMANDS = 4;

describe('plugins from outside, with plugins.integrity', function () {
  this.timeout(MOST_COMMANDS * ENDS_WITHIN_MS);
  let scratch: Scratch;
  let env: Record<string, string>;
  const at = (path: string): string => join(scratch.dataDir, path);
  const run = (command: string, more: Record<string, string> = {}) =>
    runCommand(command.split(' '), { ...env, ...more });
  const hash = async (more: Record<string, string> = {}): Promise<string> =>
    (await run('plugins hash greeter', more)).stdout.trim();

  /** What the start says when it is stopped; a service that runs all the same is ended. */
  const refusal = (more: Record<string, string>): Promise<string> =>
    startService({ ...env, ...more }).then(
      async (service) => (await service.end()).stdout,
      (error: Error) => error.message,
    );

  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    env = {
      PORT: '0',
      DATA_DIR: scratch.dataDir,
      DATABASE_URL: scratch.databaseUrl,
      PLUGINS_PATH: at('plugins'),
      PLUGINS_ENABLED: 'greeter',
    };
    mkdirSync(at('plugins/greeter'), { recursive: true });
    writeFileSync(at('plugins/greeter/package.json'), '{ "type": "module" }');
    writeFileSync(at('plugins/greeter/plugin.js'), plugin(at('ran')));
  });

  afterEach(() => scratch.remove());

  it('start with the hash that the command printed', async () => {
    const service = await startService({ ...env, PLUGINS_INTEGRITY: await hash() });
    try {
      const response = await fetch(`${service.url}/api/v1/greetings`);
      expect(await response.json()).to.deep.equal({ text: 'hello' });
    } finally {
      await service.end();
    }
  });

  it('stop the start when their code is another, before any of it ran; the command then prints the new hash', async () => {
    const approved = await hash();
    writeFileSync(at('plugins/greeter/more.js'), '');
    const stderr = await refusal({ PLUGINS_INTEGRITY: approved });
    expect(stderr).to.include('the service ended with 1 before it served');
    expect(stderr, 'no stack trace').not.to.match(/\n\s+at .+:\d+:\d+/);
    const now = await hash({ PLUGINS_INTEGRITY: approved });
    expect(now).not.to.equal(approved);
    for (const part of ['"greeter"', at('plugins/greeter'), approved.split('greeter=')[1], now])
      expect(stderr).to.include(part);
    expect(existsSync(at('ran'))).to.equal(false);
    expect((await run('config check', { PLUGINS_INTEGRITY: now })).code).to.equal(0);
    expect(existsSync(at('ran'))).to.equal(true);
  });

  it('are hashed without running, switched on or off, also with an entry that cannot be understood', async () => {
    const printed = await hash();
    expect(printed).to.match(/^greeter=sha256-[A-Za-z0-9+/]{43}=$/);
    const [json, ...others] = await Promise.all([
      run('plugins hash greeter --json'),
      run('plugin hash greeter').then(({ stdout }) => stdout.trim()),
      hash({ PLUGINS_ENABLED: '' }),
      hash({ PLUGINS_INTEGRITY: 'nonsense' }),
      hash({ PLUGINS_INTEGRITY: printed.replace('greeter', 'other') }),
    ]);
    expect(others).to.deep.equal([printed, printed, printed, printed]);
    expect(JSON.parse(json.stdout)).to.deep.equal({
      id: 'greeter',
      folder: at('plugins/greeter'),
      integrity: printed,
    });
    expect(existsSync(at('ran'))).to.equal(false);
  });

  it('are the only ones that can be hashed', async () => {
    const [unknown, builtIn, nothing] = await Promise.all([
      run('plugins hash nobody'),
      run('plugins hash users --json'),
      run('plugins hash'),
    ]);
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include('"nobody" is not a plugin here. From outside are: greeter.');
    expect(builtIn.code).to.equal(1);
    expect(JSON.parse(builtIn.stderr).error).to.include('"users" is a built-in plugin');
    expect(nothing.code).to.equal(2);
    rmSync(at('plugins/greeter/package.json'));
    expect((await run('plugins hash greeter')).code, 'without a manifest').to.equal(0);
  });
});

function plugin(trace: string): string {
  return `import { writeFileSync } from 'node:fs';
import { definePlugin, routesWith, Type } from 'vitrine';
writeFileSync(${JSON.stringify(trace)}, '');
const route = routesWith({});
export default definePlugin({
  id: 'greeter', version: '1.0.0', api: '^1.0', summary: 'Says hello',
  routes: [route({
    method: 'GET', path: '/greetings', operationId: 'greet', summary: 'Greets', access: 'public',
    answers: Type.Object({ text: Type.String() }), handle: () => ({ text: 'hello' }),
  })],
});
`;
}
