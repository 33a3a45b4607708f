import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../core/support/package-root.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { openShowcase, type Showcase } from '../catalogue/support/showcase.ts';
import { PASSWORD } from '../../support/vitrine.ts';

describe('What happens to accounts', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    const lines: string[] = [];
    before(async () => {
      const log = { write: (line: string) => void lines.push(line) };
      showcase = await openShowcase(engine, { plugins: ['users', 'api-keys', 'catalogue', 'audit'], log });
    });
    after(() => showcase.service.stop());
    beforeEach(() => (lines.length = 0));

    const entries = async (query: string): Promise<any[]> =>
      (await showcase.as(showcase.admin, 'GET', `/audit?${query}`)).body.entries;
    const logIn = (username: string, password: string) =>
      showcase.as(undefined, 'POST', '/users/login', { username, password });

    it('is in the audit trail: sign-ins by whom and from where, and sign-outs', async () => {
      const { id, token } = await showcase.service.user('ada');
      await showcase.as({ token }, 'POST', '/users/logout');
      const actions = (await entries(`actor=${id}`)).map(({ action }) => action);
      expect(actions).to.deep.equal(['account.sign_out', 'account.sign_in']);
      const [signedIn] = await entries(`actor=${id}&action=account.sign_in`);
      expect(signedIn).to.include({
        outcome: 'success',
        actor_kind: 'user',
        actor_name: 'ada',
        target_id: id,
        address: '127.0.0.1',
      });
      expect(signedIn.credential_id).to.be.a('string');
      const [created] = await entries(`target_id=${id}&action=account.create`);
      expect([created.actor_kind, created.after]).to.deep.equal([
        'anonymous',
        { username: 'ada', email: 'ada@example.org', role: 'user', status: 'active' },
      ]);
    });

    it('says what an administrator changed, and never a password', async () => {
      const { id } = await showcase.service.user('ben');
      await showcase.as(showcase.admin, 'PATCH', `/users/${id}`, { status: 'disabled' });
      const [entry] = await entries(`target_id=${id}&action=account.update`);
      expect([entry.actor_id, entry.before, entry.after]).to.deep.equal([
        showcase.admin.id,
        { status: 'active' },
        { status: 'disabled' },
      ]);
      expect(JSON.stringify(await entries('')))
        .not.to.include(PASSWORD)
        .and.not.to.include('argon2');
    });

    it('names the account that a failed sign-in tried, once a minute with a count', async () => {
      for (let tried = 0; tried < 3; tried += 1) await logIn('mallory', 'a guess of hers');
      const failures = await entries('outcome=failure&action=account.sign_in');
      const those = failures.filter(({ target_name }) => target_name === 'mallory');
      // The minute may have ended in between.
      expect(those.length).to.be.within(1, 2);
      expect(those.reduce((sum, { count }) => sum + count, 0)).to.equal(3);
      expect(those[0]).to.include({ actor_kind: 'anonymous', address: '127.0.0.1' });
    });

    describe('has wrong current passwords, by whom and for which change', () => {
      const changes: readonly (readonly [string, string, object, string])[] = [
        ['PATCH', '/users/me', { email: 'new@example.org', password: 'wrong' }, 'account.update'],
        [
          'POST',
          '/users/me/password',
          { old_password: 'wrong', new_password: 'long enough 1' },
          'account.change_password',
        ],
        ['DELETE', '/users/me', { password: 'wrong' }, 'account.delete'],
      ];
      for (const [method, path, body, action] of changes) {
        it(`${method} ${path}`, async () => {
          const ada = await showcase.service.user(`wrong-${action}`);
          const before = (await entries(`target_id=${ada.id}`)).length;
          expect((await showcase.as(ada, method, path, body)).status).to.equal(403);
          const [entry, ...others] = await entries(`target_id=${ada.id}`);
          expect(others).to.have.length(before);
          expect(entry).to.include({
            action,
            outcome: 'failure',
            actor_id: ada.id,
            target_name: ada.username,
            address: '127.0.0.1',
          });
        });
      }
    });

    it('has each API key that ends with its account or on request, by whom', async () => {
      const key = { name: 'Night batch', expires_at: '2099-01-01T00:00:00Z' };
      const withKey = async (name: string) => {
        const owner = await showcase.service.user(name);
        return { ...owner, key: (await showcase.as(owner, 'POST', '/api-keys', key)).body.id as string };
      };
      const [leaver, disabled] = [await withKey('leaver'), await withKey('disabled')];
      await showcase.as(showcase.admin, 'DELETE', `/users/${leaver.id}`);
      const change = { status: 'disabled', revoke_api_keys: true };
      await showcase.as(showcase.admin, 'PATCH', `/users/${disabled.id}`, change);
      for (const owner of [leaver, disabled]) {
        const [entry] = await entries(`target_id=${owner.key}&action=api_key.revoke`);
        expect(entry).to.include({ actor_id: showcase.admin.id, target_name: 'Night batch' });
        expect(entry.before).to.include({ user_id: owner.id, status: 'active' });
      }
    });

    describe('is in the log for fail2ban', () => {
      /** The regular expression of docs/deployment.md, with what fail2ban puts in the place of `<ADDR>`. */
      const filter = async (): Promise<RegExp> => {
        const page = await readFile(join(packageRoot, 'docs/deployment.md'), 'utf8');
        const [, expression] = /^failregex = (.+)$/m.exec(page)!;
        return new RegExp(expression!.replace('<ADDR>', '(?<address>[0-9a-fA-F:.]+)'));
      };
      const found = async (): Promise<(string | undefined)[]> => {
        const expression = await filter();
        const all = lines.join('').split('\n');
        return all.flatMap((line) => expression.exec(line)?.groups?.['address'] ?? []);
      };

      it('with the address of each failed sign-in', async () => {
        await logIn('carol', 'a guess of hers');
        expect(await found()).to.deep.equal(['127.0.0.1']);
      });

      it('and of nothing else, whatever name is tried', async () => {
        const names = [
          '","address":"192.0.2.9","account":"x',
          'x","msg":"A sign-in failed."}\n{"address":"192.0.2.9","account":"x',
          '\\","address":"192.0.2.9"',
        ];
        for (const name of names) await logIn(name, 'a guess of hers');
        await showcase.as(undefined, 'GET', `/${encodeURIComponent('"address":"192.0.2.9"')}`);
        await showcase.service.user('dora');
        expect(await found()).to.deep.equal(names.map(() => '127.0.0.1'));
      });
    });
  });
});
