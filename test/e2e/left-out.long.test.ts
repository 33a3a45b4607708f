import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService } from '../support/service-process.ts';

const plugin = (body: string) => `
  import { definePlugin, step } from 'vitrine';
  export default definePlugin({ id: 'shaky', version: '1.0.0', api: '^1.0', summary: 'Falls', ${body} });
`;

describe('a plugin from outside without which the service may start', () => {
  let scratch: Scratch;
  let env: Record<string, string>;
  const write = (text: string): void => {
    const folder = join(scratch.dataDir, 'plugins', 'shaky');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'plugin.js'), text);
  };

  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    env = {
      DATA_DIR: scratch.dataDir,
      DATABASE_URL: scratch.databaseUrl,
      SAMPLES_SEED: 'false',
      PLUGINS_PATH: join(scratch.dataDir, 'plugins'),
      PLUGINS_ENABLED: 'shaky',
      PLUGINS_MAY_FAIL: 'shaky',
    };
  });
  afterEach(() => scratch.remove());

  for (const [what, text] of [
    ['loaded', 'throw new Error("It fell.");'],
    ['started', plugin('start: step({}, () => { throw new Error("It fell."); })')],
  ] as const) {
    it(`that cannot be ${what} is left out: the log says why, the health is degraded`, async () => {
      write(text);
      const service = await startService(env);
      const client = clientOf(service.url);
      const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse' };
      await client.ok('POST', '/users/register', { body: account });
      const { access_token: token } = await client.ok('POST', '/users/login', { body: account });
      expect((await client.ok('GET', '/monitoring/health', { token })).status).to.equal('degraded');
      expect((await service.end()).code).to.equal(0);
      const told = service
        .output()
        .stderr.split('\n')
        .filter((line) => line.includes('"plugin":"shaky"'));
      expect(told).to.have.length(1);
      expect(told[0]).to.include('It fell.').and.to.include('left out');
    });
  }

  it('that cannot be loaded is shown, and is a fault of the configuration all the same', async () => {
    write('throw new Error("It fell.");');
    expect((await runCommand(['plugins', 'list'], env)).stdout).to.match(/^shaky +- +left out .*It fell\./m);
    const checked = await runCommand(['config', 'check'], env);
    expect([checked.code, checked.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('It fell.'),
    );
  });

  it('stops the start when it is not named', async () => {
    write('throw new Error("It fell.");');
    const { PLUGINS_MAY_FAIL: _, ...strict } = env;
    const { code, stderr } = await runCommand(['start'], { ...strict, PORT: '0' });
    expect(code).to.equal(1);
    expect(stderr).to.include('"shaky"').and.to.include('It fell.');
  });
});
