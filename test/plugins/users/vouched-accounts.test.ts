import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { ACCOUNTS, VOUCHING } from '../../../plugins/users/contract.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const BY = { kind: 'plugin', name: 'directory' } as const;

describe('accounts that another plugin vouches for', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let admin: SignedIn;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users', 'audit'] });
      admin = await vitrine.admin();
    });
    after(() => vitrine.stop());

    const accounts = () => vitrine.get(ACCOUNTS);
    const request = () => ({
      id: 'r',
      ip: '192.0.2.7',
      publicUrl: new URL(`${vitrine.rootUrl}/`),
      header: () => undefined,
    });
    const codeOf = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: { code: string }) => error.code,
      );

    it('are made together with what belongs to them, or not at all', async () => {
      const account = { username: 'grace', email: 'grace@example.org' };
      const fails = accounts().create(account, BY, () => Promise.reject(new Error('no')));
      await fails.catch(() => undefined);
      expect(await accounts().findByName('grace')).to.equal(undefined);
      let seen = '';
      const made = await accounts().create(account, BY, async (_, id) => void (seen = id));
      expect(seen).to.equal(made.id);
    });

    it('have no password, and others have', async () => {
      const { id } = await accounts().create({ username: 'henry', email: 'henry@example.org' }, BY);
      const of = (one: string) =>
        vitrine.get(DATABASE).transaction((trx) => vitrine.get(VOUCHING).hasPassword(trx, one));
      expect([await of(id), await of(admin.id)]).to.deep.equal([false, true]);
    });

    it('get another role, but for the last administrator', async () => {
      const { id } = await accounts().create({ username: 'ida', email: 'ida@example.org' }, BY);
      await vitrine.get(VOUCHING).setRole(id, 'admin', BY);
      expect((await accounts().find(id))?.role).to.equal('admin');
      await vitrine.get(VOUCHING).setRole(id, 'user', BY);
      expect(await codeOf(vitrine.get(VOUCHING).setRole(admin.id, 'user', BY))).to.equal(
        'last_administrator',
      );
    });

    it('get sessions as others do, while they are active', async () => {
      const { id } = await accounts().create({ username: 'jane', email: 'jane@example.org' }, BY);
      const vouching = vitrine.get(VOUCHING);
      const opened = await vouching.openSession(id, request(), { by: 'directory' });
      const cookie = opened.cookie.split(';')[0]!;
      const me = () => vitrine.request('GET', '/users/me', { headers: { cookie } });
      expect((await me()).body.id).to.equal(id);
      const path = '/audit?action=account.sign_in&actor=jane';
      const [entry] = (await vitrine.request('GET', path, { token: admin.token })).body.entries;
      expect(entry).to.include({ actor_id: id, address: '192.0.2.7', credential_id: opened.id });
      expect(entry.after).to.deep.equal({ by: 'directory' });
      const principal = { kind: 'user', userId: id, username: 'jane', role: 'user' } as const;
      await vouching.endSession({ ...principal, via: 'session', credentialId: opened.id }, request(), BY);
      expect((await me()).status).to.equal(401);
      const body = { status: 'disabled' };
      await vitrine.request('PATCH', `/users/${id}`, { token: admin.token, body });
      expect(await codeOf(vouching.openSession(id, request(), {}))).to.equal('invalid_credentials');
    });
  });
});
