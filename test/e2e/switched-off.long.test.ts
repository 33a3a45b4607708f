import { expect } from 'chai';
import { builtInPlugins, makeScratch, type Scratch } from '../../core/testing.ts';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import { clientOf } from '../support/service-client.ts';
import { startService } from '../support/service-process.ts';

/** The plugin and all that cannot do without it. */
function withDependents(id: string, all: readonly PluginDefinition[]): readonly string[] {
  const off = new Set([id]);
  for (let grown = true; grown;) {
    const more = all.filter(
      (plugin) => !off.has(plugin.id) && plugin.requires?.some((needed) => off.has(needed)),
    );
    more.forEach((plugin) => off.add(plugin.id));
    grown = more.length > 0;
  }
  return [...off];
}

const all = await builtInPlugins();

describe('the service with a plugin switched off', () => {
  let scratch: Scratch;

  before(async () => {
    scratch = await makeScratch('sqlite');
  });

  after(() => scratch.remove());

  it('has plugins to switch off', () => {
    expect(all.length).to.be.at.least(13);
  });

  for (const { id } of all) {
    const off = withDependents(id, all);
    it(`starts without ${off.join(', ')}, whose paths are 404 and not in the OpenAPI document`, async () => {
      const service = await startService({
        DATA_DIR: scratch.dataDir,
        DATABASE_URL: scratch.databaseUrl,
        PLUGINS_DISABLED: off.join(','),
      });
      try {
        const client = clientOf(service.url);
        const served = all.filter((plugin) => !off.includes(plugin.id)).flatMap(({ routes = [] }) => routes);
        const gone = all
          .filter((plugin) => off.includes(plugin.id))
          .flatMap(({ routes = [] }) => routes)
          .filter(({ path }) => !served.some((other) => sameShape(other.path, path)));
        for (const { method, path, atRoot } of gone) {
          const target = path.replaceAll(/\{[^}]+\}/g, 'x');
          const { status } = await client.request(method, atRoot ? service.url + target : target);
          expect(status, `${method} ${path}`).to.equal(404);
        }
        const document = await client.request('GET', '/openapi.json');
        if (off.includes('reference')) expect(document.status).to.equal(404);
        else for (const { path } of gone) expect(document.body.paths).not.to.have.property(path);
        expect((await client.request('GET', `${service.url}/readyz`)).status).to.equal(200);
      } finally {
        const { code, stderr } = await service.end();
        expect(code, stderr).to.equal(0);
      }
    });
  }
});

/** `/algorithms/call` is also an algorithm's path when only that is served. */
function sameShape(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
}
