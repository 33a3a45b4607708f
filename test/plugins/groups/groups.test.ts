import { expect } from 'chai';
import { ValidationFailed } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { GROUPS } from '../../../plugins/groups/contract.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('Groups', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let grace: SignedIn;
    let names = 0;

    const ask = (method: string, path: string, body?: unknown, as: SignedIn = admin) =>
      vitrine.request(method, path, { token: as.token, ...(body !== undefined && { body }) });
    const create = async (name = `Group ${(names += 1)}`) => (await ask('POST', '/groups', { name })).body;
    const membersOf = async (id: string) => (await ask('GET', `/groups/${id}/members`)).body;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users', 'groups', 'audit'] });
      admin = await vitrine.admin();
      grace = await vitrine.user('grace');
    });
    after(() => vitrine.stop());

    it('are created, shown, changed and deleted', async () => {
      const made = await ask('POST', '/groups', { name: 'Radiology', description: 'Pictures' });
      expect(made.status).to.equal(200);
      expect(made.body).to.include({ name: 'Radiology', description: 'Pictures', members: 0 });
      const path = `/groups/${made.body.id}`;
      expect((await ask('GET', path)).body).to.deep.equal(made.body);
      expect((await ask('PATCH', path, { name: 'Imaging' })).body).to.include({
        name: 'Imaging',
        description: 'Pictures',
      });
      expect((await ask('DELETE', path)).status).to.equal(200);
      expect((await ask('GET', path)).body.code).to.equal('group_not_found');
    });

    it('have unique names, without regard to case', async () => {
      await create('Zürich');
      const other = await create();
      expect((await ask('POST', '/groups', { name: 'zÜRICH' })).body.code).to.equal('group_name_taken');
      expect((await ask('PATCH', `/groups/${other.id}`, { name: 'ZÜRICH' })).status).to.equal(409);
    });

    it('keep both of two changes at once, of different fields', async () => {
      for (let round = 1; round <= 5; round += 1) {
        const { id } = await create();
        const [name, description] = [`Renamed ${round}`, `Described ${round}`];
        await Promise.all([
          ask('PATCH', `/groups/${id}`, { name }),
          ask('PATCH', `/groups/${id}`, { description }),
        ]);
        expect((await ask('GET', `/groups/${id}`)).body).to.include({ name, description });
      }
    });

    it('are deleted once, however many ask for it at once', async () => {
      const { id } = await create();
      const asked = await Promise.all([1, 2, 3].map(() => ask('DELETE', `/groups/${id}`)));
      expect(asked.map(({ status }) => status)).to.have.members([200, 404, 404]);
      const trail = (await ask('GET', `/audit?action=group.delete&target_id=${id}`)).body;
      expect(trail.total).to.equal(1);
    });

    it('refuse to change what is fixed', async () => {
      const { id } = await create();
      const { status, body } = await ask('PATCH', `/groups/${id}`, { name: 'Counted', members: 5 });
      expect(status).to.equal(422);
      expect(body.errors[0].pointer).to.equal('/body/members');
    });

    it('are listed by name, by part of it, and by account', async () => {
      const [b, a] = [await create('Listed B'), await create('Listed A')];
      await ask('PUT', `/groups/${b.id}/members/${grace.id}`);
      const { groups, total } = (await ask('GET', '/groups?q=listed&limit=1')).body;
      expect(total).to.equal(2);
      expect(groups.map(({ id }: { id: string }) => id)).to.deep.equal([a.id]);
      const own = (await ask('GET', `/groups?q=listed&user_id=${grace.id}`)).body.groups;
      expect(own).to.have.length(1);
      expect(own[0]).to.include({ id: b.id, members: 1 });
    });

    it('are for administrators', async () => {
      for (const [method, path] of [
        ['GET', '/groups'],
        ['GET', `/groups/${UNKNOWN}`],
        ['DELETE', `/groups/${UNKNOWN}`],
      ] as const) {
        expect((await ask(method, path, undefined, grace)).status, path).to.equal(403);
      }
    });

    it('get and lose members, whose names they show', async () => {
      const { id } = await create();
      const member = `/groups/${id}/members/${grace.id}`;
      expect((await ask('PUT', member)).status).to.equal(200);
      expect((await ask('PUT', member)).status, 'again').to.equal(200);
      const { members, total } = await membersOf(id);
      expect(total).to.equal(1);
      expect(members[0]).to.deep.include({ user_id: grace.id, username: 'grace', sources: ['manual'] });
      expect(await vitrine.get(GROUPS).of(grace.id)).to.include(id);
      expect((await ask('DELETE', member)).status).to.equal(200);
      expect((await ask('DELETE', member)).body.code, 'again').to.equal('member_not_found');
      expect(await vitrine.get(GROUPS).of(grace.id)).not.to.include(id);
    });

    it('refuse members that do not exist', async () => {
      const { id } = await create();
      expect((await ask('PUT', `/groups/${id}/members/${UNKNOWN}`)).body.code).to.equal('member_not_found');
      expect((await ask('PUT', `/groups/${UNKNOWN}/members/${grace.id}`)).body.code).to.equal(
        'group_not_found',
      );
    });

    it('keep what each source says of an account apart', async () => {
      const groups = vitrine.get(GROUPS);
      const { id } = await create('Kept apart');
      await ask('PUT', `/groups/${id}/members/${grace.id}`);
      await groups.sync('directory', grace.id, ['Kept APART', 'From the directory']);
      expect((await membersOf(id)).members[0].sources).to.have.members(['manual', 'directory']);
      const made = await groups.findByName('from the directory');
      expect(await groups.of(grace.id)).to.include.members([id, made!.id]);
      expect(
        (await ask('DELETE', `/groups/${made!.id}/members/${grace.id}`)).status,
        'kept elsewhere',
      ).to.equal(404);
      await groups.sync('directory', grace.id, []);
      expect((await membersOf(id)).members[0].sources).to.deep.equal(['manual']);
      expect(await groups.of(grace.id)).not.to.include(made!.id);
    });

    it('are made by sources that name the same new ones in another order at once', async () => {
      const groups = vitrine.get(GROUPS);
      for (let round = 1; round <= 10; round += 1) {
        const made = Array.from({ length: 6 }, (_, n) => `Made ${round} ${n}`);
        await Promise.all([
          groups.sync('test:one', grace.id, made),
          groups.sync('test:two', admin.id, made.toReversed()),
        ]);
      }
    });

    it('refuse a name from a source that no group can have, and change nothing then', async () => {
      const groups = vitrine.get(GROUPS);
      const before = await groups.of(grace.id);
      for (const name of [' ', 'x'.repeat(101), 'a\u0000b', 'a\ud800b', 'a\nb']) {
        expect(groups.isName(name), JSON.stringify(name)).to.equal(false);
        const failure: unknown = await groups
          .sync('directory', grace.id, ['Fine', name])
          .catch((error: unknown) => error);
        expect(ValidationFailed.is(failure)).to.equal(true);
        expect(await groups.of(grace.id)).to.deep.equal(before);
        expect(await groups.findByName('Fine')).to.equal(undefined);
      }
      expect(groups.isName(' Radiology\n'), 'white space at the ends is cut').to.equal(true);
    });

    it('leave a trail of their changes', async () => {
      const { id } = await create('Trailed');
      await ask('PATCH', `/groups/${id}`, { description: 'Followed' });
      const member = `/groups/${id}/members/${grace.id}`;
      for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) await ask(method, member);
      await ask('DELETE', `/groups/${id}`);
      const { entries } = (await ask('GET', `/audit?target_id=${id}`)).body;
      expect(entries.map(({ action }: { action: string }) => action).toReversed()).to.deep.equal([
        'group.create',
        'group.update',
        'group.add_member',
        'group.remove_member',
        'group.delete',
      ]);
      expect(entries[3]).to.deep.include({
        actor_name: 'admin',
        before: { description: '' },
        after: { description: 'Followed' },
      });
      expect(entries[2].after).to.deep.equal({ user_id: grace.id, username: 'grace' });
    });

    it('lose an account that is deleted', async () => {
      const leaver = await vitrine.user('leaver');
      const { id } = await create();
      await ask('PUT', `/groups/${id}/members/${leaver.id}`);
      expect((await ask('DELETE', `/users/${leaver.id}`)).status).to.equal(200);
      expect((await membersOf(id)).total).to.equal(0);
    });

    it('get no account that is deleted at the same time', async () => {
      const groups = vitrine.get(GROUPS);
      const { id } = await create();
      const leavers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => vitrine.user(`leaver${n}`)));
      for (const leaver of leavers) {
        await Promise.all([
          ask('DELETE', `/users/${leaver.id}`),
          ask('PUT', `/groups/${id}/members/${leaver.id}`),
          groups.sync('directory', leaver.id, ['From the directory']),
        ]);
        expect(await groups.of(leaver.id)).to.deep.equal([]);
      }
      expect((await membersOf(id)).total).to.equal(0);
    });

    it('lose their members with themselves', async () => {
      const { id } = await create();
      await ask('PUT', `/groups/${id}/members/${grace.id}`);
      await ask('DELETE', `/groups/${id}`);
      expect(await vitrine.get(GROUPS).of(grace.id)).not.to.include(id);
    });
  });
});
