import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, newId } from '../../../core/index.ts';
import { onEveryEngine, type Scratch, type TestResponse } from '../../../core/testing.ts';
import { ADMINISTRATION } from '../../../plugins/users/administration.ts';
import { freePort } from '../../support/free-port.ts';
import { startMailbox, tokenIn, type Mailbox } from '../../support/mailbox.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const BY = { kind: 'command', name: 'test' } as const;

const NEW_PASSWORD = 'nine quiet rivers';
const HOUR = 3_600_000;

onEveryEngine((engine) => {
  describe('accounts that an administrator makes, and links for passwords', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let clock: ManualClock;
    let mailbox: Mailbox;
    let made = 0;

    before(async () => {
      clock = manualClock();
      const port = await freePort();
      mailbox = await startMailbox();
      vitrine = await startVitrine(engine, {
        plugins: ['users', 'api-keys'],
        clock,
        settings: {
          users: { registration: true, smtp_url: mailbox.url, mail_from: 'Vitrine <v@example.org>' },
          server: { port, public_url: `http://127.0.0.1:${port}` },
        },
      });
      admin = await vitrine.admin();
    });
    after(async () => {
      await vitrine?.stop();
      await mailbox?.stop();
    });

    const post = (path: string, body: object = {}, token = admin.token): Promise<TestResponse> =>
      vitrine.request('POST', path, { token, body });
    const confirm = (token: string, password = NEW_PASSWORD, more: object = {}) =>
      vitrine.request('POST', '/users/password-reset/confirm', { body: { token, password, ...more } });
    const login = (username: string, password: string) =>
      vitrine.request('POST', '/users/login', { body: { username, password } });
    const fresh = (fields: object = {}) => {
      made += 1;
      return { username: `person-${made}`, email: `person-${made}@example.org`, ...fields };
    };
    const refusalOf = ({ status, body }: TestResponse) => [status, body.code];

    describe('POST /users', () => {
      it('creates an account with a password and a role', async () => {
        const account = fresh({ role: 'admin', password: PASSWORD });
        const { status, body } = await post('/users', account);
        expect([status, body.role, body.status, body.invitation]).to.deep.equal([
          200,
          'admin',
          'active',
          null,
        ]);
        expect((await login(body.username, PASSWORD)).status).to.equal(200);
      });

      it('makes an invitation without one, with which its owner chooses it', async () => {
        const account = fresh();
        const { body } = await post('/users', account);
        expect(body).to.include({ username: account.username, role: 'user', status: 'active' });
        expect(body.invitation.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/reset#token=[\w-]{43}$/);
        expect(body.invitation.expires_at).to.equal(new Date(clock.now() + 7 * 24 * HOUR).toISOString());
        expect((await login(account.username, '')).status).to.equal(422);
        expect((await login(account.username, NEW_PASSWORD)).status).to.equal(401);
        const confirmed = await confirm(tokenIn(body.invitation.url));
        expect([confirmed.status, confirmed.body.username]).to.deep.equal([200, account.username]);
        expect((await login(account.username, NEW_PASSWORD)).status).to.equal(200);
      });

      it('mails the invitation', async () => {
        const account = fresh();
        const { body } = await post('/users', account);
        expect([body.invitation.mail, body.invitation.mail_error]).to.deep.equal(['sent', null]);
        const mail = mailbox.mails.at(-1)!;
        expect([mail.from, ...mail.to]).to.deep.equal(['v@example.org', account.email]);
        expect(tokenIn(mail.source)).to.equal(tokenIn(body.invitation.url));
        expect(mail.source).to.include(`Hello ${account.username}`);
      });

      it('says why it could not be mailed, and creates the account all the same', async () => {
        const account = fresh();
        mailbox.refuse(account.email);
        const { body } = await post('/users', account);
        expect(body.invitation.mail).to.equal('failed');
        expect(body.invitation.mail_error).to.include('no such mailbox');
        expect(JSON.stringify(body)).not.to.include('mail secret');
        expect((await confirm(tokenIn(body.invitation.url))).status).to.equal(200);
      });

      it('does not take an invitation after its time', async () => {
        const { body } = await post('/users', fresh());
        clock.advance(7 * 24 * HOUR);
        const late = await confirm(tokenIn(body.invitation.url));
        expect(refusalOf(late)).to.deep.equal([409, 'link_ended']);
        expect(late.body.detail).to.equal(
          `The link expired at ${body.invitation.expires_at}. Ask for a new one.`,
        );
        // Tokens live for a day at most.
        admin = { ...admin, token: (await login('admin', PASSWORD)).body.access_token };
      });

      it('refuses what is taken, invalid or too well known for an administrator', async () => {
        const { body: user } = await post('/users', fresh({ password: PASSWORD }));
        const answers = [
          await post('/users', fresh({ username: user.username.toUpperCase() })),
          await post('/users', fresh({ email: user.email.toUpperCase() })),
          await post('/users', fresh({ role: 'root' })),
          await post('/users', fresh({ password: 'short' })),
          await post('/users', fresh({ role: 'admin', password: 'password123' })),
        ];
        expect(answers.map(({ status }) => status)).to.deep.equal([409, 409, 422, 422, 422]);
        expect(answers[4]!.body.errors[0].pointer).to.equal('/body/password');
      });

      it('is refused to one who has just lost the role', async () => {
        const mallory = await vitrine.user('mallory');
        const change = (role: string) =>
          vitrine.get(ADMINISTRATION).change(mallory.id, { role: role as 'admin' | 'user' }, BY);
        await change('admin');
        const { token } = mallory;
        const database = vitrine.get(DATABASE);
        for (const more of [{ role: 'admin', password: PASSWORD }, {}]) {
          const account = fresh(more);
          const asked = await database.transaction(async (trx) => {
            // Unseen by the instance that asked before.
            await trx('users_users').where({ id: mallory.id }).update({ role: 'user' });
            const answer = post('/users', account, token);
            await pause(100);
            return { answer };
          });
          expect(refusalOf(await asked.answer)).to.deep.equal([403, 'forbidden']);
          const found = await vitrine.request('GET', `/users?q=${account.username}`, { token: admin.token });
          expect(found.body.total).to.equal(0);
          await database.knex('users_users').where({ id: mallory.id }).update({ role: 'admin' });
        }
        await change('user');
      });

      it('is for administrators', async () => {
        const ada = await vitrine.user('ada');
        expect((await post('/users', fresh(), ada.token)).status).to.equal(403);
      });
    });

    describe('POST /users/{user_id}/password-reset', () => {
      const person = async (): Promise<SignedIn> => vitrine.user(fresh().username);

      it('makes a link that works once', async () => {
        const { id, username } = await person();
        const { status, body } = await post(`/users/${id}/password-reset`);
        expect([status, body.mail]).to.deep.equal([200, 'sent']);
        expect(body.expires_at).to.equal(new Date(clock.now() + HOUR).toISOString());
        expect((await login(username, PASSWORD)).status, 'nothing changes before').to.equal(200);
        expect((await confirm(tokenIn(body.url))).status).to.equal(200);
        expect((await login(username, PASSWORD)).status).to.equal(401);
        const again = await confirm(tokenIn(body.url), 'another long password');
        expect(refusalOf(again)).to.deep.equal([409, 'link_ended']);
        expect(again.body.detail).to.match(/was used already, at 2026-/);
        expect((await login(username, NEW_PASSWORD)).status).to.equal(200);
      });

      it('works once when it is used many times at once', async () => {
        const { id } = await person();
        const { body } = await post(`/users/${id}/password-reset`);
        const token = tokenIn(body.url);
        const answers = await Promise.all(
          Array.from({ length: 4 }, (_, n) => confirm(token, `password number ${n}`)),
        );
        expect(answers.map(({ status }) => status)).to.have.members([200, 409, 409, 409]);
      });

      it('ends all tokens when it is used, and keeps API keys unless they are to go', async () => {
        const { id, token } = await person();
        const key = async (keyOf: string) =>
          (await post('/api-keys', { name: 'k', expires_at: '2099-01-01T00:00:00Z' }, keyOf)).body
            .key as string;
        const works = async (apiKey: string) =>
          (await vitrine.request('GET', '/users/me', { headers: { 'x-api-key': apiKey } })).status === 200;
        const first = await key(token);
        await confirm(tokenIn((await post(`/users/${id}/password-reset`)).body.url));
        expect((await vitrine.request('GET', '/users/me', { token })).status).to.equal(401);
        expect(await works(first)).to.equal(true);
        const link = (await post(`/users/${id}/password-reset`)).body.url;
        await confirm(tokenIn(link), NEW_PASSWORD, { revoke_api_keys: true });
        expect(await works(first)).to.equal(false);
      });

      it('ends earlier links', async () => {
        const { id } = await person();
        const [first, second] = [
          (await post(`/users/${id}/password-reset`)).body.url,
          (await post(`/users/${id}/password-reset`)).body.url,
        ];
        const replaced = await confirm(tokenIn(first));
        expect(refusalOf(replaced)).to.deep.equal([409, 'link_ended']);
        expect(replaced.body.detail).to.include('another one took its place');
        expect((await confirm(tokenIn(second))).status).to.equal(200);
      });

      it('ends with a change of the address to which it went', async () => {
        const { id } = await person();
        const { body } = await post(`/users/${id}/password-reset`);
        const change = { email: fresh().email };
        await vitrine.request('PATCH', `/users/${id}`, { token: admin.token, body: change });
        expect((await confirm(tokenIn(body.url))).status).to.equal(409);
      });

      it('ends when the password is changed by its owner', async () => {
        const { id, token } = await person();
        const { body } = await post(`/users/${id}/password-reset`);
        await post('/users/me/password', { old_password: PASSWORD, new_password: 'ten quiet rivers' }, token);
        expect((await confirm(tokenIn(body.url))).status).to.equal(409);
      });

      it('lets in one who failed to sign in too often', async () => {
        const { id, username } = await person();
        for (let n = 0; n < 12; n += 1) await login(username, 'wrong password');
        expect((await login(username, PASSWORD)).status).to.equal(429);
        await confirm(tokenIn((await post(`/users/${id}/password-reset`)).body.url));
        expect((await login(username, NEW_PASSWORD)).status).to.equal(200);
      });

      it('neither makes nor takes one for a disabled account', async () => {
        const { id } = await person();
        const { body } = await post(`/users/${id}/password-reset`);
        await vitrine.get(ADMINISTRATION).change(id, { status: 'disabled' }, BY);
        expect(refusalOf(await post(`/users/${id}/password-reset`))).to.deep.equal([409, 'account_disabled']);
        expect(refusalOf(await confirm(tokenIn(body.url)))).to.deep.equal([409, 'account_disabled']);
        await vitrine.get(ADMINISTRATION).change(id, { status: 'active' }, BY);
        expect((await confirm(tokenIn(body.url))).status, 'it was not used up').to.equal(200);
      });

      it('does not let an administrator choose a password that everybody tries first', async () => {
        const { body } = await post(`/users/${admin.id}/password-reset`);
        const { status, body: problem } = await confirm(tokenIn(body.url), 'password123');
        expect([status, problem.errors[0].pointer]).to.deep.equal([422, '/body/password']);
      });

      it('is refused to API keys, and does not know other accounts', async () => {
        const later = { name: 'k', expires_at: '2099-01-01T00:00:00Z' };
        const { key } = (await post('/api-keys', later)).body;
        const { id } = await person();
        const byKey = { headers: { 'x-api-key': key } };
        const asked = [
          await vitrine.request('POST', `/users/${id}/password-reset`, byKey),
          await vitrine.request('PATCH', `/users/${id}`, { ...byKey, body: { email: fresh().email } }),
          await post(`/users/${newId()}/password-reset`),
        ];
        expect(asked.map(({ status }) => status)).to.deep.equal([403, 403, 404]);
      });

      it('does not know tokens that were never made', async () => {
        for (const token of ['x', 'Jb0sYtN2pYb1cJ6w0kqLr1WmC3qv4nD5xQ8uZ7eA9fM', "' or 1=1"]) {
          expect(refusalOf(await confirm(token))).to.deep.equal([409, 'link_ended']);
        }
        expect((await confirm('')).status).to.equal(422);
      });
    });

    describe('without a mail server', () => {
      let scratch: Scratch;
      before(async () => {
        scratch = await migratedScratch(engine);
      });
      after(() => scratch.remove());

      it('has links to hand over, with the address of the request, and keeps no token', async () => {
        const lines: string[] = [];
        const own = await startVitrine(engine, {
          plugins: ['users'],
          scratch,
          log: { write: (line) => void lines.push(line) },
        });
        const { token } = await own.admin();
        const { body } = await own.request('POST', '/users', { token, body: fresh() });
        await own.stop();
        expect([body.invitation.mail, body.invitation.mail_error]).to.deep.equal(['off', null]);
        expect(body.invitation.url.startsWith(`${own.rootUrl}/reset#token=`)).to.equal(true);
        expect(lines.join('')).not.to.include(tokenIn(body.invitation.url));
      });
    });
  });
});
