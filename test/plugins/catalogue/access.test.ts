import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import type { SignedIn } from '../../support/vitrine.ts';
import { NEW_ALGORITHM, NEW_VERSION, openShowcase, type Showcase } from './support/showcase.ts';

type Who = Pick<SignedIn, 'token'> | undefined;

const FORGED = { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' };

/** What each may do; the fields are expected statuses. */
const PEOPLE = [
  'nobody',
  'forged',
  'user',
  'executor',
  'manager',
  'managers key',
  'admin',
  'admins key',
] as const;

const CELLS: Record<string, readonly number[]> = {
  'list algorithms': [200, 401, 200, 200, 200, 200, 200, 200],
  'get an algorithm': [200, 401, 200, 200, 200, 200, 200, 200],
  'list versions': [200, 401, 200, 200, 200, 200, 200, 200],
  'get a version': [200, 401, 200, 200, 200, 200, 200, 200],
  'create an algorithm': [401, 401, 403, 403, 403, 403, 200, 200],
  'update an algorithm': [401, 401, 403, 403, 200, 200, 200, 200],
  'create a version': [401, 401, 403, 403, 200, 200, 200, 200],
  'update a version': [401, 401, 403, 403, 200, 200, 200, 200],
  'delete a version': [401, 401, 403, 403, 200, 200, 200, 200],
  'delete an algorithm': [401, 401, 403, 403, 200, 200, 200, 200],
};

describe('Who may do what with algorithms', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let executor: SignedIn;
    let manager: SignedIn;
    const people: Record<string, Who> = {};
    let algorithmId: string;
    let versionId: string;

    const grant = (to: SignedIn, kind: string) =>
      showcase.as(showcase.admin, 'POST', '/permissions/grants', {
        algorithm_id: algorithmId,
        user_id: to.id,
        permission_type: kind,
      });

    const operations: Record<string, (who: Who) => ReturnType<Showcase['as']>> = {
      'list algorithms': (who) => showcase.as(who, 'GET', '/algorithms'),
      'get an algorithm': (who) => showcase.as(who, 'GET', `/algorithms/${algorithmId}`),
      'list versions': (who) => showcase.as(who, 'GET', `/algorithms/${algorithmId}/versions`),
      'get a version': (who) => showcase.as(who, 'GET', `/algorithms/${algorithmId}/versions/${versionId}`),
      'create an algorithm': (who) => showcase.as(who, 'POST', '/algorithms', NEW_ALGORITHM),
      'update an algorithm': (who) => showcase.as(who, 'PUT', `/algorithms/${algorithmId}`, { name: 'New' }),
      'create a version': (who) =>
        showcase.as(who, 'POST', `/algorithms/${algorithmId}/versions`, { ...NEW_VERSION, version: 'new' }),
      'update a version': (who) =>
        showcase.as(who, 'PUT', `/algorithms/${algorithmId}/versions/${versionId}`, { version: 'newer' }),
      'delete a version': (who) =>
        showcase.as(who, 'DELETE', `/algorithms/${algorithmId}/versions/${versionId}`),
      'delete an algorithm': (who) => showcase.as(who, 'DELETE', `/algorithms/${algorithmId}`),
    };

    const state = async () => (await showcase.as(undefined, 'GET', `/algorithms/${algorithmId}`)).body;

    before(async () => {
      showcase = await openShowcase(engine);
      executor = await showcase.service.user('executor');
      manager = await showcase.service.user('manager');
      people['forged'] = FORGED;
      people['user'] = await showcase.service.user('user');
      people['executor'] = executor;
      people['manager'] = manager;
      people['managers key'] = await showcase.keyOf(manager);
      people['admin'] = showcase.admin;
      people['admins key'] = await showcase.keyOf(showcase.admin);
    });
    after(() => showcase.service.stop());

    beforeEach(async () => {
      algorithmId = await showcase.algorithm({ access: 'restricted' });
      versionId = (await showcase.version(algorithmId)).id;
      await grant(executor, 'execute');
      await grant(manager, 'manage');
    });

    for (const [operation, statuses] of Object.entries(CELLS)) {
      PEOPLE.forEach((name, index) => {
        const expected = statuses[index]!;
        it(`${operation}: ${expected} for ${name}`, async () => {
          const before = await state();
          const { status } = await operations[operation]!(people[name]);
          expect(status).to.equal(expected);
          if (expected > 400) expect(await state()).to.deep.equal(before);
        });
      });
    }

    it('a grant of manage reaches no other algorithm', async () => {
      algorithmId = await showcase.algorithm();
      expect((await operations['update an algorithm']!(manager)).status).to.equal(403);
    });

    it('an unknown algorithm is 404 before it is 403', async () => {
      algorithmId = '01890000-0000-7000-8000-000000000000';
      const answers = await Promise.all(
        ['update an algorithm', 'create a version', 'delete an algorithm'].map((name) =>
          operations[name]!(people['user']),
        ),
      );
      expect(answers.map(({ body }) => body.code)).to.deep.equal(Array(3).fill('algorithm_not_found'));
    });

    it('taking the grant back counts at once', async () => {
      const path = `/permissions/grants?algorithm_id=${algorithmId}&user_id=${manager.id}`;
      const { body } = await showcase.as(showcase.admin, 'GET', path);
      expect((await operations['update an algorithm']!(manager)).status).to.equal(200);
      await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${body.grants[0].id}`);
      expect((await operations['update an algorithm']!(manager)).status).to.equal(403);
    });
  });

  onEveryEngine((engine) => {
    it('without the plugin of the grants, administrators alone manage algorithms', async () => {
      const showcase = await openShowcase(engine, { plugins: ['users', 'api-keys', 'catalogue'] });
      const user = await showcase.service.user('user');
      const path = `/algorithms/${await showcase.algorithm()}`;
      const statuses = [
        (await showcase.as(user, 'PUT', path, { name: 'New' })).status,
        (await showcase.as(showcase.admin, 'PUT', path, { name: 'New' })).status,
      ];
      await showcase.service.stop();
      expect(statuses).to.deep.equal([403, 200]);
    });
  });
});
