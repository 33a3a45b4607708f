import { expect } from 'chai';
import { DATABASE, newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { Stage } from './support.ts';

describe('oidc: signing in by a provider', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();
    let people = 0;

    before(() => stage.open(engine));
    after(() => stage.close());

    /** A person whom the provider knows, and nobody here. */
    const somebody = (claims: object = {}): { subject: string; name: string; email: string } => {
      const name = `person${(people += 1)}`;
      const email = `${name}@example.net`;
      stage.corp.add(name, { preferred_username: name, email, email_verified: true, ...claims });
      stage.other.add(name, { preferred_username: name, email, email_verified: true, ...claims });
      return { subject: name, name, email };
    };

    it('offers the providers of the settings, and tells nothing else of them', async () => {
      const { body } = await stage.vitrine.request('GET', '/oidc/providers');
      expect(body).to.deep.equal({
        providers: [
          { id: 'corp', name: 'Corporate' },
          { id: 'other', name: 'Other' },
        ],
      });
    });

    it('sends the browser away with PKCE, state and nonce', async () => {
      const { url, cookie } = await stage.begin('corp');
      const { searchParams } = new URL(url);
      expect(url.startsWith(`${stage.corp.issuer}/auth?`)).to.equal(true);
      expect(Object.fromEntries(searchParams)).to.include({
        scope: 'openid profile email',
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `${stage.vitrine.rootUrl}/sign-in/corp`,
      });
      expect(searchParams.get('state')).to.match(/^[\w-]{43}$/);
      expect(searchParams.get('nonce')).to.match(/^[\w-]{43}$/);
      expect(cookie).not.to.include(searchParams.get('state')!);
    });

    it('makes an account at first sight, and opens a session of it', async () => {
      const { subject, name, email } = somebody();
      const answer = await stage.signIn('corp', subject, '/history');
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.body).to.include({ username: name, created: true, next: '/history' });
      const me = await stage.ask(answer, 'GET', '/users/me');
      expect(me.body).to.include({ id: answer.body.user_id, username: name, email, role: 'user' });
      const session = (await stage.ask(answer, 'GET', '/users/me/sessions')).body.sessions[0];
      expect(session).to.include({ via: 'session', current: true });
    });

    it('keeps the session from scripts and from pages of other sites', async () => {
      const answer = await stage.signIn('corp', somebody().subject);
      expect(answer.headers['set-cookie']).to.match(/; HttpOnly; SameSite=Strict$/);
    });

    it('finds the same account again, whatever the person is called by then', async () => {
      const { subject } = somebody();
      const first = await stage.signIn('corp', subject);
      stage.corp.add(subject, { preferred_username: 'renamed', email: 'renamed@example.net' });
      const second = await stage.signIn('corp', subject);
      expect(second.body).to.include({ user_id: first.body.user_id, created: false, next: null });
    });

    it('makes one account for somebody who signs in several times at once', async () => {
      const { subject } = somebody();
      const ways = [];
      for (let way = 0; way < 6; way++) {
        const begun = await stage.begin('corp');
        ways.push({ begun, query: await stage.corp.signIn(begun.url, subject) });
      }
      const answers = await Promise.all(ways.map(({ query, begun }) => stage.finish('corp', query, begun)));
      expect(answers.map(({ status }) => status)).to.deep.equal(ways.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.user_id)).size).to.equal(1);
    });

    it('gives somebody whose name is taken another one', async () => {
      const { username } = await stage.vitrine.user(`taken${people}`);
      const { subject } = somebody({ preferred_username: username });
      expect((await stage.signIn('corp', subject)).body.username).to.equal(`${username}-2`);
    });

    it('makes a name of what cannot be one', async () => {
      const { subject } = somebody({ preferred_username: '  ÄÖ \u200b<script> & co. ' });
      expect((await stage.signIn('corp', subject)).body.username).to.equal('ÄÖ-script-co');
    });

    it('links the account that has the e-mail address, where the provider has verified it', async () => {
      const local = await stage.vitrine.user(`local${people}`);
      const { subject } = somebody({ email: `${local.username.toUpperCase()}@example.org` });
      const answer = await stage.signIn('other', subject);
      expect(answer.body).to.include({ user_id: local.id, username: local.username, created: false });
      const [link] = (await stage.as(local, 'GET', '/oidc/links')).body.links;
      expect(link).to.include({ provider: 'other', issuer: stage.other.issuer, subject, user_id: local.id });
    });

    for (const email_verified of [false, undefined, 'true', 1]) {
      it(`links none where email_verified is ${JSON.stringify(email_verified)}`, async () => {
        const local = await stage.vitrine.user(`claimed${people}`);
        const { subject } = somebody({ email: `${local.username}@example.org`, email_verified });
        const { status, body } = await stage.signIn('corp', subject);
        expect([status, body.code]).to.deep.equal([403, 'sign_in_refused']);
        expect(body.detail).to.include(`${local.username}@example.org`).and.to.include('verified');
        expect((await stage.as(local, 'GET', '/oidc/links')).body.total).to.equal(0);
      });
    }

    for (const [domain, likeness] of [
      ['github.example', 'g\u0131thub.example'],
      ['wide.example', '\uff57ide.example'],
      ['hidden.example', 'hid\u00adden.example'],
    ] as const) {
      it(`links none by an address that only looks the same: ${JSON.stringify(likeness)}`, async () => {
        const local = await stage.vitrine.user(`alike${people}`);
        const admin = await stage.vitrine.admin();
        const email = `${local.username}@${domain}`;
        await stage.as(admin, 'PATCH', `/users/${local.id}`, { email });
        const { subject } = somebody({ email: `${local.username}@${likeness}` });
        const { status, body } = await stage.signIn('corp', subject);
        expect([status, body.code]).to.deep.equal([403, 'sign_in_refused']);
        expect(body.detail).to.include(email).and.to.include('only looks like');
      });
    }

    it('links no account by its address unless the settings say so', async () => {
      const strict = await stage.start(engine, { link_by_email: false });
      try {
        stage.admit([stage.vitrine, strict]);
        await strict.admin();
        const email = `${(await strict.user('waiting')).username}@example.org`;
        const { subject } = somebody({ email });
        const begun = await stage.begin('corp', undefined, strict);
        const query = await stage.corp.signIn(begun.url, subject);
        const { status, body } = await stage.finish('corp', query, begun, strict);
        expect(status).to.equal(403);
        expect(body.detail).to.include('link_by_email').and.to.include(email);
      } finally {
        await strict.stop();
        stage.admit([stage.vitrine]);
      }
    });

    it('does not keep an address that nobody has verified', async () => {
      const { subject, email } = somebody({ email_verified: false });
      const answer = await stage.signIn('corp', subject);
      const me = await stage.ask(answer, 'GET', '/users/me');
      expect(me.body.email).to.match(/^[0-9a-f-]+@corp\.invalid$/);
      // Whoever proves the address has an account of their own.
      stage.other.add(`${subject}-proved`, { email, email_verified: true });
      expect((await stage.signIn('other', `${subject}-proved`)).body.code).to.equal('sign_in_refused');
    });

    it('makes no account where the settings do not say so', async () => {
      const { subject, email } = somebody();
      const { status, body } = await stage.signIn('other', subject);
      expect([status, body.code]).to.deep.equal([403, 'sign_in_refused']);
      expect(body.detail).to.include('"Other"').and.to.include(email);
    });

    it('refuses a disabled account with a sentence, also one that it would link', async () => {
      const { subject } = somebody();
      const { user_id } = (await stage.signIn('corp', subject)).body;
      const admin = await stage.vitrine.admin();
      await stage.as(admin, 'PATCH', `/users/${user_id}`, { status: 'disabled' });
      for (const id of ['corp', 'other'] as const) {
        const { status, body } = await stage.signIn(id, subject);
        expect([status, body.code]).to.deep.equal([403, 'sign_in_refused']);
        expect(body.detail).to.include('is disabled');
      }
      expect((await stage.as(admin, 'GET', `/oidc/links?user_id=${user_id}`)).body.total).to.equal(1);
    });

    it('begins anew for somebody whose account was deleted', async () => {
      const { subject } = somebody();
      const before = (await stage.signIn('corp', subject)).body;
      await stage.as(await stage.vitrine.admin(), 'DELETE', `/users/${before.user_id}`);
      const after = (await stage.signIn('corp', subject)).body;
      expect(after).to.include({ created: true, username: before.username });
      expect(after.user_id).not.to.equal(before.user_id);
    });

    it('begins anew where a link was left over', async () => {
      const { subject } = somebody();
      const { knex } = stage.vitrine.get(DATABASE);
      await knex('oidc_links').insert({
        id: newId(),
        provider: 'corp',
        issuer: stage.corp.issuer,
        subject,
        user_id: newId(),
        gave_admin: false,
        created_at: '2026-01-01T00:00:00.000Z',
      });
      expect((await stage.signIn('corp', subject)).body).to.include({ created: true });
      expect(await knex('oidc_links').where({ subject })).to.have.length(1);
    });

    it('puts people into the groups that the provider names, and out of them', async () => {
      const { subject } = somebody({ groups: ['Radiology', 'Night shift'] });
      const { user_id } = (await stage.signIn('corp', subject)).body;
      const admin = await stage.vitrine.admin();
      const groups = async () =>
        (await stage.as(admin, 'GET', `/groups?user_id=${user_id}`)).body.groups.map((g: any) => g.name);
      expect(await groups()).to.deep.equal(['Night shift', 'Radiology']);
      stage.corp.add(subject, { groups: ['Radiology', ''] });
      await stage.signIn('corp', subject);
      expect(await groups()).to.deep.equal(['Radiology']);
      // A name that no group can have keeps nobody in a group, and out of none.
      stage.corp.add(subject, { groups: ['x'.repeat(300), 'a\u0000b', 'Night shift'] });
      expect((await stage.signIn('corp', subject)).status).to.equal(200);
      expect(await groups()).to.deep.equal(['Night shift']);
      stage.corp.add(subject, {});
      await stage.signIn('corp', subject);
      expect(await groups()).to.deep.equal([]);
    });

    it('makes nobody an administrator unless the settings say by what', async () => {
      const { subject } = somebody({ role: 'admin', groups: ['admin', 'administrators'] });
      const answer = await stage.signIn('corp', subject);
      expect((await stage.ask(answer, 'GET', '/users/me')).body.role).to.equal('user');
    });

    it('goes on at own paths only', async () => {
      for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/\t/x', 'history']) {
        const { status, body } = await stage.beginning('corp', next);
        expect([status, body.errors?.[0]?.pointer], next).to.deep.equal([422, '/body/next']);
      }
    });

    it('answers 404 for a provider that there is not', async () => {
      expect((await stage.beginning('none')).body.code).to.equal('sign_in_provider_not_found');
    });

    it('records sign-ins, and links that were made', async () => {
      const { subject, name } = somebody();
      const { user_id } = (await stage.signIn('corp', subject)).body;
      const signIn = (await stage.audited('account.sign_in')).find((e) => e.target_id === user_id);
      expect(signIn.after).to.deep.equal({ provider: 'corp' });
      const link = (await stage.audited('account.link')).find((e) => e.target_id === user_id);
      expect(link.target_name).to.equal(name);
      expect(link.after).to.include({ provider: 'corp', issuer: stage.corp.issuer, subject });
    });
  });
});
