import { expect } from 'chai';
import { authenticate as authenticateFor } from '../../../core/auth/authenticate.ts';
import { bearerIn } from '../../../core/http/request.ts';
import type { Principal, UserPrincipal } from '../../../core/auth/principal.ts';
import type { CredentialSource, CredentialVerifier } from '../../../core/auth/verifier.ts';
import { InvalidCredentials, StoreUnavailable } from '../../../core/errors/core-problems.ts';

const source: CredentialSource = {
  header: () => undefined,
  bearer: undefined,
  method: 'GET',
  publicUrl: new URL('https://vitrine.example/showcase/'),
  ip: '192.0.2.1',
};

function authenticate(verifiers: readonly CredentialVerifier[], sent: CredentialSource) {
  return authenticateFor(verifiers, sent, 'user');
}

function withHeader(name: string, value: string): CredentialSource {
  const header = (asked: string): string | undefined => (asked === name ? value : undefined);
  return { ...source, header, bearer: bearerIn(header('authorization')) };
}

function principal(userId: string): UserPrincipal {
  return { kind: 'user', userId, username: userId, role: 'user', via: 'token', credentialId: 'c' };
}

function verifier(answer: ReturnType<CredentialVerifier['verify']>): CredentialVerifier {
  return { name: 'test', verify: () => answer };
}

const refusing: CredentialVerifier = {
  name: 'refusing',
  verify: () => {
    throw InvalidCredentials('Expired.');
  },
};

describe('authentication', () => {
  it('returns the anonymous principal without a verifier', () => {
    expect(authenticate([], source)).to.deep.equal({ kind: 'anonymous' });
  });

  it('returns the anonymous principal when no verifier recognises the request', () => {
    expect(authenticate([verifier(undefined)], source)).to.deep.equal({ kind: 'anonymous' });
  });

  it('answers the first that recognises the request', () => {
    const verifiers = [verifier(undefined), verifier(principal('ada')), verifier(principal('bob'))];
    expect(authenticate(verifiers, source)).to.have.property('userId', 'ada');
  });

  it('needs no promise when the verifiers need none', () => {
    expect(authenticate([verifier(principal('ada'))], source)).to.not.be.instanceOf(Promise);
  });

  it('awaits an asynchronous verifier', async () => {
    expect(await authenticate([verifier(Promise.resolve(principal('ada')))], source)).to.have.property(
      'userId',
      'ada',
    );
  });

  it('calls the next verifier after an asynchronous one without a result', async () => {
    const verifiers = [verifier(Promise.resolve(undefined)), verifier(principal('bob'))];
    expect(await authenticate(verifiers, source)).to.have.property('userId', 'bob');
  });

  it('returns the anonymous principal when no asynchronous verifier has a result', async () => {
    expect(await authenticate([verifier(Promise.resolve(undefined))], source)).to.deep.equal({
      kind: 'anonymous',
    });
  });

  it('refuses a bad credential, whatever another verifier would say', () => {
    expect(() => authenticate([refusing, verifier(principal('bob'))], source)).to.throw('Expired.');
  });

  for (const [name, value] of [
    ['authorization', 'Bearer x'],
    ['authorization', 'bearer'],
    ['x-api-key', 'x'],
  ] as const) {
    it(`refuses "${name}: ${value}" that no verifier recognises, synchronously or not`, async () => {
      const { code } = InvalidCredentials('');
      const sent = withHeader(name, value);
      expect(() => authenticate([verifier(undefined)], sent))
        .to.throw()
        .with.property('code', code);
      const answer = await Promise.resolve(authenticate([verifier(Promise.resolve(undefined))], sent)).catch(
        (error: unknown) => error,
      );
      expect(answer).to.have.property('code', code);
    });
  }

  it('leaves other schemes to a proxy in front', () => {
    expect(authenticate([verifier(undefined)], withHeader('authorization', 'Basic eA=='))).to.deep.equal({
      kind: 'anonymous',
    });
  });

  describe('of a request with a token and a key', () => {
    const both: CredentialSource = {
      ...source,
      header: (name) => ({ authorization: 'Bearer good', 'x-api-key': 'good' })[name],
      bearer: 'good',
    };
    const token: CredentialVerifier = {
      name: 'token',
      verify: ({ bearer }) => (bearer === 'good' ? principal('ada') : undefined),
    };
    const key: CredentialVerifier = {
      name: 'key',
      verify: ({ header }) => (header('x-api-key') === 'good' ? principal('bob') : undefined),
    };

    it('answers the holder of the token when both are valid, whichever verifier is first', async () => {
      expect(await authenticate([token, key], both)).to.have.property('userId', 'ada');
      expect(await authenticate([key, token], both)).to.have.property('userId', 'ada');
    });

    for (const [bad, verifiers] of [
      ['key', [token]],
      ['token', [key]],
    ] as const) {
      it(`refuses it when no verifier recognises the ${bad}`, async () => {
        const refusal = await Promise.resolve(authenticate(verifiers, both)).catch((error: unknown) => error);
        expect(refusal).to.have.property('status', 401);
      });
    }
  });

  describe('by a credential that browsers send on their own', () => {
    const cookie = (answer: () => ReturnType<CredentialVerifier['verify']>): CredentialVerifier => ({
      name: 'cookie',
      isAmbient: true,
      verify: answer,
    });
    const valid = cookie(() => principal('ada'));
    const late = cookie(() => Promise.resolve(principal('ada')));
    const failing = (error: Error): readonly [string, CredentialVerifier][] => [
      [
        'at once',
        cookie(() => {
          throw error;
        }),
      ],
      ['later', cookie(() => Promise.reject(error))],
    ];

    async function codeOf(verifier: CredentialVerifier, sent: CredentialSource, access: 'public' | 'user') {
      const answer = async (): Promise<Principal> => authenticateFor([verifier], sent, access);
      return answer().then(
        ({ kind }) => kind,
        (error: { code: string }) => error.code,
      );
    }

    it('answers its holder', () => {
      expect(authenticate([valid], source)).to.have.property('userId', 'ada');
    });

    it('lets a bearer token beside it decide, whichever verifier is first', () => {
      const bearer: CredentialVerifier = { name: 'token', verify: () => principal('bob') };
      expect(authenticate([valid, bearer], withHeader('authorization', 'Bearer x'))).to.have.property(
        'userId',
        'bob',
      );
    });

    it('lets an API key beside it decide, also a bad one', () => {
      expect(() => authenticate([valid], withHeader('x-api-key', 'x')))
        .to.throw()
        .with.property('code', 'invalid_credentials');
    });

    it('lets other schemes of Authorization stand beside it', () => {
      expect(authenticate([valid], withHeader('authorization', 'Basic eA=='))).to.have.property(
        'userId',
        'ada',
      );
    });

    for (const [when, verifier] of failing(InvalidCredentials('Ended.'))) {
      it(`ignores one that is refused ${when} on a public route, and only there`, async () => {
        const codes = [await codeOf(verifier, source, 'public'), await codeOf(verifier, source, 'user')];
        expect(codes).to.deep.equal(['anonymous', 'invalid_credentials']);
      });
    }

    for (const [when, verifier] of failing(StoreUnavailable('Away.'))) {
      it(`hides no other failure that comes ${when} on a public route`, async () => {
        expect(await codeOf(verifier, source, 'public')).to.equal('store_unavailable');
      });
    }

    for (const [headers, outcome] of [
      [{}, 'origin_refused'],
      [{ origin: 'https://vitrine.example' }, 'user'],
      [{ origin: 'https://evil.example' }, 'origin_refused'],
      [{ origin: 'http://vitrine.example' }, 'origin_refused'],
      [{ origin: 'https://vitrine.example:8443' }, 'origin_refused'],
      [{ origin: 'https://vitrine.example/showcase/' }, 'origin_refused'],
      [{ origin: 'null' }, 'origin_refused'],
      [{ 'sec-fetch-site': 'same-origin' }, 'user'],
      [{ 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }, 'origin_refused'],
      [{ 'sec-fetch-site': 'cross-site' }, 'origin_refused'],
      [{ 'sec-fetch-site': 'none' }, 'origin_refused'],
    ] as const) {
      it(`answers ${outcome} to a POST with ${JSON.stringify(headers)}`, async () => {
        const header = (name: string): string | undefined => (headers as Record<string, string>)[name];
        const sent = { ...source, method: 'POST', header };
        const outcomes = [await codeOf(valid, sent, 'user'), await codeOf(late, sent, 'public')];
        expect(outcomes).to.deep.equal([outcome, outcome]);
      });
    }

    it('asks for no origin of a request without such a credential', async () => {
      expect(
        await codeOf(
          cookie(() => undefined),
          { ...source, method: 'POST' },
          'public',
        ),
      ).to.equal('anonymous');
    });

    for (const method of ['GET', 'HEAD']) {
      it(`asks for no origin of a ${method}`, async () => {
        expect(await codeOf(valid, { ...source, method }, 'user')).to.equal('user');
      });
    }
  });
});
