import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'chai';
import { Problem } from '../../../core/errors/problem.ts';
import {
  NOW,
  SECRET,
  claiming,
  encoded,
  handmade,
  headed,
  issuerWith,
  soundClaims,
  soundHeader,
} from './forging.ts';

const sound = handmade(soundHeader, soundClaims);
const [header = '', payload = '', signature = ''] = sound.split('.');

/** The same signature bytes, written with the unused low bits of the last letter set. */
function withStrayBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1)!);
  return `${token.slice(0, -1)}${alphabet[last ^ 1]}`;
}

function signedWithAKeyPair(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signed = `${encoded({ alg: 'RS256', typ: 'at+jwt' })}.${encoded(soundClaims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

const forgeries: Readonly<Record<string, string>> = {
  'no signature, alg none': `${encoded({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
  'alg none in odd case': `${encoded({ alg: 'nOnE', typ: 'at+jwt' })}.${payload}.${signature}`,
  'alg none, sound signature kept': headed({ alg: 'none' }),
  'alg missing': headed({ alg: undefined }),
  'alg HS512 with the right secret': headed({ alg: 'HS512' }, SECRET, 'sha512'),
  'alg HS384 with the right secret': headed({ alg: 'HS384' }, SECRET, 'sha384'),
  'alg in lower case': headed({ alg: 'hs256' }),
  'alg RS256 with a key of the sender': signedWithAKeyPair(),
  'signature removed': `${header}.${payload}.`,
  'signature removed with its dot': `${header}.${payload}`,
  'signed with another secret': handmade(
    soundHeader,
    soundClaims,
    'another secret that is long enough to pass',
  ),
  'signed with an empty secret': handmade(soundHeader, soundClaims, ''),
  'payload changed': `${header}.${encoded({ ...soundClaims, sub: 'admin' })}.${signature}`,
  'header changed': `${encoded({ ...soundHeader, kid: 'x' })}.${payload}.${signature}`,
  'signature cut short': sound.slice(0, -4),
  'typ JWT, as other services write it': headed({ typ: 'JWT' }),
  'typ missing': headed({ typ: undefined }),
  'typ of an id token': headed({ typ: 'id+jwt' }),
  'crit that nobody understands': headed({ crit: ['exp'] }),
  'jwk of the sender in the header': headed({ jwk: { kty: 'oct', k: encoded(SECRET) } }),
  'jku of the sender in the header': headed({ jku: 'https://evil.example/keys' }),
  'kid that walks the file system': headed({ kid: '../../../../dev/null' }),
  'unencoded payload (b64 false)': headed({ b64: false, crit: ['b64'] }),
  'exp missing': claiming({ exp: undefined }),
  'exp passed': claiming({ exp: NOW - 1 }),
  'exp right now': claiming({ exp: NOW }),
  'exp further off than tokens live': claiming({ exp: NOW + 3601 }),
  'exp in a hundred years': claiming({ exp: NOW + 3_155_760_000 }),
  'exp as text': claiming({ exp: String(NOW + 600) }),
  'exp with a fraction': claiming({ exp: NOW + 600.5 }),
  'exp beyond all numbers': handmade(
    soundHeader,
    JSON.stringify(soundClaims).replace(`${NOW + 600}`, '1e999'),
  ),
  'exp before iat': claiming({ iat: NOW + 30, exp: NOW + 20 }),
  'iat missing': claiming({ iat: undefined }),
  'iat in the future': claiming({ iat: NOW + 61 }),
  'iat below zero': claiming({ iat: -1, exp: NOW + 600 }),
  'nbf in the future': claiming({ nbf: NOW + 300 }),
  'iss of another service': claiming({ iss: 'elsewhere' }),
  'iss missing': claiming({ iss: undefined }),
  'aud of another service': claiming({ aud: 'elsewhere' }),
  'aud missing': claiming({ aud: undefined }),
  'aud as a list that holds ours': claiming({ aud: ['elsewhere', 'vitrine'] }),
  'sub missing': claiming({ sub: undefined }),
  'sub empty': claiming({ sub: '' }),
  'sub that is no text': claiming({ sub: { $ne: null } }),
  'jti missing': claiming({ jti: undefined }),
  'payload that is a list': handmade(soundHeader, [soundClaims]),
  'payload that is text': handmade(soundHeader, '"admin"'),
  'payload that is not JSON': handmade(soundHeader, 'sub=admin'),
  'payload null': handmade(soundHeader, 'null'),
  'token inside a token': handmade({ ...soundHeader, cty: 'JWT' }, sound),
  'trailing =': `${sound}=`,
  'trailing dot': `${sound}.`,
  'trailing letters': `${sound}AAAA`,
  'trailing line end': `${sound}\n`,
  'leading blank': ` ${sound}`,
  'blank inside': `${header}. ${payload}.${signature}`,
  'NUL at the end': `${sound}\u0000`,
  'stray bits in the last letter': withStrayBits(sound),
  'standard base64 instead of base64url': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
  'five parts, as encrypted tokens have': `${sound}.${payload}.${signature}`,
  'JSON serialisation': JSON.stringify({ protected: header, payload, signature }),
  'a megabyte of claims': claiming({ padding: 'x'.repeat(1 << 20) }),
  nothing: '',
  'dots only': '..',
};

describe('forged bearer tokens', () => {
  const issuer = issuerWith();

  it('would be accepted if they were not forged: the same hand makes a sound one', () => {
    expect(issuer.verify(sound).sub).to.equal(soundClaims.sub);
  });

  for (const [flaw, token] of Object.entries(forgeries)) {
    it(`are refused: ${flaw}`, () => {
      expect(() => issuer.verify(token))
        .to.throw(Problem)
        .with.property('code', 'invalid_credentials');
    });
  }

  it('are at least 28', () => {
    expect(Object.keys(forgeries)).to.have.length.of.at.least(28);
  });

  it('are refused the same way after the valid token was cached', () => {
    issuer.verify(sound);
    const accepted = Object.keys(forgeries).filter((flaw) => passes(forgeries[flaw]!));
    expect(accepted).to.deep.equal([]);
  });

  function passes(token: string): boolean {
    try {
      return issuer.verify(token) !== undefined;
    } catch {
      return false;
    }
  }
});

describe('forged bearer tokens against a key pair', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  const issuer = issuerWith({ algorithm: 'RS256', private_key: pem });

  it('are refused when the public key serves as an HS256 secret (algorithm confusion)', () => {
    const token = handmade(soundHeader, soundClaims, publicPem);
    expect(() => issuer.verify(token))
      .to.throw(Problem)
      .with.property('code', 'invalid_credentials');
  });

  it('are refused when the right key signs by another algorithm', () => {
    const signed = `${encoded({ alg: 'RS512', typ: 'at+jwt' })}.${encoded(soundClaims)}`;
    const token = `${signed}.${sign('sha512', Buffer.from(signed), privateKey).toString('base64url')}`;
    expect(() => issuer.verify(token))
      .to.throw(Problem)
      .with.property('code', 'invalid_credentials');
  });

  const signed = `${encoded({ alg: 'RS256', typ: 'at+jwt' })}.${encoded(soundClaims)}`;
  const good = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;

  it('would be accepted if the key and the algorithm were right', () => {
    expect(issuer.verify(good).jti).to.equal(soundClaims.jti);
  });

  it('are refused when the signature is written another way, though its bytes hold', () => {
    expect(() => issuer.verify(withStrayBits(good)))
      .to.throw(Problem)
      .with.property('code', 'invalid_credentials');
  });
});
