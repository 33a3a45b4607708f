import { expect } from 'chai';
import { authenticate } from '../../../core/auth/authenticate.ts';
import { bearerIn } from '../../../core/auth/bearer.ts';
import type { UserPrincipal } from '../../../core/auth/principal.ts';
import type { CredentialSource, CredentialVerifier } from '../../../core/auth/verifier.ts';
import { InvalidCredentials } from '../../../core/errors/problems.ts';

const source: CredentialSource = {
  header: () => undefined,
  bearer: undefined,
  method: 'GET',
  ip: '192.0.2.1',
};

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
});
