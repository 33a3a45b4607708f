import { expect } from 'chai';
import { parse } from 'yaml';
import { DATABASE, Overloaded, StoreUnavailable, type Problem } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { ALGORITHMS, type Algorithms } from '../../../plugins/catalogue/algorithms.ts';
import { CATALOGUE_EXPORT, type CatalogueExport } from '../../../plugins/catalogue/portable/export.ts';
import { CATALOGUE_IMPORT } from '../../../plugins/catalogue/portable/import.ts';
import { ImportLock } from '../../../plugins/catalogue/portable/import-lock.ts';
import { VERSION_RULES, type VersionRules } from '../../../plugins/catalogue/version-rules.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';
import { emptyCatalogue } from './support/empty-catalogue.ts';

const algorithm = (name: string, more: object = {}) => ({ name, description: '', type: 'nlp', ...more });
const numbered = <T>(length: number, each: (n: number) => T) => Array.from({ length }, (_, n) => each(n));
const VERSION = { version: '1.0', url: 'https://example.org/1' };

describe('The catalogue over HTTP', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let token: string;

    before(async () => {
      vitrine = await startVitrine(engine, {
        plugins: ['catalogue', 'users', 'permissions', 'invocation', 'audit'],
      });
      ({ token } = await vitrine.admin());
    });
    after(() => vitrine.stop());
    afterEach(() => emptyCatalogue(vitrine));

    const bring = (document: object, options: object = {}) =>
      vitrine.request('POST', '/catalogue/import', { token, body: { document, ...options } });
    const filled = () =>
      bring({
        vitrine: 1,
        algorithms: [
          algorithm('Language', {
            versions: [{ ...VERSION, examples: [{ name: 'One', input_data: { a: 1 } }] }],
          }),
          algorithm('Plain', { status: 'inactive', type: 'ml' }),
        ],
        sections: { permissions: [{ algorithm: 'Plain', everyone: true, permission_type: 'read' }] },
      });
    const download = (query = '') => vitrine.request('GET', `/catalogue/export${query}`, { token });
    const names = async (query: string) =>
      (await download(query)).body.algorithms.map(({ name }: { name: string }) => name);

    it('is downloaded as the command writes it, and as JSON', async () => {
      await filled();
      const written = JSON.parse(JSON.stringify(await vitrine.get(CATALOGUE_EXPORT).collect()));
      const yaml = await download();
      expect(yaml.headers['content-type']).to.equal('application/yaml; charset=utf-8');
      expect(yaml.headers['content-disposition']).to.equal('attachment; filename="catalogue.yaml"');
      expect(parse(yaml.body)).to.deep.equal(written);
      expect((await download('?format=json')).body).to.deep.equal(written);
    });

    const twins = [algorithm('One'), algorithm('Two')];
    const grant = { algorithm: 'Nothing', everyone: true, permission_type: 'read' };
    for (const [what, document, pointer] of [
      ['another form', { vitrine: 2, algorithms: [] }, '/vitrine'],
      ['a name that two have here', { vitrine: 1, algorithms: [algorithm('Twin')] }, '/algorithms'],
      [
        'a grant on nothing',
        { vitrine: 1, algorithms: [], sections: { permissions: [grant] } },
        '/sections/permissions',
      ],
      [
        'a section of no plugin',
        { vitrine: 1, algorithms: [], sections: { nobody: [] } },
        '/sections/nobody',
      ],
    ] as const) {
      it(`is refused with a place and a sentence for ${what}`, async () => {
        for (const _ of twins) {
          const body = algorithm('Twin');
          if (document.algorithms.length > 0) await vitrine.request('POST', '/algorithms', { token, body });
        }
        const { status, body } = await bring(document);
        expect([status, body.errors?.[0]?.pointer]).to.deep.equal([422, `/body/document${pointer}`]);
        expect(body.errors[0].message).to.match(/[^.]\.$/);
      });
    }

    it('is not downloaded where two have one name, and says which query found them', async () => {
      for (const _ of twins) await vitrine.request('POST', '/algorithms', { token, body: algorithm('Twin') });
      const { status, body } = await download();
      expect([status, body.errors?.[0]?.pointer]).to.deep.equal([422, '/query']);
    });

    it('is downloaded empty', async () => {
      const nothing = { vitrine: 1, algorithms: [], sections: {} };
      expect(parse((await download()).body)).to.deep.equal(nothing);
      expect((await download('?format=json')).body).to.deep.equal(nothing);
    });

    it('is downloaded in part, with what is kept about that part', async () => {
      await filled();
      expect(await names('?format=json&status=inactive')).to.deep.equal(['Plain']);
      expect(await names('?format=json&q=LANG&type=nlp')).to.deep.equal(['Language']);
      const { body } = await vitrine.request('GET', '/algorithms?q=language', { token });
      const { body: one } = await download(`?format=json&algorithm_id=${body.algorithms[0].id}`);
      expect(one.algorithms).to.have.length(1);
      expect(one.sections).to.deep.equal({});
      expect((await download('?format=json&sections=false')).body.sections).to.deep.equal({});
    });

    it('tells in a dry run what an import would change, and how much is like that already', async () => {
      await filled();
      const { body: document } = await download('?format=json');
      document.algorithms[1].status = 'active';
      document.algorithms.push(algorithm('New'));
      const { status, body } = await bring(document, { dry_run: true });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        dry_run: true,
        algorithms: 3,
        unchanged: 1,
        changes: [
          { action: 'update', what: 'algorithm "Plain"', fields: ['status'] },
          { action: 'create', what: 'algorithm "New"' },
        ],
      });
      expect(await names('?format=json&q=new')).to.deep.equal([]);
      expect((await bring(document)).body).to.deep.equal({ ...body, dry_run: false });
      expect((await bring(document)).body)
        .to.include({ unchanged: 3 })
        .and.deep.include({ changes: [] });
    });

    it('is imported once where two import at once, and afterwards again', async () => {
      const document = {
        vitrine: 1,
        algorithms: ['One', 'Two', 'Three'].map((name) => algorithm(name, { versions: [VERSION] })),
      };
      const imported = vitrine.get(CATALOGUE_IMPORT);
      const catalogue = await imported.check(document, { skipUnknown: false, at: '' });
      const once = () =>
        imported.run(catalogue, { dryRun: false, prune: false, by: { kind: 'command', name: 'import' } });
      // The import that holds the lock goes on when the others were refused, however slow the machine is.
      let goOn = (): void => undefined;
      const othersRefused = new Promise<void>((resolve) => (goOn = resolve));
      const { hold } = ImportLock.prototype;
      ImportLock.prototype.hold = function <T>(this: ImportLock, work: (lost: AbortSignal) => Promise<T>) {
        return hold.call(this, async (lost) => {
          await othersRefused;
          return work(lost);
        }) as Promise<T>;
      };
      let refused = 0;
      const runs = [once(), once(), once()];
      for (const run of runs) run.catch(() => (refused += 1) === 2 && goOn());
      const ended = await Promise.allSettled(runs).finally(() => (ImportLock.prototype.hold = hold));
      const codes = ended.map((each) =>
        each.status === 'rejected' ? (each.reason as Problem).code : 'done',
      );
      expect(codes).to.have.members(['done', 'import_running', 'import_running']);
      expect(await names('?format=json')).to.have.members(['One', 'Two', 'Three']);
      expect((await bring(document)).body).to.include({ unchanged: 3 });
    });

    it('tells the first faults of many, and how many there are', async () => {
      const { status, body } = await bring({
        vitrine: 1,
        algorithms: Array.from({ length: 61 }, () => algorithm('Same')),
      });
      expect(status).to.equal(422);
      expect(body.errors).to.have.length(50);
      expect(body.errors[0].pointer).to.equal('/body/document/algorithms/1/name');
      expect(body.detail).to.contain('and 50 more (the first 50 have their places)');
    });

    it('is imported after an import whose process was killed', async () => {
      const leaveLock = (lease_until: number) =>
        vitrine
          .get(DATABASE)
          .knex('catalogue_import_lock')
          .insert({ id: 'import', holder: 'killed', lease_until: new Date(lease_until).toISOString() });
      const nothing = { vitrine: 1, algorithms: [] };
      await leaveLock(Date.now() + 30_000);
      expect((await bring(nothing)).status).to.equal(409);
      expect((await bring(nothing, { dry_run: true })).status).to.equal(200);
      await vitrine.get(DATABASE).knex('catalogue_import_lock').delete();
      await leaveLock(Date.now() - 1);
      expect((await bring(nothing)).status).to.equal(200);
    });

    it('is imported in the name of the administrator, and deletes only what it is told to', async () => {
      await filled();
      const document = { vitrine: 1, algorithms: [algorithm('Plain', { type: 'ml' })] };
      expect((await bring(document)).body.changes).to.deep.equal([]);
      const { body } = await bring(document, { prune: true });
      expect(
        body.changes.map(({ action, what }: { action: string; what: string }) => `${action} ${what}`),
      ).to.deep.equal(['delete algorithm "Language"', 'delete grant of read on "Plain" to everyone']);
      const { body: trail } = await vitrine.request('GET', '/audit?action=algorithm.delete', { token });
      expect(trail.entries[0]).to.include({ actor_kind: 'user', actor_name: 'admin' });
    });

    it('is imported as a request would store it, and found again in that form', async () => {
      const document = {
        vitrine: 1,
        algorithms: [
          algorithm(' Spaced ', {
            tags: [' Text', 'text'],
            versions: [
              {
                ...VERSION,
                version: ' v1 ',
                params: {},
                input_schema: {},
                output_schema: {},
                examples: [{ name: ' One ', input_data: {} }],
              },
            ],
          }),
        ],
      };
      expect((await bring(document)).status).to.equal(200);
      const [stored] = (await download('?format=json')).body.algorithms;
      expect([stored.name, stored.tags]).to.deep.equal(['Spaced', ['Text']]);
      expect([stored.versions[0].version, stored.versions[0].examples[0].name]).to.deep.equal(['v1', 'One']);
      expect((await bring(document)).body).to.deep.include({ unchanged: 1, changes: [] });
    });

    it('finds a version again whose label is written in another case', async () => {
      const labelled = (...labels: string[]) => ({
        vitrine: 1,
        algorithms: [algorithm('A', { versions: labels.map((version) => ({ ...VERSION, version })) })],
      });
      await bring(labelled('v1'));
      const changes = [{ action: 'update', what: 'version "V1" of algorithm "A"', fields: ['version'] }];
      expect((await bring(labelled('V1'), { dry_run: true })).body.changes).to.deep.equal(changes);
      expect((await bring(labelled('V1'), { prune: true })).body.changes).to.deep.equal(changes);
      const twice = await bring(labelled('v2', 'V2'));
      expect(twice.body.errors[0].pointer).to.equal('/body/document/algorithms/0/versions/1/version');
    });

    it('checks the examples of a version again when it is changed by an import', async () => {
      const examples = [{ name: 'One', input_data: { a: 1 } }];
      const withSchema = (input_schema: object) => ({
        vitrine: 1,
        algorithms: [algorithm('Checked', { versions: [{ ...VERSION, examples, input_schema }] })],
      });
      const fits = async () => {
        const { body } = await vitrine.request('GET', '/algorithms', { token });
        const { body: versions } = await vitrine.request(
          'GET',
          `/algorithms/${body.algorithms[0].id}/versions`,
        );
        const path = `/algorithms/${versions[0].algorithm_id}/versions/${versions[0].id}/examples`;
        return (await vitrine.request('GET', path)).body.map(({ fits }: { fits: boolean }) => fits);
      };
      await bring(withSchema({ type: 'object' }));
      expect(await fits()).to.deep.equal([true]);
      await bring(withSchema({ type: 'object', required: ['b'] }));
      expect(await fits()).to.deep.equal([false]);
      await bring(withSchema({ type: 'object', required: ['a'] }));
      expect(await fits()).to.deep.equal([true]);
    });

    it('creates a version again that is deleted while it is compared', async () => {
      const document = { vitrine: 1, algorithms: [algorithm('A', { versions: [VERSION] })] };
      await bring(document);
      const exported = vitrine.get(CATALOGUE_EXPORT);
      exported.algorithm = async (id) => {
        delete (exported as Partial<CatalogueExport>).algorithm;
        const compared = await exported.algorithm(id);
        const { body } = await vitrine.request('GET', `/algorithms/${id}/versions`);
        await vitrine.request('DELETE', `/algorithms/${id}/versions/${body[0].id}`, { token });
        return compared;
      };
      const { status, body } = await bring(document);
      const changes = [{ action: 'create', what: 'version "1.0" of algorithm "A"' }];
      expect([status, body.changes]).to.deep.equal([200, changes]);
    });

    it('is refused with the place of each fault', async () => {
      const faulty = {
        vitrine: 1,
        algorithms: [
          algorithm('A', { versions: [{ version: '1', url: 'ftp://example.org' }] }),
          algorithm('B', { versions: [{ ...VERSION, input_schema: { type: 'txt' } }] }),
        ],
      };
      for (const dry_run of [true, false]) {
        const { status, body } = await bring(faulty, { dry_run });
        expect(status).to.equal(422);
        expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
          '/body/document/algorithms/0/versions/0/url',
          '/body/document/algorithms/1/versions/0/input_schema/type',
        ]);
      }
      const wrong = await bring({
        vitrine: 1,
        algorithms: [algorithm('A', { status: 'new' })],
        sections: { 'x/y': 1 },
      });
      expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/body/document/algorithms/0/status',
        '/body/document/sections/x~1y',
      ]);
      expect(await names('?format=json')).to.deep.equal([]);
      const foreign = await bring({ services: {} });
      expect(foreign.body.errors[0].pointer).to.match(/^\/body\/document/);
    });

    it('is refused with every fault of a version, not only with that of its address', async () => {
      const version = { version: '1', url: 'ftp://example.org', params: { a: { min: 2, max: 1 } } };
      const { body } = await bring({ vitrine: 1, algorithms: [algorithm('A', { versions: [version] })] });
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/body/document/algorithms/0/versions/0/url',
        '/body/document/algorithms/0/versions/0/params/a/min',
      ]);
    });

    for (const [what, more, place] of [
      ['versions', { versions: numbered(201, (n) => ({ ...VERSION, version: `${n}` })) }, '/versions'],
      [
        'examples',
        { versions: [{ ...VERSION, examples: numbered(51, (n) => ({ name: `${n}`, input_data: {} })) }] },
        '/versions/0/examples',
      ],
      ['bytes in a readme', { readme: 'ü'.repeat(40_000) }, '/readme'],
    ] as const) {
      it(`is refused for too many ${what} before anything is changed`, async () => {
        const { status, body } = await bring({
          vitrine: 1,
          algorithms: [algorithm('A'), algorithm('B', more)],
        });
        const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
        expect([status, pointers]).to.deep.equal([422, [`/body/document/algorithms/1${place}`]]);
        expect(await names('?format=json')).to.deep.equal([]);
      });
    }

    describe('while the service cannot do it', () => {
      const document = { vitrine: 1, algorithms: [algorithm('A', { versions: [VERSION] })] };

      it('is to be tried again where the database is away', async () => {
        const algorithms = vitrine.get(ALGORITHMS);
        algorithms.create = () => Promise.reject(StoreUnavailable('The database does not answer.'));
        const { status, body } = await bring(document).finally(
          () => delete (algorithms as Partial<Algorithms>).create,
        );
        expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
      });

      it('is to be tried again where too many schemas wait to be checked', async () => {
        const rules = vitrine.get(VERSION_RULES);
        rules.check = () => Promise.reject(Overloaded('Too many values wait.'));
        const { status, body } = await bring(document, { dry_run: true }).finally(
          () => delete (rules as Partial<VersionRules>).check,
        );
        expect([status, body.code]).to.deep.equal([503, 'overloaded']);
      });
    });

    it('leaves sections of other plugins out on request', async () => {
      const document = { vitrine: 1, algorithms: [], sections: { teleport: [] } };
      expect((await bring(document)).status).to.equal(422);
      expect((await bring(document, { skip_unknown: true })).status).to.equal(200);
    });

    it('keeps bounds of 64 bits as wide as they were', async () => {
      const input_schema =
        '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
      const document = `{"vitrine":1,"algorithms":[{"name":"A","description":"","type":"t","versions":[{"version":"1","url":"https://example.org","input_schema":${input_schema}}]}]}`;
      const sent = `{"document":${document}}`;
      expect((await vitrine.request('POST', '/catalogue/import', { token, body: sent })).status).to.equal(
        200,
      );
      const { body } = await download('?format=json');
      expect(body.algorithms[0].versions[0].input_schema.properties.n.maximum).to.equal(2 ** 63);
      expect((await bring(body)).body.changes).to.deep.equal([]);
    });
  });
});
