import { expect } from 'chai';
import { isoTime, type Engine } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE, type Catalogue, type CallableVersion } from '../../../plugins/catalogue/contract.ts';
import { VERSIONS } from '../../../plugins/catalogue/versions.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startVitrine } from '../../support/vitrine.ts';
import { branching, nested } from './support/bombs.ts';
import { publishedBy } from './support/published.ts';
import { schemaLimits } from './support/schema-limits.ts';
import { NEW_ALGORITHM, NEW_VERSION, openShowcase, PLUGINS, type Showcase } from './support/showcase.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'worked';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('A version ready to be called', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let catalogue: Catalogue;
    let algorithmId: string;
    let versionId: string;

    const isCached = () => !(catalogue.callable(algorithmId, versionId) instanceof Promise);

    before(async () => {
      // Checks that take too long use up all of it.
      showcase = await openShowcase(engine, {
        services: [schemaLimits({ compileMs: 2_000, checkMs: 100 })],
      });
      catalogue = showcase.service.get(CATALOGUE);
    });
    after(() => showcase.service.stop());
    beforeEach(async () => {
      algorithmId = await showcase.algorithm();
      const version = await showcase.version(algorithmId, {
        params: { k: { type: 'integer', default: 3 } },
        input_schema: { type: 'object', required: ['image'] },
      });
      versionId = version.id;
    });

    it('knows algorithm, version, params and schemas', async () => {
      const callable = await catalogue.callable(algorithmId, versionId);
      expect(callable.algorithm).to.include({ id: algorithmId, status: 'active', access: 'open' });
      expect(callable.version).to.include({ id: versionId, url: NEW_VERSION.url, is_default: true });
      expect(callable.completeParams({})).to.deep.equal({ params: { k: 3 }, findings: [] });
      expect(await callable.checkInput({})).to.deep.equal([{ pointer: '/image', message: 'is required.' }]);
      expect(await callable.checkOutput({ anything: 1 })).to.deep.equal([]);
    });

    it('is there at once from the second time on', async () => {
      // What was read while a busy machine missed a look for changes is not cached; the next one is.
      await until(async () => {
        await catalogue.callable(algorithmId, versionId);
        return isCached();
      });
    });

    it('is found by the id of the version alone', async () => {
      const callable = await catalogue.callableByVersion(versionId);
      expect(callable.algorithm.id).to.equal(algorithmId);
    });

    it('is found as the default version, which changes and goes with its algorithm at once', async () => {
      const found = async () => (await catalogue.defaultCallable(algorithmId)).version.id;
      expect(await found()).to.equal(versionId);
      expect(catalogue.defaultCallable(algorithmId)).not.to.be.instanceOf(Promise);
      const next = await showcase.version(algorithmId, { is_default: true });
      expect(await found()).to.equal(next.id);
      await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}/versions/${next.id}`);
      expect(await found()).to.equal(versionId);
      await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}/versions/${versionId}`);
      expect(await codeOf(found)).to.equal('version_not_found');
      expect(await codeOf(() => catalogue.defaultCallable(UNKNOWN))).to.equal('algorithm_not_found');
    });

    const changes: [string, () => Promise<unknown>, (callable: CallableVersion) => unknown, unknown][] = [
      [
        'the state of the algorithm',
        () => showcase.as(showcase.admin, 'PUT', `/algorithms/${algorithmId}`, { status: 'inactive' }),
        ({ algorithm }) => algorithm.status,
        'inactive',
      ],
      [
        'the url of the version',
        () =>
          showcase.as(showcase.admin, 'PUT', `/algorithms/${algorithmId}/versions/${versionId}`, {
            url: 'http://b/',
          }),
        ({ version }) => version.url,
        'http://b/',
      ],
      [
        'another default version',
        () => showcase.version(algorithmId, { is_default: true }),
        ({ version }) => version.is_default,
        false,
      ],
    ];
    for (const [what, change, read, expected] of changes) {
      it(`shows ${what} at once`, async () => {
        await catalogue.callable(algorithmId, versionId);
        await change();
        expect(read(await catalogue.callable(algorithmId, versionId))).to.equal(expected);
      });
    }

    it('is gone at once when the version or the algorithm is deleted', async () => {
      await catalogue.callable(algorithmId, versionId);
      await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}/versions/${versionId}`);
      expect(await codeOf(() => catalogue.callable(algorithmId, versionId))).to.equal('version_not_found');
      await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}`);
      expect(await codeOf(() => catalogue.callable(algorithmId, versionId))).to.equal('algorithm_not_found');
    });

    it('is not found under another algorithm, cached or not', async () => {
      await catalogue.callable(algorithmId, versionId);
      const other = await showcase.algorithm();
      expect(await codeOf(() => catalogue.callable(other, versionId))).to.equal('version_not_found');
      expect(await codeOf(() => catalogue.callable(UNKNOWN, versionId))).to.equal('algorithm_not_found');
      expect(await codeOf(() => catalogue.callableByVersion(UNKNOWN))).to.equal('version_not_found');
    });

    it('is never older than the last answered change, however many ask meanwhile', async () => {
      const stale: string[] = [];
      for (let round = 0; round < 20; round += 1) {
        const url = `http://endpoint-${round}/`;
        const path = `/algorithms/${algorithmId}/versions/${versionId}`;
        const asking = { goesOn: true };
        const changing = showcase
          .as(showcase.admin, 'PUT', path, { url })
          .then(() => (asking.goesOn = false));
        while (asking.goesOn) {
          await catalogue.callable(algorithmId, versionId);
          await new Promise((go) => setImmediate(go));
        }
        await changing;
        const seen = (await catalogue.callable(algorithmId, versionId)).version.url;
        if (seen !== url) stale.push(seen);
      }
      expect(stale).to.deep.equal([]);
    });

    describe('with a schema that takes too long to check', () => {
      let schemas = 0;
      const deep = nested(50, { next: 1 }) as object;
      beforeEach(async () => {
        // A pause is one of the schema, whichever version has it.
        const input_schema = { ...branching('anyOf'), title: `Schema ${++schemas}` };
        versionId = (await showcase.version(algorithmId, { input_schema })).id;
      });

      const path = () => `/algorithms/${algorithmId}/versions/${versionId}`;
      const since = async () =>
        (await showcase.as(undefined, 'GET', path())).body.schema_too_costly_since as string | undefined;
      const check = (value: object) =>
        codeOf(async () => (await catalogue.callable(algorithmId, versionId)).checkInput(value));

      it('says since when, once a check was refused', async () => {
        expect([await check({ next: {} }), await since()]).to.deep.equal(['worked', undefined]);
        const outcomes = await Promise.all([check(deep), check(deep), check(deep)]);
        expect(outcomes).to.deep.equal(Array.from({ length: 3 }, () => 'schema_too_costly'));
        expect(Date.parse((await since())!)).to.be.closeTo(Date.now(), 10_000);
      });

      it('is paused after three checks in a row, and says until when', async () => {
        for (let round = 0; round < 3; round += 1) await check(deep);
        const { body } = await showcase.as(undefined, 'GET', path());
        expect(Date.parse(body.schema_paused_until)).to.be.closeTo(Date.now() + 60_000, 10_000);
        expect(await check({ next: {} })).to.equal('schema_too_costly');
      });

      it('keeps the end of a pause that another process stored, where its own ends earlier', async () => {
        const versions = showcase.service.get(VERSIONS);
        const stored = () => catalogue.version(algorithmId, versionId);
        const [early, late] = [Date.now() + 40_000, Date.now() + 50_000];
        await versions.markCostly(await stored(), late);
        const published = publishedBy(showcase.service);
        await versions.markCostly(await stored(), early);
        expect([published.length, (await stored()).schema_paused_until]).to.deep.equal([0, isoTime(late)]);
        await versions.markCostly(await stored(), late + 1);
        expect([published.length, (await stored()).schema_paused_until]).to.deep.equal([
          1,
          isoTime(late + 1),
        ]);
      });

      it('is no longer paused when a schema is changed', async () => {
        for (let round = 0; round < 3; round += 1) await check(deep);
        const changed = { input_schema: { type: 'object', properties: { next: { pattern: 'a' } } } };
        const { body } = await showcase.as(showcase.admin, 'PUT', path(), changed);
        expect(body).not.to.have.any.keys('schema_paused_until', 'schema_too_costly_since');
        expect(await check({ next: {} })).to.equal('worked');
      });

      it('keeps what it said when it is refused again, or changed but for its schemas', async () => {
        await check(deep);
        const first = await since();
        const { body } = await showcase.as(showcase.admin, 'GET', path());
        await showcase.as(showcase.admin, 'PUT', path(), { ...body, version: 'renamed' });
        expect([await check(deep), await since()]).to.deep.equal(['schema_too_costly', first]);
      });

      it('says so no longer when a schema is changed', async () => {
        await check(deep);
        await showcase.as(showcase.admin, 'PUT', path(), { input_schema: { type: 'object' } });
        expect([await since(), await check(deep)]).to.deep.equal([undefined, 'worked']);
      });

      it('is not marked when its schemas were changed during the check', async () => {
        const slow = check(deep);
        await showcase.as(showcase.admin, 'PUT', path(), { input_schema: { type: 'object' } });
        expect([await slow, await since()]).to.deep.equal(['schema_too_costly', undefined]);
      });
    });

    it('can be made by another plugin, by the same rules', async () => {
      const before = await catalogue.count();
      const { id } = await catalogue.create(NEW_ALGORITHM);
      const version = await catalogue.createVersion(id, NEW_VERSION);
      expect(await catalogue.count()).to.equal(before + 1);
      expect(await catalogue.version(id, version.id)).to.deep.equal(version);
      expect(await catalogue.algorithm(id)).to.include(NEW_ALGORITHM);
      expect(await codeOf(() => catalogue.createVersion(id, { version: '2', url: 'ftp://x' }))).to.equal(
        'validation_failed',
      );
    });
  });
});

describe('What several instances cache of the catalogue', () => {
  it('is invalidated on all of them by a change', async () => {
    const engine: Engine = 'postgres';
    const scratch = await migratedScratch(engine);
    const one = await openShowcase(engine, { scratch });
    const algorithmId = await one.algorithm();
    const { id: versionId } = await one.version(algorithmId);
    const other = await startVitrine(engine, { plugins: PLUGINS, scratch });
    const catalogue = other.get(CATALOGUE);
    await catalogue.callable(algorithmId, versionId);
    await one.as(one.admin, 'PUT', `/algorithms/${algorithmId}`, { status: 'inactive' });
    const changed = async () =>
      (await catalogue.callable(algorithmId, versionId)).algorithm.status === 'inactive';
    try {
      await until(changed, HEARD_ELSEWHERE_MS);
    } finally {
      await other.stop();
      await one.service.stop();
      await scratch.remove();
    }
  });
});
