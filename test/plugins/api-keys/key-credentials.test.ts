import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { newKey } from '../../../plugins/api-keys/key-text.ts';
import { KEPT_USES } from '../../../plugins/users/credential-uses.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from '../users/manual-clock.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const HOUR = 3_600_000;
const plugins = ['users', 'api-keys'];

async function newKeyOf(
  vitrine: Vitrine,
  who: SignedIn,
  expires: number,
  scopes?: readonly string[],
): Promise<{ id: string; key: string; name: string; expires_at: string }> {
  const body = { name: 'test', expires_at: new Date(expires).toISOString(), ...(scopes && { scopes }) };
  return (await vitrine.request('POST', '/api-keys', { token: who.token, body })).body;
}

async function statusWith(vitrine: Vitrine, key: string): Promise<number> {
  return (await vitrine.request('GET', '/users/me', { headers: { 'x-api-key': key } })).status;
}

onEveryEngine((engine) => {
  describe('an API key as credential', () => {
    let vitrine: Vitrine;
    let clock: ManualClock;
    let admin: SignedIn;
    let ada: SignedIn;
    let id: string;
    let key: string;

    before(async () => {
      clock = manualClock();
      vitrine = await startVitrine(engine, {
        plugins: [...plugins, 'catalogue', 'permissions'],
        clock,
        settings: { jwt: { ttl: 86_400 } },
      });
      admin = await vitrine.admin();
      ada = await vitrine.user('ada');
    });

    beforeEach(async () => {
      ({ id, key } = await newKeyOf(vitrine, ada, clock.now() + HOUR));
    });

    after(() => vitrine.stop());

    function request(method: string, path: string, headers: Record<string, string>, body?: object) {
      return vitrine.request(method, path, { headers, ...(body ? { body } : {}) });
    }

    it('acts as its owner in X-API-Key', async () => {
      expect((await request('GET', '/users/me', { 'x-api-key': key })).body.id).to.equal(ada.id);
    });

    it('acts as its owner as a bearer', async () => {
      expect((await request('GET', '/users/me', { authorization: `Bearer ${key}` })).body.id).to.equal(
        ada.id,
      );
    });

    for (const bad of ['nonsense', '', `vk_${'a'.repeat(49)}`]) {
      it(`is refused beside a valid token when it is "${bad}"`, async () => {
        const headers = { authorization: `Bearer ${ada.token}`, 'x-api-key': bad };
        expect((await request('GET', '/users/me', headers)).status).to.equal(401);
      });
    }

    it('leaves the caller to a valid token beside it, and is refused beside a bad one', async () => {
      const withToken = (token: string) =>
        request('GET', '/users/me', { authorization: `Bearer ${token}`, 'x-api-key': key });
      expect((await withToken(admin.token)).body.id).to.equal(admin.id);
      expect((await withToken('nonsense')).status).to.equal(401);
    });

    it('has the rights of its owner and no more', async () => {
      const { key: admins } = await newKeyOf(vitrine, admin, clock.now() + HOUR);
      const statuses = [
        await request('GET', '/users', { 'x-api-key': admins }),
        await request('GET', '/users', { 'x-api-key': key }),
      ];
      expect(statuses.map(({ status }) => status)).to.deep.equal([200, 403]);
    });

    describe('of an administrator that is kept to scopes', () => {
      async function outcomes(scopes?: readonly string[]): Promise<unknown[]> {
        const headers = { 'x-api-key': (await newKeyOf(vitrine, admin, clock.now() + HOUR, scopes)).key };
        const answers = [
          await request('GET', '/users', headers),
          await request('HEAD', '/users', headers),
          await request('POST', '/permissions/check', headers, {
            algorithm_id: 'none',
            permission_type: 'read',
          }),
          await request('PATCH', `/users/${ada.id}`, headers, { status: 'active' }),
        ];
        return answers.map(({ status, body }) => (status === 403 ? (body.code ?? status) : status));
      }
      const refused = 'insufficient_scope';

      it('to `read` looks things up and no more', async () => {
        expect(await outcomes(['read'])).to.deep.equal([200, 200, refused, refused]);
      });

      it('to `call` has work done and no more', async () => {
        expect(await outcomes(['call'])).to.deep.equal([refused, 403, 404, refused]);
      });

      it('to `manage` changes things and no more', async () => {
        expect(await outcomes(['manage'])).to.deep.equal([refused, 403, refused, 200]);
      });

      it('to several does what any of them allows', async () => {
        expect(await outcomes(['read', 'manage'])).to.deep.equal([200, 200, refused, 200]);
      });

      it('to none does all', async () => {
        expect(await outcomes()).to.deep.equal([200, 200, 404, 200]);
      });

      it('learns which scope is missing', async () => {
        const { key: reader } = await newKeyOf(vitrine, admin, clock.now() + HOUR, ['read']);
        const { body } = await request(
          'PATCH',
          `/users/${ada.id}`,
          { 'x-api-key': reader },
          { role: 'admin' },
        );
        expect(body.detail).to.contain('needs the scope "manage"');
      });
    });

    it('counts for nothing in the query', async () => {
      expect((await request('GET', `/users/me?api_key=${key}`, {})).status).not.to.equal(200);
    });

    it('may not manage keys or passwords', async () => {
      const headers = { 'x-api-key': key };
      const answers = [
        await request('GET', '/api-keys', headers),
        await request('POST', '/api-keys', headers, { name: 'x', expires_at: '2030-01-01T00:00:00Z' }),
        await request('DELETE', `/api-keys/${id}`, headers),
        await request('POST', '/users/me/password', headers, {
          old_password: 'a',
          new_password: 'correct horse',
        }),
        await request('POST', '/users/logout', headers),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403, 403]);
    });

    it('is refused once it was revoked, though it was just used', async () => {
      const before = await statusWith(vitrine, key);
      await vitrine.request('DELETE', `/api-keys/${id}`, { token: ada.token });
      expect([before, await statusWith(vitrine, key)]).to.deep.equal([200, 401]);
    });

    it('is refused once it has expired, though it was just used', async () => {
      const { key: brief } = await newKeyOf(vitrine, ada, clock.now() + 1000);
      const before = await statusWith(vitrine, brief);
      clock.advance(1000);
      expect([before, await statusWith(vitrine, brief)]).to.deep.equal([200, 401]);
    });

    it('is refused while its owner is disabled', async () => {
      const eve = await vitrine.user('eve');
      const { key: eves } = await newKeyOf(vitrine, eve, clock.now() + HOUR);
      const statuses = [await statusWith(vitrine, eves)];
      for (const status of ['disabled', 'active']) {
        await vitrine.request('PATCH', `/users/${eve.id}`, { token: admin.token, body: { status } });
        statuses.push(await statusWith(vitrine, eves));
      }
      expect(statuses).to.deep.equal([200, 401, 200]);
    });

    describe('when its owner was disabled and becomes active', () => {
      let owner: SignedIn;
      let created: { id: string; key: string; name: string; expires_at: string };
      let owners = 0;

      const change = (body: object) =>
        vitrine.request('PATCH', `/users/${owner.id}`, { token: admin.token, body });

      beforeEach(async () => {
        owner = await vitrine.user(`disabled${++owners}`);
        await newKeyOf(vitrine, owner, clock.now() + 1000);
        created = await newKeyOf(vitrine, owner, clock.now() + HOUR);
        clock.advance(1000);
      });

      it('is named in the answer, as expired ones are not', async () => {
        const disabled = await change({ status: 'disabled' });
        const { body } = await change({ status: 'active' });
        const { id, name, expires_at } = created;
        expect(body.restored_api_keys).to.deep.equal([{ id, name, expires_at }]);
        expect(disabled.body).not.to.have.property('restored_api_keys');
      });

      it('does not work where the same request revokes it', async () => {
        await change({ status: 'disabled' });
        const { body } = await change({ status: 'active', revoke_api_keys: true });
        expect([body.status, body.restored_api_keys]).to.deep.equal(['active', []]);
        expect(await statusWith(vitrine, created.key)).to.equal(401);
      });

      it('does not work again where it was revoked with the account', async () => {
        await change({ status: 'disabled', revoke_api_keys: true });
        const { body } = await change({ status: 'active' });
        expect([body.restored_api_keys, await statusWith(vitrine, created.key)]).to.deep.equal([[], 401]);
      });

      it('is not named where the account was active already', async () => {
        expect((await change({ status: 'active' })).body).not.to.have.property('restored_api_keys');
      });
    });

    describe('when its owner changes the password', () => {
      let owners = 0;
      let owner: SignedIn;
      let keys: string[];

      beforeEach(async () => {
        owner = await vitrine.user(`owner${++owners}`);
        keys = [
          (await newKeyOf(vitrine, owner, clock.now() + HOUR)).key,
          (await newKeyOf(vitrine, owner, clock.now() + HOUR)).key,
        ];
      });

      async function statusesAfter(change: object): Promise<readonly number[]> {
        for (const each of [...keys, key]) await statusWith(vitrine, each);
        const body = { old_password: PASSWORD, new_password: 'new password', ...change };
        await vitrine.request('POST', '/users/me/password', { token: owner.token, body });
        return Promise.all([...keys, key].map((each) => statusWith(vitrine, each)));
      }

      it('stays', async () => {
        expect(await statusesAfter({})).to.deep.equal([200, 200, 200]);
      });

      it('ends with all others of the owner where that is asked for', async () => {
        expect(await statusesAfter({ revoke_api_keys: true })).to.deep.equal([401, 401, 200]);
      });

      it('is listed as revoked then', async () => {
        await statusesAfter({ revoke_api_keys: true });
        const login = { username: owner.username, password: 'new password' };
        const { access_token: token } = (await vitrine.request('POST', '/users/login', { body: login })).body;
        const { body } = await vitrine.request('GET', '/api-keys?status=revoked', { token });
        expect(body.map(({ status }: { status: string }) => status)).to.deep.equal(['revoked', 'revoked']);
      });

      it('stays when the change is refused', async () => {
        expect(await statusesAfter({ revoke_api_keys: true, old_password: 'wrong password' })).to.deep.equal([
          200, 200, 200,
        ]);
      });
    });

    for (const [what, invented] of [
      ['well formed but unknown', newKey()],
      ['with a wrong checksum', `${newKey().slice(0, -1)}!`],
      ['of another form', 'secret'],
      ['that is only the prefix', 'vk_'],
    ] as const) {
      it(`is refused when it is ${what}, wherever it stands`, async () => {
        const statuses = [await request('GET', '/users/me', { 'x-api-key': invented })];
        if (invented.startsWith('vk_')) {
          statuses.push(await request('GET', '/users/me', { authorization: `Bearer ${invented}` }));
        }
        expect(new Set(statuses.map(({ status }) => status))).to.deep.equal(new Set([401]));
      });
    }

    describe('remembers its last use', () => {
      async function lastUse(): Promise<string | null> {
        const { body } = await vitrine.request('GET', '/api-keys', { token: ada.token });
        return body.find((listed: { id: string }) => listed.id === id).last_used_at;
      }

      it('as null before it was used', async () => {
        expect(await lastUse()).to.equal(null);
      });

      it('at once where it was used, though it is written later', async () => {
        await statusWith(vitrine, key);
        const written = () => vitrine.get(DATABASE).knex('users_credential_uses').where('credential_id', id);
        expect(await lastUse()).to.equal(new Date(clock.now()).toISOString());
        expect(await written()).to.deep.equal([]);
      });

      it('once it is written together with others', async () => {
        await statusWith(vitrine, key);
        const used = new Date(clock.now()).toISOString();
        await vitrine.get(KEPT_USES).flush();
        expect(await lastUse()).to.equal(used);
      });

      it('as the latest', async () => {
        await statusWith(vitrine, key);
        await vitrine.get(KEPT_USES).flush();
        clock.advance(5000);
        await statusWith(vitrine, key);
        const used = new Date(clock.now()).toISOString();
        await vitrine.get(KEPT_USES).flush();
        expect(await lastUse()).to.equal(used);
      });
    });
  });

  describe('an API key and further instances', () => {
    let scratch: Scratch;
    let running: Vitrine[];

    beforeEach(async () => {
      scratch = await migratedScratch(engine);
      running = [];
    });

    afterEach(async () => {
      await Promise.all(running.map((vitrine) => vitrine.stop()));
      await scratch.remove();
    });

    async function start(): Promise<Vitrine> {
      const vitrine = await startVitrine(engine, { plugins, scratch });
      running.push(vitrine);
      return vitrine;
    }

    it('has its last use written at the stop', async () => {
      const first = await start();
      const ada = await first.user('ada');
      const { key } = await newKeyOf(first, ada, Date.now() + HOUR);
      await statusWith(first, key);
      await running.pop()!.stop();
      const { body } = await (await start()).request('GET', '/api-keys', { token: ada.token });
      expect(body[0].last_used_at).to.be.a('string');
    });

    // Several processes share a database on PostgreSQL only.
    if (engine === 'sqlite') return;

    it('is refused by another instance after it was revoked', async () => {
      const [here, there] = [await start(), await start()];
      const ada = await here.user('ada');
      const { id, key } = await newKeyOf(here, ada, Date.now() + HOUR);
      expect(await statusWith(there, key)).to.equal(200);
      await here.request('DELETE', `/api-keys/${id}`, { token: ada.token });
      await until(async () => (await statusWith(there, key)) === 401, HEARD_ELSEWHERE_MS);
    });

    it('is refused by another instance after a password change that ends it', async () => {
      const [here, there] = [await start(), await start()];
      const ada = await here.user('ada');
      const { key } = await newKeyOf(here, ada, Date.now() + HOUR);
      expect(await statusWith(there, key)).to.equal(200);
      const body = { old_password: PASSWORD, new_password: 'new password', revoke_api_keys: true };
      await here.request('POST', '/users/me/password', { token: ada.token, body });
      await until(async () => (await statusWith(there, key)) === 401, HEARD_ELSEWHERE_MS);
    });
  });
});
