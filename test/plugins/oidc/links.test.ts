import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { AUDIENCE, Stage } from './support.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('oidc: links, roles and signing out', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();
    let people = 0;

    before(() =>
      stage.open(engine, {
        audience: AUDIENCE,
        admin_claim: 'realm_access.roles',
        admin_values: ['vitrine-admin', 'root'],
      }),
    );
    after(() => stage.close());

    const somebody = (claims: object = {}): string => {
      const subject = `one${(people += 1)}`;
      stage.corp.add(subject, { preferred_username: subject, ...claims });
      return subject;
    };
    const admin = { realm_access: { roles: ['x', 'vitrine-admin'] } };
    const linkOf = async (session: any): Promise<any> =>
      (await stage.ask(session, 'GET', '/oidc/links')).body.links[0];
    const roleOf = async (session: any): Promise<string> =>
      (await stage.ask(session, 'GET', '/users/me')).body.role;

    it('are listed with when they were last used', async () => {
      const session = await stage.signIn('corp', somebody({ email: 'one@example.net' }));
      const { body } = await stage.ask(session, 'GET', '/oidc/links');
      expect(body.total).to.equal(1);
      expect(body.links[0]).to.include({
        provider: 'corp',
        issuer: stage.corp.issuer,
        user_id: session.body.user_id,
        email: 'one@example.net',
      });
      expect(body.links[0].last_used_at).to.match(/Z$/);
    });

    it('are those of others for administrators only', async () => {
      const session = await stage.signIn('corp', somebody());
      const other = await stage.vitrine.user('nosy');
      const path = `/oidc/links?user_id=${session.body.user_id}`;
      expect((await stage.as(other, 'GET', path)).status).to.equal(403);
      expect((await stage.as(await stage.vitrine.admin(), 'GET', path)).body.total).to.equal(1);
      const { id } = await linkOf(session);
      const { status, body } = await stage.as(other, 'DELETE', `/oidc/links/${id}`);
      expect([status, body.code]).to.deep.equal([404, 'sign_in_link_not_found']);
      expect((await stage.ask(session, 'DELETE', `/oidc/links/${UNKNOWN}`)).status).to.equal(404);
      expect((await stage.ask(session, 'DELETE', '/oidc/links/x')).status).to.equal(404);
    });

    it('stay when nothing else signs the account in, also for administrators', async () => {
      const session = await stage.signIn('corp', somebody());
      const { id } = await linkOf(session);
      const answers = [
        await stage.ask(session, 'DELETE', `/oidc/links/${id}`),
        await stage.as(await stage.vitrine.admin(), 'DELETE', `/oidc/links/${id}`),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code]).to.deep.equal([409, 'last_way_in']);
        expect(body.detail).to.include('password');
      }
    });

    it('go where there is a password, with the groups and the role that they gave, and the machines', async () => {
      const local = await stage.vitrine.user(`both${people}`);
      const email = `${local.username}@example.org`;
      const subject = somebody({ email, email_verified: true, groups: ['Linked'], ...admin });
      const session = await stage.signIn('corp', subject);
      expect(session.body.user_id).to.equal(local.id);
      expect(await roleOf(session)).to.equal('admin');
      const seconds = Math.floor(stage.clock.now() / 1000);
      const { issuer: iss } = stage.corp;
      const claims = { iss, sub: subject, aud: AUDIENCE, iat: seconds, exp: seconds + 600 };
      const token = await stage.corp.signed(claims);
      const asMachine = () => stage.vitrine.request('GET', '/users/me', { token });
      expect((await asMachine()).body.id).to.equal(local.id);
      const { id } = await linkOf(session);
      expect((await stage.as(local, 'DELETE', `/oidc/links/${id}`)).status).to.equal(200);
      expect((await stage.as(local, 'GET', '/users/me')).body.role).to.equal('user');
      const groups = `/groups?user_id=${local.id}`;
      expect((await stage.as(await stage.vitrine.admin(), 'GET', groups)).body.total).to.equal(0);
      expect((await asMachine()).body.id).not.to.equal(local.id);
      const [removed] = await stage.audited('account.unlink');
      expect(removed).to.include({ target_id: local.id, actor_id: local.id });
      expect(removed.before).to.include({ subject });
    });

    it('go one of two at the same time, where there is no password', async () => {
      const subject = somebody({ email: 'two@example.net', email_verified: true });
      const session = await stage.signIn('corp', subject);
      stage.other.add(subject, { email: 'two@example.net', email_verified: true });
      expect((await stage.signIn('other', subject)).body).to.include({ user_id: session.body.user_id });
      const { links } = (await stage.ask(session, 'GET', '/oidc/links')).body;
      expect(links).to.have.length(2);
      const answers = await Promise.all(
        links.map(({ id }: any) => stage.ask(session, 'DELETE', `/oidc/links/${id}`)),
      );
      expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
    });

    it('go with the account', async () => {
      const { body } = await stage.signIn('corp', somebody());
      const boss = await stage.vitrine.admin();
      await stage.as(boss, 'DELETE', `/users/${body.user_id}`);
      expect((await stage.as(boss, 'GET', `/oidc/links?user_id=${body.user_id}`)).body.total).to.equal(0);
    });

    it('make administrators of those whom the provider calls so, while it does', async () => {
      const subject = somebody(admin);
      const session = await stage.signIn('corp', subject);
      expect(await roleOf(session)).to.equal('admin');
      stage.corp.add(subject, { realm_access: { roles: ['x'] } });
      await stage.signIn('corp', subject);
      expect(await roleOf(session)).to.equal('user');
    });

    it('leave alone whom an administrator made administrator', async () => {
      const subject = somebody();
      const session = await stage.signIn('corp', subject);
      await stage.as(await stage.vitrine.admin(), 'PATCH', `/users/${session.body.user_id}`, {
        role: 'admin',
      });
      await stage.signIn('corp', subject);
      expect(await roleOf(session)).to.equal('admin');
    });

    it('leave the last administrator one', async () => {
      const subject = somebody(admin);
      const session = await stage.signIn('corp', subject);
      const boss = await stage.vitrine.admin();
      const { users } = (await stage.ask(session, 'GET', '/users?role=admin&status=active')).body;
      for (const { id } of users)
        if (id !== session.body.user_id) await stage.ask(session, 'PATCH', `/users/${id}`, { role: 'user' });
      stage.corp.add(subject, {});
      expect((await stage.signIn('corp', subject)).status).to.equal(200);
      expect(await roleOf(session)).to.equal('admin');
      await stage.ask(session, 'PATCH', `/users/${boss.id}`, { role: 'admin' });
      await stage.signIn('corp', subject);
      expect(await roleOf(session)).to.equal('user');
    });

    describe('signing out', () => {
      it('ends the session and leads to the provider, which knows whom to sign out', async () => {
        const session = await stage.signIn('corp', somebody());
        const out = await stage.ask(session, 'POST', '/oidc/sign-out');
        expect(out.status).to.equal(200);
        expect(out.headers['set-cookie']).to.include('vitrine_session=; ').and.to.include('Max-Age=0');
        const url = new URL(out.body.url);
        expect(url.origin + url.pathname).to.equal(`${stage.corp.issuer}/session/end`);
        expect(url.searchParams.get('post_logout_redirect_uri')).to.equal(`${stage.vitrine.rootUrl}/sign-in`);
        expect(url.searchParams.get('id_token_hint')).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/);
        expect((await fetch(url)).status).to.equal(200);
        expect((await stage.ask(session, 'GET', '/users/me')).status).to.equal(401);
      });

      it('leads nowhere where a password opened the session', async () => {
        const { token } = await stage.vitrine.user(`plain${people}`);
        const out = await stage.vitrine.request('POST', '/oidc/sign-out', { token });
        expect(out.body).to.deep.equal({ message: 'The session has ended.', url: null });
        expect((await stage.vitrine.request('GET', '/users/me', { token })).status).to.equal(401);
      });

      it('works while the provider is away', async () => {
        const session = await stage.signIn('corp', somebody());
        await stage.corp.stop();
        try {
          // Longer than its metadata is known.
          stage.clock.advance(3_599_000);
          const out = await stage.ask(session, 'POST', '/oidc/sign-out');
          expect(out.status).to.equal(200);
        } finally {
          await stage.corp.comeBack();
        }
      });

      it('is forgotten once the session has expired', async () => {
        const { knex } = stage.vitrine.get(DATABASE);
        await stage.signIn('corp', somebody());
        await stage.vitrine.runJob('oidc:expired-sessions');
        expect(await knex('oidc_sessions').select('id')).not.to.be.empty;
        stage.clock.advance(2 * 3_600_000);
        await stage.vitrine.runJob('oidc:expired-sessions');
        expect(await knex('oidc_sessions').select('id')).to.be.empty;
      });
    });
  });
});
