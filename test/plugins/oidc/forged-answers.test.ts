import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { IdentityProvider } from '../../support/identity-provider.ts';
import { Stage } from './support.ts';

const MINUTE = 60_000;

describe('oidc: answers that are no sign-in', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();

    before(async () => {
      await stage.open(engine);
      stage.corp.add('ada', { preferred_username: 'ada', email: 'ada@example.net', email_verified: true });
    });
    after(() => stage.close());
    afterEach(() => (stage.corp.tampering = undefined));

    const expectRefusal = (answer: TestResponse, code: string, ...words: string[]): void => {
      expect(answer.body.code, JSON.stringify(answer.body)).to.equal(code);
      for (const word of words) expect(answer.body.detail).to.include(word);
      expect(answer.headers).not.to.have.property('set-cookie');
    };

    /** A whole answer of the provider, to be changed before it is sent. */
    const answered = async () => {
      const begun = await stage.begin('corp');
      return { begun, query: new URLSearchParams(await stage.corp.signIn(begun.url, 'ada')) };
    };

    it('is refused without the cookie of the browser that began', async () => {
      const { query } = await answered();
      const answer = await stage.finish('corp', String(query), { cookie: 'vitrine_oidc=x' });
      expectRefusal(answer, 'sign_in_ended', 'Begin again');
    });

    it('is refused with the cookie of another sign-in', async () => {
      const [{ query }, { begun }] = [await answered(), await answered()];
      expectRefusal(await stage.finish('corp', String(query), begun), 'sign_in_refused', '"state"');
    });

    for (const state of ['forged', '']) {
      it(`is refused with the state "${state}"`, async () => {
        const { begun, query } = await answered();
        query.set('state', state);
        expectRefusal(await stage.finish('corp', String(query), begun), 'sign_in_refused', '"state"');
      });
    }

    it('is refused with two states', async () => {
      const { begun, query } = await answered();
      query.append('state', 'forged');
      expectRefusal(await stage.finish('corp', String(query), begun), 'sign_in_refused', '"state"');
    });

    it('is refused with the issuer of another provider, or without one', async () => {
      const other = await answered();
      other.query.set('iss', stage.other.issuer);
      expectRefusal(await stage.finish('corp', String(other.query), other.begun), 'sign_in_refused', '"iss"');
      const none = await answered();
      none.query.delete('iss');
      expectRefusal(await stage.finish('corp', String(none.query), none.begun), 'sign_in_refused', '"iss"');
    });

    it('is refused at another provider than the one at which it began', async () => {
      const { begun, query } = await answered();
      expectRefusal(await stage.finish('other', String(query), begun), 'sign_in_ended');
      expect(stage.other.asked).not.to.include('/token');
    });

    it('is refused with a forged nonce', async () => {
      stage.corp.tampering = (claims) => ({ ...claims, nonce: 'forged' });
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused', '"nonce"');
    });

    it('is refused with an ID token of another issuer, for another client, or without a subject', async () => {
      for (const [claim, value] of [
        ['iss', 'https://evil.example'],
        ['aud', 'somebody-else'],
        ['sub', undefined],
      ] as const) {
        stage.corp.tampering = (claims) => ({ ...claims, [claim]: value });
        expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused', `"${claim}"`);
      }
    });

    it('is refused with an ID token that somebody else has signed', async () => {
      const thief = new IdentityProvider();
      await thief.replaceKey();
      stage.corp.tampering = (claims) => thief.signed(claims);
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused');
    });

    it('is refused with an ID token that is signed by another algorithm, or not at all', async () => {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      stage.corp.tampering = async (claims) => `${part({ alg: 'none' })}.${part(claims)}.`;
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused');
      const secret = {
        kty: 'oct',
        k: Buffer.from('a secret that is long enough for it').toString('base64url'),
      };
      stage.corp.tampering = (claims) => stage.corp.signed(claims, secret, 'HS256');
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused');
    });

    it('is refused with an ID token of another time, and accepted where the clocks differ by less than a minute', async () => {
      // The library has the clock of the machine.
      stage.clock.advance(Date.now() - stage.clock.now());
      const seconds = () => Math.floor(Date.now() / 1000);
      stage.corp.tampering = (claims) => ({ ...claims, iat: seconds() - 600, exp: seconds() - 300 });
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused', 'clocks');
      stage.corp.tampering = (claims) => ({ ...claims, nbf: seconds() + 300 });
      expectRefusal(await stage.signIn('corp', 'ada'), 'sign_in_refused', 'clocks');
      stage.corp.tampering = (claims) => ({ ...claims, nbf: seconds() + 30, exp: seconds() - 30 });
      expect((await stage.signIn('corp', 'ada')).status).to.equal(200);
    });

    it('is refused when the code was used already', async () => {
      const { begun, query } = await answered();
      expect((await stage.finish('corp', String(query), begun)).status).to.equal(200);
      expectRefusal(await stage.finish('corp', String(query), begun), 'sign_in_ended', 'used already');
    });

    it('is refused with a code that the provider has not given', async () => {
      const { begun, query } = await answered();
      query.set('code', 'made-up');
      expectRefusal(await stage.finish('corp', String(query), begun), 'sign_in_ended');
    });

    it('is refused when it comes too late', async () => {
      const { begun, query } = await answered();
      stage.clock.advance(11 * MINUTE);
      const answer = await stage.finish('corp', String(query), begun);
      stage.clock.advance(-11 * MINUTE);
      expectRefusal(answer, 'sign_in_ended', '10 minutes');
    });

    it('is refused when the provider refused, with its words', async () => {
      const answer = await stage.signIn('corp', undefined);
      expectRefusal(answer, 'sign_in_refused', 'access_denied: The person said no');
    });

    it('is refused when it is no answer at all', async () => {
      const begun = await stage.begin('corp');
      for (const query of ['x', 'code=x', '#', '?code=%00&state=%zz', 'a'.repeat(8000)])
        expectRefusal(await stage.finish('corp', query, begun), 'sign_in_refused');
    });

    it('is recorded, and told in the log with the address', async () => {
      // Failures of one minute are one entry.
      stage.clock.advance(MINUTE);
      stage.corp.tampering = (claims) => ({ ...claims, nonce: 'forged' });
      const { headers, body } = await stage.signIn('corp', 'ada');
      const failed = await stage.audited('account.sign_in', 'failure');
      const entry = failed.find(({ request_id }) => request_id === headers['x-request-id']);
      expect(entry).to.include({ target_kind: 'provider', target_id: 'corp', target_name: 'Corporate' });
      expect(entry).to.include({ actor_kind: 'anonymous', address: '127.0.0.1' });
      expect(entry.after).to.deep.equal({ reason: body.detail });
      const line = stage.log.find(
        (each) => each.includes('A sign-in by a provider failed.') && each.includes(headers['x-request-id']!),
      );
      expect(JSON.parse(line!)).to.include({ address: '127.0.0.1', provider: 'corp' });
    });

    it('is told without the secret of the service', () => {
      expect(stage.log.join('\n')).not.to.include('the secret of vitrine');
    });
  });
});
