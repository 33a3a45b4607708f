import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { Problem } from '../../../core/errors/problem.ts';
import { JwtSettings } from '../../../core/auth/settings.ts';
import { complaintsOf } from '../../support/complaints.ts';
import { NOW, claiming, issuerWith, standingClock } from './forging.ts';

const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }));
const weakRsa = pem(generateKeyPairSync('rsa', { modulusLength: 1024 }));
const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const p384 = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }));

function pem({ privateKey }: ReturnType<typeof generateKeyPairSync>): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** How often the library checks a signature meanwhile. */
function countedChecks(work: () => void): number {
  const { verify } = jsonwebtoken;
  let checks = 0;
  const counting = (...order: Parameters<typeof verify>) => {
    checks += 1;
    return verify(...order);
  };
  Object.assign(jsonwebtoken, { verify: counting });
  try {
    work();
  } finally {
    Object.assign(jsonwebtoken, { verify });
  }
  return checks;
}

describe('the token issuer', () => {
  it('verifies what it issued', () => {
    const issuer = issuerWith();
    const { token, claims } = issuer.issue('somebody');
    expect(issuer.verify(token)).to.deep.equal(claims);
  });

  it('names the subject and dates the token by its clock and its ttl', () => {
    const { claims } = issuerWith({ ttl: 90 }).issue('somebody');
    expect(claims).to.include({ sub: 'somebody', iat: NOW, exp: NOW + 90 });
  });

  it('gives every token an id of its own', () => {
    const issuer = issuerWith();
    expect(issuer.issue('a').claims.jti).to.not.equal(issuer.issue('a').claims.jti);
  });

  it('issues a token with the given id', () => {
    const issuer = issuerWith();
    const { token } = issuer.issue('somebody', '01890a5d-ac96-774b-bcce-b302099a8058');
    expect(issuer.verify(token).jti).to.equal('01890a5d-ac96-774b-bcce-b302099a8058');
  });

  it('tells keys apart by a digest, without the key in it', () => {
    const secret = 'kq0Zr7Yt1Wm4Xc8Vb2Ns6Lp9Jd3Hg5Fa';
    const digests = [
      {},
      { secret },
      ...[rsa, p256].map((key, n) => ({ algorithm: ['RS256', 'ES256'][n], private_key: key })),
    ];
    const told = digests.map((settings) => issuerWith(settings as object).keyDigest);
    expect(new Set(told).size).to.equal(4);
    expect(issuerWith({ secret }).keyDigest).to.equal(told[1]).and.not.contain(secret);
  });

  it('accepts the tokens of another instance with the same secret', () => {
    const { token } = issuerWith().issue('somebody');
    expect(issuerWith().verify(token).sub).to.equal('somebody');
  });

  it('refuses a token from the second it expires, even when it is cached', () => {
    const clock = standingClock();
    const issuer = issuerWith({ ttl: 10 }, clock);
    const { token } = issuer.issue('somebody');
    clock.seconds += 9;
    issuer.verify(token);
    clock.seconds += 1;
    expect(() => issuer.verify(token))
      .to.throw(Problem)
      .with.property('code', 'invalid_credentials');
  });

  it('refuses tokens that were issued for longer than tokens live now', () => {
    const { token } = issuerWith({ ttl: 3600 }).issue('somebody');
    expect(() => issuerWith({ ttl: 60 }).verify(token)).to.throw(Problem);
  });

  it('bears with a clock elsewhere that is up to a minute ahead', () => {
    expect(issuerWith().verify(claiming({ iat: NOW + 60 })).iat).to.equal(NOW + 60);
  });

  it('checks the signature of a token once, and of each token', () => {
    const issuer = issuerWith();
    const tokens = Array.from({ length: 300 }, () => issuer.issue('somebody').token);
    const verifyAll = () => tokens.map((token) => issuer.verify(token));
    const checks = countedChecks(() => {
      const first = verifyAll();
      for (let round = 0; round < 3; round += 1) expect(verifyAll()).to.deep.equal(first);
    });
    expect(checks).to.equal(tokens.length);
  });

  it('issues and verifies with an RSA key pair', () => {
    const issuer = issuerWith({ algorithm: 'RS256', private_key: rsa });
    expect(issuer.verify(issuer.issue('somebody').token).sub).to.equal('somebody');
  });

  it('issues and verifies with a P-256 key pair', () => {
    const issuer = issuerWith({ algorithm: 'ES256', private_key: p256 });
    expect(issuer.verify(issuer.issue('somebody').token).sub).to.equal('somebody');
  });

  const unfit = {
    'no key at all': { algorithm: 'RS256', private_key: '' },
    'an RSA key of 1024 bits': { algorithm: 'RS256', private_key: weakRsa },
    'an EC key for RS256': { algorithm: 'RS256', private_key: p256 },
    'a key on another curve': { algorithm: 'ES256', private_key: p384 },
  } as const;

  for (const [what, keys] of Object.entries(unfit)) {
    it(`does not start with ${what}`, () => {
      expect(complaintsOf(JwtSettings, keys)).to.match(/JWT_PRIVATE_KEY/);
    });
  }
});
