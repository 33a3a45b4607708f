import { expect } from 'chai';
import { anonymous } from '../../../core/auth/principal.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { VISIBILITY } from '../../../plugins/catalogue/visibility.ts';
import { startVitrine, type SignedIn } from '../../support/vitrine.ts';
import { NEW_ALGORITHM, openShowcase, PLUGINS, type Showcase } from './support/showcase.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

type Who = Pick<SignedIn, 'token'> | undefined;

const SEES = {
  'an anonymous viewer': false,
  'a user without a grant': false,
  'a key of a user without a grant': false,
  'a user with a grant on another algorithm': false,
  'a key without the scope "read" of a user who may manage it': false,
  'a user who may read it': true,
  'a key of a user who may read it': true,
  'a user who may execute it': true,
  'a user who may manage it': true,
  'an administrator': true,
} as const;
type Viewer = keyof typeof SEES;

describe('A private algorithm', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let stranger: SignedIn;
    let reader: SignedIn;
    const viewers = {} as Record<Viewer, Who>;
    /** A private algorithm that the readers, executors and managers of the table have rights on, and its version. */
    let id: string;
    let versionId: string;
    let open: string;

    const get = (who: Who, path: string) => showcase.as(who, 'GET', path);
    const change = (algorithmId: string, fields: object) =>
      showcase.as(showcase.admin, 'PUT', `/algorithms/${algorithmId}`, fields);
    const grant = async (to: SignedIn, kind: string, on: string): Promise<string> => {
      const body = { algorithm_id: on, user_id: to.id, permission_type: kind };
      return (await showcase.as(showcase.admin, 'POST', '/permissions/grants', body)).body.id;
    };
    const listed = async (who: Who, query = ''): Promise<{ ids: string[]; total: number }> => {
      const { body } = await get(who, `/algorithms${query}`);
      return { ids: body.algorithms.map((algorithm: { id: string }) => algorithm.id), total: body.total };
    };

    before(async () => {
      showcase = await openShowcase(engine);
      const { service } = showcase;
      stranger = await service.user('stranger');
      reader = await service.user('reader');
      const [executor, manager, neighbour] = [
        await service.user('executor'),
        await service.user('manager'),
        await service.user('neighbour'),
      ];
      open = await showcase.algorithm();
      id = await showcase.algorithm({ access: 'private', name: 'Hidden edges', type: 'secret' });
      versionId = (await showcase.version(id)).id;
      await grant(reader, 'read', id);
      await grant(executor, 'execute', id);
      await grant(manager, 'manage', id);
      await grant(neighbour, 'manage', open);
      Object.assign(viewers, {
        'an anonymous viewer': undefined,
        'a user without a grant': stranger,
        'a key of a user without a grant': await showcase.keyOf(stranger),
        'a user with a grant on another algorithm': neighbour,
        'a key without the scope "read" of a user who may manage it': await showcase.keyOf(manager, [
          'call',
          'manage',
        ]),
        'a user who may read it': reader,
        'a key of a user who may read it': await showcase.keyOf(reader),
        'a user who may execute it': executor,
        'a user who may manage it': manager,
        'an administrator': showcase.admin,
      } satisfies Record<Viewer, Who>);
    });
    after(() => showcase.service.stop());

    for (const [name, sees] of Object.entries(SEES) as [Viewer, boolean][]) {
      describe(`${sees ? 'exists' : 'does not exist'} for ${name}`, () => {
        it('by its id, and by those of its versions', async () => {
          const paths = [
            `/algorithms/${id}`,
            `/algorithms/${id}/versions`,
            `/algorithms/${id}/versions/${versionId}`,
          ];
          const answers = await Promise.all(paths.map((path) => get(viewers[name], path)));
          expect(answers.map(({ status }) => status)).to.deep.equal(Array(3).fill(sees ? 200 : 404));
          if (!sees) {
            expect(new Set(answers.map(({ body }) => body.code))).to.deep.equal(
              new Set(['algorithm_not_found']),
            );
          }
        });

        it('in lists, and in their totals', async () => {
          const all = sees ? [id, open] : [open];
          expect(await listed(viewers[name])).to.deep.equal({ ids: all, total: all.length });
        });

        for (const query of ['?type=secret', '?q=hidden', '?status=active&q=HIDDEN&sort=name']) {
          it(`when it is asked for by ${query}`, async () => {
            const found = sees ? [id] : [];
            expect(await listed(viewers[name], query)).to.deep.equal({ ids: found, total: found.length });
          });
        }

        it('on any page', async () => {
          const second = await listed(viewers[name], '?skip=1&limit=1');
          expect(second).to.deep.equal(sees ? { ids: [open], total: 2 } : { ids: [], total: 1 });
        });
      });
    }

    describe('that was open', () => {
      let other: string;
      beforeEach(async () => {
        other = await showcase.algorithm();
        await get(undefined, `/algorithms/${other}`);
        await listed(undefined);
      });
      afterEach(() => showcase.as(showcase.admin, 'DELETE', `/algorithms/${other}`));

      it('is gone at once, also from the answers that were cached', async () => {
        const { status, body } = await change(other, { access: 'private' });
        expect([status, body.access]).to.deep.equal([200, 'private']);
        expect((await get(undefined, `/algorithms/${other}`)).status).to.equal(404);
        expect(await listed(undefined)).to.deep.equal({ ids: [open], total: 1 });
      });

      it('is unknown to a client that still has its tag', async () => {
        const { headers } = await get(undefined, `/algorithms/${other}`);
        const asked = { headers: { 'If-None-Match': headers['etag']! } };
        const unchanged = await showcase.service.request('GET', `/algorithms/${other}`, asked);
        await change(other, { access: 'private' });
        const hidden = await showcase.service.request('GET', `/algorithms/${other}`, asked);
        expect([unchanged.status, hidden.status]).to.deep.equal([304, 404]);
      });

      it('is back at once when it is open again', async () => {
        await change(other, { access: 'private' });
        await listed(undefined);
        await change(other, { access: 'open' });
        expect((await get(undefined, `/algorithms/${other}`)).status).to.equal(200);
        expect(await listed(undefined)).to.deep.equal({ ids: [other, open], total: 2 });
      });
    });

    it('stays out of the cached list of others when one who sees it lists first', async () => {
      await change(open, { description: 'Nothing is cached now' });
      expect((await listed(reader)).total).to.equal(2);
      expect((await listed(undefined)).total).to.equal(1);
      expect((await listed(stranger)).total).to.equal(1);
    });

    it('appears with a grant and disappears with it, at once', async () => {
      const before = await listed(stranger);
      const grantId = await grant(stranger, 'read', id);
      const granted = await listed(stranger);
      const read = await get(stranger, `/algorithms/${id}`);
      await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${grantId}`);
      expect([before.total, granted.total, read.status]).to.deep.equal([1, 2, 200]);
      expect((await listed(stranger)).total).to.equal(1);
      expect((await get(stranger, `/algorithms/${id}`)).status).to.equal(404);
    });

    it('costs the list of an anonymous viewer no query', () => {
      expect(showcase.service.get(VISIBILITY).listedFor(anonymous)).to.deep.equal([]);
    });

    it('cannot be found by its name: names need not be unique', async () => {
      const twin = await showcase.as(showcase.admin, 'POST', '/algorithms', {
        ...NEW_ALGORITHM,
        name: 'Hidden edges',
      });
      await showcase.as(showcase.admin, 'DELETE', `/algorithms/${twin.body.id}`);
      expect(twin.status).to.equal(200);
    });

    it('is what a manager may make of an algorithm, and keeps seeing', async () => {
      const other = await showcase.algorithm();
      await grant(reader, 'manage', other);
      const changed = await showcase.as(reader, 'PUT', `/algorithms/${other}`, { access: 'private' });
      const seen = await get(reader, `/algorithms/${other}`);
      await showcase.as(reader, 'DELETE', `/algorithms/${other}`);
      expect([changed.status, changed.body.access, seen.body.access]).to.deep.equal([
        200,
        'private',
        'private',
      ]);
    });

    it('is not what any other word makes', async () => {
      const { status, body } = await change(open, { access: 'hidden' });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/access']);
    });
  });

  onEveryEngine((engine) => {
    it('is for administrators alone where the plugin of the grants is switched off', async () => {
      const showcase = await openShowcase(engine, { plugins: ['users', 'api-keys', 'catalogue'] });
      const user = await showcase.service.user('user');
      const path = `/algorithms/${await showcase.algorithm({ access: 'private' })}`;
      const seen = async (who: Who) => [
        (await showcase.as(who, 'GET', path)).status,
        (await showcase.as(who, 'GET', '/algorithms')).body.total,
      ];
      const [byUser, byAdmin] = [await seen(user), await seen(showcase.admin)];
      await showcase.service.stop();
      expect(byUser).to.deep.equal([404, 0]);
      expect(byAdmin).to.deep.equal([200, 1]);
    });
  });

  it('is gone on other instances within two seconds', async () => {
    const scratch = await migratedScratch('postgres');
    const one = await openShowcase('postgres', { scratch });
    const other = await startVitrine('postgres', { plugins: PLUGINS, scratch });
    const path = `/algorithms/${await one.algorithm()}`;
    const seen = async () => [
      (await other.request('GET', path)).status,
      (await other.request('GET', '/algorithms')).body.total,
    ];
    const before = await seen();
    await one.as(one.admin, 'PUT', path, { access: 'private' });
    const deadline = performance.now() + 2_000;
    let after = await seen();
    while (after.join(' ') !== '404 0' && performance.now() < deadline) after = await seen();
    await other.stop();
    await one.service.stop();
    await scratch.remove();
    expect([before, after]).to.deep.equal([
      [200, 1],
      [404, 0],
    ]);
  });
});
