import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeScratch, onEveryEngine } from '../../core/testing.ts';
import { deployPlugin, PLUGIN, pluginFolder } from '../support/packed-plugin.ts';
import { clientOf } from '../support/service-client.ts';
import { startService } from '../support/service-process.ts';

describe('a plugin from outside, built against the packed package alone', () => {
  let project: string;
  const inPlugin = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string =>
    execFileSync(command, args, {
      cwd: pluginFolder(project),
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  before(function () {
    this.timeout(120_000);
    project = deployPlugin();
  });

  after(() => rmSync(project, { recursive: true, force: true }));

  it('passes its own tests from source, as the documentation says to run them, on both engines', function () {
    this.timeout(120_000);
    const output = inPlugin('npm', ['test']);
    expect(output).to.match(/12 passing/);
    expect(output).to.include('on sqlite').and.to.include('on postgres');
  });

  it('cannot import anything deeper than the doors', () => {
    const deeper = (path: string): string =>
      `import('${path}').then(() => 'open', (error) => error.code).then(console.log)`;
    const tried = (path: string): string => inPlugin('node', ['-e', deeper(path)]).trim();
    expect(tried('vitrine')).to.equal('open');
    expect(tried('vitrine/contracts/catalogue')).to.equal('open');
    expect(tried('vitrine/dist/core/index.js')).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(tried('vitrine/core/http/server')).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  onEveryEngine((engine) => {
    it('runs in the service when it is named, with its table, route, transport and setting', async function () {
      this.timeout(60_000);
      const scratch = await makeScratch(engine);
      const config = join(scratch.dataDir, 'own.yaml');
      writeFileSync(config, `plugins:\n  packages: [${PLUGIN}]\ncall-notes:\n  max_length: 5\n`);
      const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, VITRINE_CONFIG: config };
      const service = await startService(env, [], project);
      try {
        const client = clientOf(service.url);
        const token = await client.signUp('ada');
        const body = { name: 'Echo', description: 'Says it again', type: 'demo' };
        const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body });
        const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
          token,
          body: { version: '1', url: 'echo:hi' },
        });
        const call = await client.ok('POST', '/algorithms/call', {
          token,
          body: { algorithm_id, version_id, input_data: { a: 1 } },
        });
        expect(call.output_data).to.deep.equal({ word: 'hi', input: { a: 1 } });
        await client.ok('POST', `/call-notes/${call.id}`, { token, body: { text: 'good' } });
        const long = await client.request('POST', `/call-notes/${call.id}`, {
          token,
          body: { text: 'too long' },
        });
        expect(long.status).to.equal(422);
        const { paths } = await client.ok('GET', '/openapi.json');
        expect(paths).to.have.property('/call-notes/{call_id}');
      } finally {
        await service.end();
        await scratch.remove();
      }
    });
  });
});
