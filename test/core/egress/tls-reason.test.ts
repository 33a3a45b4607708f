import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tlsReasonOf } from '../../../core/egress/tls-reason.ts';
import { certificate } from './self-signed.ts';

interface Failed {
  readonly message: string;
  readonly tlsReason?: string;
}

/** Runs `asking-over-tls` in a process of its own, since Node reads its authorities once, at its start. */
async function ask(env: Readonly<Record<string, string>>): Promise<Record<string, Failed | number>> {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`./asking-over-tls${isSource ? '.ts' : '.js'}`, import.meta.url));
  const words = [...(isSource ? ['--import=tsx'] : []), program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

const reasonIn = (found: Failed | number | undefined): string | undefined => (found as Failed).tlsReason;

describe('a server over TLS', () => {
  let folder: string;
  let untrusted: Record<string, Failed | number>;
  let trusting: Record<string, Failed | number>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-authority-'));
    const file = join(folder, 'authority.pem');
    await writeFile(file, `${certificate}\n`);
    [untrusted, trusting] = await Promise.all([ask({}), ask({ NODE_EXTRA_CA_CERTS: file })]);
  });
  after(() => rm(folder, { recursive: true }));

  it('with a self-signed certificate is refused, and the reason names the way out', () => {
    expect(reasonIn(untrusted['own'])).to.match(/certificate is self-signed.*NODE_EXTRA_CA_CERTS/);
  });

  it('is trusted when its authority is named in NODE_EXTRA_CA_CERTS', () => {
    expect(trusting['own']).to.equal(200);
  });

  const reasons: readonly (readonly [string, string, RegExp])[] = [
    ['whose certificate is for another name', 'otherName', /certificate is for another host name\.$/],
    ['whose certificate has expired', 'expired', /certificate has expired\.$/],
    ['that speaks old versions alone', 'oldVersion', /no version of TLS/],
    ['that has no cipher for its certificate', 'noCipher', /no cipher in common/],
    ['that speaks plain HTTP', 'plain', /does not speak TLS on this port/],
    ['that hangs up during the handshake', 'hangsUp', /closed the connection during the TLS handshake\.$/],
  ];
  for (const [what, name, reason] of reasons) {
    it(`${what} is refused for this reason`, () => {
      expect(reasonIn(trusting[name])).to.match(reason);
    });
  }

  it('reads the same to callers, whatever is wrong', () => {
    const messages = Object.values(untrusted).map((found) => (found as Failed).message);
    expect(messages.join()).not.to.match(/certificate|TLS|\d{4}|lan/);
  });
});

describe('the reason of a fault in TLS', () => {
  const coded = (code: string, message = ''): Error => Object.assign(new Error(message), { code });

  for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN']) {
    it(`names an authority that is not trusted: ${code}`, () => {
      expect(tlsReasonOf(coded(code))).to.match(/authority that this service does not trust/);
    });
  }

  it('names the code where it knows no better', () => {
    expect(tlsReasonOf(coded('CERT_UNTRUSTED'))).to.contain('(CERT_UNTRUSTED)');
    expect(tlsReasonOf(coded('ERR_SSL_BAD_ECPOINT'))).to.contain('(ERR_SSL_BAD_ECPOINT)');
  });

  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']) {
    it(`is absent for ${code}, which would tell what a network looks like`, () => {
      expect(tlsReasonOf(coded(code, `connect ${code} 10.0.0.1:443`))).to.equal(undefined);
    });
  }
});
