import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const SPAN_MS = 60_000;
const PLUGINS = ['users', 'groups', 'api-keys', 'catalogue', 'permissions', 'invocation', 'gateway'];

describe('Grants to groups, to everyone, and for a time', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let grace: SignedIn;
    let other: SignedIn;
    let algorithm: string;
    let version: string;
    let group: string;
    let now = Date.now();
    const clock = { now: () => now, elapsed: () => performance.now() };

    const ask = (method: string, path: string, body?: unknown, as: SignedIn = admin) =>
      vitrine.request(method, path, { token: as.token, ...(body !== undefined && { body }) });
    const grant = (more: object) =>
      ask('POST', '/permissions/grants', { algorithm_id: algorithm, permission_type: 'execute', ...more });
    const sees = async (as: SignedIn) =>
      (await ask('GET', `/algorithms/${algorithm}`, undefined, as)).status === 200;
    const lists = async (as: SignedIn) =>
      (await ask('GET', '/algorithms', undefined, as)).body.algorithms.some(
        ({ id }: { id: string }) => id === algorithm,
      );
    const may = async (as: SignedIn, permission_type: string) => {
      const { body } = await ask(
        'POST',
        '/permissions/check',
        { algorithm_id: algorithm, permission_type },
        as,
      );
      return body.has_permission === true;
    };
    const join = (who: SignedIn) => ask('PUT', `/groups/${group}/members/${who.id}`);

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: PLUGINS, clock });
      admin = await vitrine.admin();
      grace = await vitrine.user('grace');
      other = await vitrine.user('other');
    });
    after(() => vitrine.stop());

    beforeEach(async () => {
      const fields = { name: 'Hidden', description: '', type: 'nlp', access: 'private' };
      algorithm = (await ask('POST', '/algorithms', fields)).body.id;
      const url = 'http://127.0.0.1:9/none';
      version = (await ask('POST', `/algorithms/${algorithm}/versions`, { version: '1', url })).body.id;
      group = (await ask('POST', '/groups', { name: `Group ${algorithm}` })).body.id;
    });

    it('give the members of a group a right, from the moment at which they join to the one at which they leave', async () => {
      const made = await grant({ group_id: group });
      expect(made.body).to.include({ user_id: null, group_id: group, everyone: false, expires_at: null });
      expect(await sees(grace)).to.equal(false);
      await join(grace);
      expect([await sees(grace), await lists(grace), await may(grace, 'execute')]).to.deep.equal([
        true,
        true,
        true,
      ]);
      expect(await may(grace, 'manage')).to.equal(false);
      expect([await sees(other), await lists(other)]).to.deep.equal([false, false]);
      await ask('DELETE', `/groups/${group}/members/${grace.id}`);
      expect([await sees(grace), await lists(grace)]).to.deep.equal([false, false]);
    });

    it('let members call, and the dry run says so', async () => {
      await grant({ group_id: group });
      await join(grace);
      const check = async (user_id: string) =>
        (await ask('POST', '/gateway/check', { algorithm_id: algorithm, version_id: version, user_id })).body
          .allowed;
      expect([await check(grace.id), await check(other.id)]).to.deep.equal([true, false]);
    });

    it('let the members of a group that manages an algorithm grant it to others', async () => {
      await grant({ group_id: group, permission_type: 'manage' });
      await join(grace);
      const body = { algorithm_id: algorithm, permission_type: 'read', user_id: other.id };
      expect((await ask('POST', '/permissions/grants', body, grace)).status).to.equal(200);
      expect(await sees(other)).to.equal(true);
    });

    it('end with the group', async () => {
      await grant({ group_id: group });
      await join(grace);
      await ask('DELETE', `/groups/${group}`);
      await vitrine.settled();
      expect(await sees(grace)).to.equal(false);
      expect((await ask('GET', `/permissions/grants?algorithm_id=${algorithm}`)).body.total).to.equal(0);
    });

    it('give every account a right, also one that registers later, and no visitor', async () => {
      expect((await grant({ everyone: true })).body).to.include({
        everyone: true,
        user_id: null,
        group_id: null,
      });
      expect(await may(grace, 'execute')).to.equal(true);
      const late = await vitrine.user(`late-${engine}`);
      expect(await sees(late)).to.equal(true);
      expect((await vitrine.request('GET', `/algorithms/${algorithm}`)).status).to.equal(404);
    });

    it('count until they expire, and can be given again then', async () => {
      const expires_at = new Date(now + SPAN_MS).toISOString();
      expect((await grant({ user_id: grace.id, expires_at })).body.expires_at).to.equal(expires_at);
      await grant({
        group_id: group,
        permission_type: 'read',
        expires_at: new Date(now + 2 * SPAN_MS).toISOString(),
      });
      await join(grace);
      expect([await lists(grace), await may(grace, 'execute')]).to.deep.equal([true, true]);
      now += SPAN_MS;
      expect([await lists(grace), await may(grace, 'execute')]).to.deep.equal([true, false]);
      now += SPAN_MS;
      expect([await lists(grace), await sees(grace)]).to.deep.equal([false, false]);
      expect((await ask('GET', `/permissions/grants?algorithm_id=${algorithm}`)).body.total).to.equal(0);
      expect((await grant({ user_id: grace.id })).status).to.equal(200);
      expect(await may(grace, 'execute')).to.equal(true);
    });

    it('are deleted by a job when they have expired', async () => {
      await grant({ user_id: grace.id, expires_at: new Date(now + SPAN_MS).toISOString() });
      const kept = (await grant({ user_id: other.id })).body.id;
      now += SPAN_MS;
      await vitrine.runJob('permissions:expired-grants');
      const { grants } = (await ask('GET', `/permissions/grants?algorithm_id=${algorithm}`)).body;
      expect(grants.map(({ id }: { id: string }) => id)).to.deep.equal([kept]);
    });

    describe('are changed', () => {
      const change = (id: string, changes: object, as?: SignedIn) =>
        ask('PATCH', `/permissions/grants/${id}`, changes, as);

      it('to another right and another end, at once', async () => {
        const { id } = (await grant({ group_id: group })).body;
        await join(grace);
        expect(await may(grace, 'execute')).to.equal(true);
        const expires_at = new Date(now + SPAN_MS).toISOString();
        const { status, body } = await change(id, { permission_type: 'read', expires_at });
        expect(status).to.equal(200);
        expect(body).to.include({ id, permission_type: 'read', expires_at, group_id: group });
        expect([await sees(grace), await may(grace, 'execute')]).to.deep.equal([true, false]);
        expect((await change(id, { expires_at: null })).body.expires_at).to.equal(null);
        now += SPAN_MS;
        expect(await sees(grace)).to.equal(true);
      });

      it('each for itself, where two are made at once', async () => {
        const expires_at = new Date(now + SPAN_MS).toISOString();
        for (const user of [grace, other]) {
          const { id } = (await grant({ user_id: user.id, permission_type: 'manage' })).body;
          const answers = await Promise.all([
            change(id, { permission_type: 'read' }),
            change(id, { expires_at }),
          ]);
          expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
          const { grants } = (await ask('GET', `/permissions/grants?algorithm_id=${algorithm}`)).body;
          expect(grants.find((one: { readonly id: string }) => one.id === id)).to.include({
            permission_type: 'read',
            expires_at,
          });
        }
      });

      it('by nobody who does not manage the algorithm, and of one’s own right by administrators only', async () => {
        const { id } = (await grant({ user_id: grace.id, permission_type: 'manage' })).body;
        const expires_at = new Date(now + SPAN_MS).toISOString();
        expect((await change(id, { expires_at }, other)).status).to.equal(404);
        expect((await change(id, { expires_at }, grace)).status).to.equal(409);
        const { body } = await grant({ user_id: other.id });
        expect((await change(body.id, { permission_type: 'read' }, grace)).status).to.equal(200);
      });

      it('by no manager to give a right to manage that is their own, through a group or everyone, more time', async () => {
        const expires_at = new Date(now + SPAN_MS).toISOString();
        const manage = { permission_type: 'manage', expires_at };
        const managing = (await grant({ group_id: group, ...manage })).body.id;
        const reading = (await grant({ group_id: group, permission_type: 'read' })).body.id;
        await join(grace);
        expect((await change(managing, { expires_at: null }, grace)).body.code).to.equal('grant_exists');
        expect((await change(reading, { permission_type: 'manage' }, grace)).body.code).to.equal(
          'grant_exists',
        );
        expect((await change(reading, { expires_at }, grace)).status).to.equal(200);

        const second = (await ask('POST', '/groups', { name: `Second ${algorithm}` })).body.id;
        await ask('PUT', `/groups/${second}/members/${grace.id}`);
        const gives = async (to: object) =>
          (await ask('POST', '/permissions/grants', { algorithm_id: algorithm, ...manage, ...to }, grace))
            .status;
        expect([await gives({ group_id: second }), await gives({ everyone: true })]).to.deep.equal([
          409, 409,
        ]);
        expect(await gives({ group_id: second, permission_type: 'read' })).to.equal(200);
        expect(await gives({ user_id: other.id })).to.equal(200);
        expect((await change(managing, { expires_at: null })).status).to.equal(200);
      });

      it('unless somebody else would get them, they would stand there twice, or end in the past', async () => {
        const { id } = (await grant({ user_id: grace.id })).body;
        await grant({ user_id: grace.id, permission_type: 'read' });
        expect((await change(id, { user_id: other.id })).status).to.equal(422);
        expect((await change(id, { permission_type: 'read' })).body.code).to.equal('grant_exists');
        const past = await change(id, { expires_at: new Date(now).toISOString() });
        expect(past.body.errors[0]).to.deep.include({ pointer: '/body/expires_at' });
        await change(id, { expires_at: new Date(now + SPAN_MS).toISOString() });
        now += SPAN_MS;
        expect((await change(id, { expires_at: null })).status).to.equal(404);
      });
    });

    describe('are refused', () => {
      it('without one who gets the right, and with two', async () => {
        for (const who of [{}, { user_id: grace.id, group_id: group }, { everyone: true, group_id: group }]) {
          const { status, body } = await grant(who);
          expect(status).to.equal(422);
          expect(body.errors[0].message).to.contain('exactly one of user_id, group_id and everyone');
        }
      });

      it('to a group that does not exist, and a second time', async () => {
        const { body } = await grant({ group_id: algorithm });
        expect(body).to.include({ code: 'grantee_not_found', detail: `No group has the id "${algorithm}".` });
        await grant({ group_id: group });
        expect((await grant({ group_id: group })).body.code).to.equal('grant_exists');
        await grant({ everyone: true });
        expect((await grant({ everyone: true })).body.detail).to.contain('Everyone holds execute');
      });

      it('with an end that is past', async () => {
        const { status, body } = await grant({ user_id: grace.id, expires_at: new Date(now).toISOString() });
        expect(status).to.equal(422);
        expect(body.errors[0]).to.deep.include({ pointer: '/body/expires_at' });
      });
    });
  });
});
