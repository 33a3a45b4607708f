import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { PASSWORD_RESETS } from '../../../plugins/users/links/password-resets.ts';
import { freePort } from '../../support/free-port.ts';
import { startMailbox, tokenIn, type Mailbox } from '../../support/mailbox.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'nine quiet rivers';

onEveryEngine((engine) => {
  describe('a forgotten password', () => {
    let mailbox: Mailbox;
    let clock: ManualClock;
    let running: Vitrine[];
    let lines: string[];

    beforeEach(async () => {
      mailbox = await startMailbox();
      clock = manualClock();
      running = [];
      lines = [];
    });
    afterEach(async () => {
      for (const vitrine of running) await vitrine.stop();
      await mailbox.stop();
    });

    async function start(
      users: object = { smtp_url: mailbox.url, mail_from: 'v@example.org' },
      isPublic = true,
    ) {
      const port = await freePort();
      const vitrine = await startVitrine(engine, {
        plugins: ['users', 'audit'],
        clock,
        log: { write: (line) => void lines.push(line) },
        settings: {
          users: users as Record<string, unknown>,
          server: { port, ...(isPublic && { public_url: `http://127.0.0.1:${port}` }) },
        },
      });
      running.push(vitrine);
      return vitrine;
    }

    const ask = async (vitrine: Vitrine, email: string): Promise<TestResponse> => {
      const answer = await vitrine.request('POST', '/users/password-reset', { body: { email } });
      await vitrine.get(PASSWORD_RESETS).settled();
      return answer;
    };
    const isOffered = async (vitrine: Vitrine): Promise<boolean> =>
      (await vitrine.request('GET', '/users/registration')).body.password_reset;
    const confirm = (vitrine: Vitrine, token: string) =>
      vitrine.request('POST', '/users/password-reset/confirm', { body: { token, password: NEW_PASSWORD } });
    const login = ({ username }: SignedIn, password: string) => ({ body: { username, password } });

    it('is chosen anew by a link in a mail', async () => {
      const vitrine = await start();
      const ada = await vitrine.user('ada');
      expect(await isOffered(vitrine)).to.equal(true);
      expect((await ask(vitrine, 'ADA@example.org')).status).to.equal(200);
      const [mail] = mailbox.mails;
      expect(mail!.to).to.deep.equal(['ada@example.org']);
      expect(mail!.source).to.include(`${vitrine.rootUrl}/reset#token=`);
      const { status, body } = await confirm(vitrine, tokenIn(mail!.source));
      expect([status, body.username]).to.deep.equal([200, 'ada']);
      expect((await vitrine.request('GET', '/users/me', { token: ada.token })).status).to.equal(401);
      expect((await vitrine.request('POST', '/users/login', login(ada, NEW_PASSWORD))).status).to.equal(200);
      expect(lines.join('')).not.to.include(tokenIn(mail!.source));
    });

    it('leaves a trail of each request, which only administrators read', async () => {
      const vitrine = await start();
      const admin = await vitrine.admin();
      const { id } = await vitrine.user('ada');
      for (const email of ['ADA@example.org', 'nobody@example.org', 'ada@example.org'])
        await ask(vitrine, email);
      const { body } = await vitrine.request('GET', '/audit?action=account.request_reset', admin);
      const told = body.entries.map(({ outcome, actor_kind, address, target_id, target_name }: any) => ({
        outcome,
        actor: `${actor_kind} ${address}`,
        target: `${target_id} ${target_name}`,
      }));
      const actor = 'anonymous 127.0.0.1';
      expect(told).to.have.deep.members([
        { outcome: 'success', actor, target: `${id} ada` },
        { outcome: 'failure', actor, target: 'null nobody@example.org' },
        { outcome: 'success', actor, target: `${id} ada` },
      ]);
      expect(mailbox.mails, 'the second request came too soon').to.have.length(1);
    });

    it('has a link that ends after the time of the settings, and none in the database', async () => {
      const vitrine = await start({
        smtp_url: mailbox.url,
        mail_from: 'v@example.org',
        reset_link_minutes: 10,
      });
      await vitrine.user('ada');
      await ask(vitrine, 'ada@example.org');
      const token = tokenIn(mailbox.mails[0]!.source);
      const rows = await vitrine.get(DATABASE).knex('users_links').select();
      expect(JSON.stringify(rows)).not.to.include(token);
      clock.advance(10 * MINUTE);
      const { status, body } = await confirm(vitrine, token);
      expect([status, body.code]).to.deep.equal([409, 'link_ended']);
      expect(body.detail).to.match(/^The link expired at /);
    });

    it('gets one answer, before any account is sought, whether or not one has the address', async () => {
      const vitrine = await start();
      await vitrine.user('ada');
      const { knex } = vitrine.get(DATABASE);
      const queries: string[] = [];
      knex.on('query', ({ sql }: { sql: string }) => {
        if (sql.includes('email_key')) queries.push(sql);
      });
      const answers: object[] = [];
      const soughtBefore: number[] = [];
      for (const email of ['ada@example.org', 'nobody@example.org']) {
        const { request } = vitrine;
        // A database that does not answer delays neither.
        await vitrine.get(DATABASE).transaction(async () => {
          const { status, body } = await request('POST', '/users/password-reset', { body: { email } });
          answers.push({ status, body });
          soughtBefore.push(mailbox.mails.length);
        });
        await vitrine.get(PASSWORD_RESETS).settled();
      }
      expect(answers[0]).to.deep.equal(answers[1]);
      expect(soughtBefore).to.deep.equal([0, 1]);
      expect(queries).to.have.length.at.least(2);
      expect(mailbox.mails).to.have.length(1);
    });

    it('is not mailed more often than every five minutes, whatever was asked', async () => {
      const vitrine = await start();
      await vitrine.user('ada');
      for (let n = 0; n < 3; n += 1) await ask(vitrine, 'ada@example.org');
      expect(mailbox.mails).to.have.length(1);
      clock.advance(5 * MINUTE + 1);
      await ask(vitrine, 'ada@example.org');
      expect(mailbox.mails).to.have.length(2);
    });

    it('slows down who asks too often, for an unknown address as well', async () => {
      const vitrine = await start();
      const answers: TestResponse[] = [];
      for (let n = 0; n < 6; n += 1) answers.push(await ask(vitrine, 'nobody@example.org'));
      const { status, body, headers } = answers.at(-1)!;
      expect([status, body.code, headers['retry-after']]).to.deep.equal([429, 'too_many_attempts', '1']);
      expect(body.detail).to.include('requests for a link');
    });

    it('gets no mail for disabled accounts, and for those that only an administrator may give a password', async () => {
      const vitrine = await start();
      const admin = await vitrine.admin();
      const ada = await vitrine.user('ada');
      const { token } = admin;
      await vitrine.request('PATCH', `/users/${ada.id}`, { token, body: { status: 'disabled' } });
      const invited = { username: 'grace', email: 'grace@example.org' };
      await vitrine.request('POST', '/users', { token, body: invited });
      mailbox.mails.length = 0;
      await ask(vitrine, 'ada@example.org');
      await ask(vitrine, 'grace@example.org');
      expect(mailbox.mails).to.deep.equal([]);
    });

    it('leaves other links of the account alone until one is used', async () => {
      const vitrine = await start();
      const { token } = await vitrine.admin();
      const ada = await vitrine.user('ada');
      const { body } = await vitrine.request('POST', `/users/${ada.id}/password-reset`, { token });
      clock.advance(6 * MINUTE);
      mailbox.mails.length = 0;
      await ask(vitrine, 'ada@example.org');
      expect((await confirm(vitrine, tokenIn(body.url))).status).to.equal(200);
      expect((await confirm(vitrine, tokenIn(mailbox.mails[0]!.source))).status).to.equal(409);
    });

    it('tells nobody but the log that the mail was refused', async () => {
      const vitrine = await start();
      await vitrine.user('ada');
      mailbox.refuse('ada@example.org');
      expect((await ask(vitrine, 'ada@example.org')).status).to.equal(200);
      expect(lines.join('')).to.include('A link for a new password could not be mailed.');
      expect(lines.join('')).not.to.include('mail secret');
      mailbox.accept('ada@example.org');
      await ask(vitrine, 'ada@example.org');
      expect(mailbox.mails, 'the next request need not wait').to.have.length(1);
    });

    it('is mailed once when it is asked for many times at once', async () => {
      const vitrine = await start();
      await vitrine.user('ada');
      await Promise.all(Array.from({ length: 4 }, () => ask(vitrine, 'ada@example.org')));
      expect(mailbox.mails).to.have.length(1);
    });

    it('needs a mail server and the address of the service, and says so', async () => {
      for (const vitrine of [await start({}), await start(undefined, false)]) {
        expect(await isOffered(vitrine)).to.equal(false);
        const { status, body } = await ask(vitrine, 'ada@example.org');
        expect([status, body.code]).to.deep.equal([503, 'password_reset_unavailable']);
        expect(body.detail).to.include('Ask an administrator');
      }
    });

    it('stops the start with a mail server and no sender', async () => {
      let fault = '';
      await start({ smtp_url: mailbox.url }).catch((error: Error) => (fault = error.message));
      expect(fault).to.include('MAIL_FROM').and.to.include('SMTP_URL is');
      expect(fault).not.to.include('mail secret');
    });

    it('is the same password as long as no link was used', async () => {
      const vitrine = await start();
      const ada = await vitrine.user('ada');
      await ask(vitrine, 'ada@example.org');
      expect((await vitrine.request('POST', '/users/login', login(ada, PASSWORD))).status).to.equal(200);
    });
  });
});
