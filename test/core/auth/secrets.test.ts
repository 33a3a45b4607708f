import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { secretFrom } from '../../../core/auth/secret-source.ts';
import { JwtSettings, SecretsSettings } from '../../../core/auth/settings.ts';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { complaintsOf } from '../../support/complaints.ts';
import { SECRET } from './forging.ts';

describe('a secret of the installation', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'vitrine-secrets-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  function secret(value: string): string {
    return secretFrom({ value, file: 'jwt-secret', dataDir });
  }

  it('is the configured one', () => {
    expect(secret(SECRET)).to.equal(SECRET);
  });

  it('is not written to the data directory when it is configured', () => {
    secret(SECRET);
    expect(readdirSync(dataDir)).to.deep.equal([]);
  });

  it('is made with at least 32 random bytes when none is configured', () => {
    expect(Buffer.from(secret(''), 'base64url')).to.have.length.of.at.least(32);
  });

  it('is kept: the next start finds the same one', () => {
    expect(secret('')).to.equal(secret(''));
  });

  it('differs between installations', () => {
    const first = secret('');
    rmSync(join(dataDir, 'jwt-secret'));
    expect(secret('')).to.not.equal(first);
  });

  it('is kept for its owner alone', () => {
    secret('');
    expect(statSync(join(dataDir, 'jwt-secret')).mode & 0o777).to.equal(0o600);
  });

  it('removes the rights of other users on the file', () => {
    secret('');
    chmodSync(join(dataDir, 'jwt-secret'), 0o664);
    secret('');
    expect(statSync(join(dataDir, 'jwt-secret')).mode & 0o777).to.equal(0o600);
  });

  it('is the only file that making it leaves behind', () => {
    secret('');
    expect(readdirSync(dataDir)).to.deep.equal(['jwt-secret']);
  });

  it('stops the start when the kept file was cut short, rather than making a new one', () => {
    secret('');
    const path = join(dataDir, 'jwt-secret');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20));
    expect(() => secret('')).to.throw(StartupError, 'does not hold a whole secret');
  });

  it('is one and the same for processes that start at once', async function () {
    this.timeout(30_000);
    const extension = import.meta.url.slice(-3);
    const loader = extension === '.ts' ? ['--import=tsx'] : [];
    const source = new URL(`../../../core/auth/generated-secret${extension}`, import.meta.url).href;
    const script = `const { generatedSecret } = await import('${source}'); process.stdout.write(generatedSecret('${dataDir}', 'race'));`;
    const run = () => promisify(execFile)(process.execPath, [...loader, '--input-type=module', '-e', script]);
    const made = await Promise.all([run(), run(), run()]);
    expect(new Set(made.map(({ stdout }) => stdout))).to.have.property('size', 1);
  });

  const weak = {
    'shorter than 32 bytes': 'k3Jx9Qm2',
    'one byte too short': SECRET.slice(0, 31),
    'the same few letters over and over': 'ab'.repeat(20),
    'the example of jwt.io': 'a-string-secret-at-least-256-bits-long',
    'a value from a manual': 'change-me-to-something-long-and-random-please',
    'the example in capitals': 'CHANGE_ME_TO_SOMETHING_LONG_AND_RANDOM_PLEASE',
    'a counted-out value': '01234567890123456789012345678901234567',
    'the alphabet': 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn',
  };

  for (const [what, value] of Object.entries(weak)) {
    it(`stops the start when it is ${what}, and names the setting, the environment and the way out`, () => {
      expect(complaintsOf(JwtSettings, { secret: value })).to.match(
        /"jwt\.secret" .*openssl rand.*JWT_SECRET/,
      );
      expect(complaintsOf(SecretsSettings, { key: value })).to.match(/"secrets\.key" .*SECRET_KEY/);
    });
  }

  it('is never repeated in the message that refuses it', () => {
    const secret = weak['the example of jwt.io'];
    expect(complaintsOf(JwtSettings, { secret })).not.to.include('a-string-secret');
  });

  it('is not looked at where tokens are signed with a key pair', () => {
    expect(complaintsOf(JwtSettings, { secret: 'short', algorithm: 'ES256' })).not.to.include('jwt.secret');
  });
});
