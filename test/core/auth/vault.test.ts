import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createVault } from '../../../core/auth/vault.ts';
import { SECRET } from './forging.ts';

const PURPOSE = 'repohost:access-token';
const vaultWith = (key: string, fallback_key = '') =>
  createVault({ settings: { key, fallback_key }, dataDir: '/nonexistent' });

describe('the vault', () => {
  const vault = vaultWith(SECRET);
  const sealed = vault.seal(PURPOSE, 'row-1', 'gitea-token');

  it('opens what it sealed', () => {
    expect(vault.open(PURPOSE, 'row-1', sealed)).to.equal('gitea-token');
  });

  for (const text of ['', 'ü€😀', 'x'.repeat(100_000)]) {
    it(`keeps ${text.length} characters as they are`, () => {
      expect(vault.open(PURPOSE, 'row-1', vault.seal(PURPOSE, 'row-1', text))).to.equal(text);
    });
  }

  it('names the version of its format', () => {
    expect(sealed).to.match(/^v1\./);
  });

  it('does not show what it holds', () => {
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').toString('latin1')).to.not.include('gitea');
  });

  it('never seals the same text the same way twice', () => {
    expect(vault.seal(PURPOSE, 'row-1', 'gitea-token')).to.not.equal(sealed);
  });

  it('opens with the same key after a restart', () => {
    expect(vaultWith(SECRET).open(PURPOSE, 'row-1', sealed)).to.equal('gitea-token');
  });

  it('refuses a text that was moved to another row', () => {
    expect(() => vault.open(PURPOSE, 'row-2', sealed)).to.throw('another row');
  });

  it('refuses a text that was sealed for another purpose', () => {
    expect(() => vault.open('llm:api-key', 'row-1', sealed)).to.throw('another row');
  });

  it('does not mistake one split of purpose and row for another', () => {
    const text = vault.seal('a', 'b:c', 'x');
    expect(() => vault.open('a:b', 'c', text)).to.throw('another row');
  });

  it('refuses a text that was sealed under another key', () => {
    const other = vaultWith([...SECRET].reverse().join(''));
    expect(() => other.open(PURPOSE, 'row-1', sealed)).to.throw('another SECRET_KEY');
  });

  describe('whose key was changed', () => {
    const newKey = [...SECRET].reverse().join('');
    const both = vaultWith(newKey, SECRET);

    it('opens what was sealed under the key before', () => {
      expect(both.open(PURPOSE, 'row-1', sealed)).to.equal('gitea-token');
    });

    it('seals under the new key', () => {
      expect(vaultWith(newKey).open(PURPOSE, 'row-1', both.seal(PURPOSE, 'row-1', 'x'))).to.equal('x');
    });

    it('seals anew what was sealed under the key before, once', () => {
      const resealed = both.reseal(PURPOSE, 'row-1', sealed)!;
      expect(vaultWith(newKey).open(PURPOSE, 'row-1', resealed)).to.equal('gitea-token');
      expect(() => vault.open(PURPOSE, 'row-1', resealed)).to.throw('another SECRET_KEY');
      expect(both.reseal(PURPOSE, 'row-1', resealed)).to.equal(undefined);
    });

    it('seals nothing anew that was moved to another row', () => {
      expect(() => both.reseal(PURPOSE, 'row-2', sealed)).to.throw('another row');
    });
  });

  it('refuses a text with any one byte changed', () => {
    const [version, nonce, body] = sealed.split('.') as [string, string, string];
    const bytes = Buffer.from(body, 'base64url');
    const opened = [...bytes.keys()].filter((at) => {
      const bad = Buffer.from(bytes);
      bad[at]! ^= 1;
      return opens(`${version}.${nonce}.${bad.toString('base64url')}`);
    });
    expect(opened).to.deep.equal([]);
  });

  it('refuses a tag that was cut to the four bytes that the library would take', () => {
    const [version, nonce, body] = sealed.split('.') as [string, string, string];
    const bytes = Buffer.from(body, 'base64url');
    expect(opens(`${version}.${nonce}.${bytes.subarray(0, -12).toString('base64url')}`)).to.equal(false);
  });

  for (const text of [
    '',
    'gitea-token',
    'v1..',
    'v2.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
    `${sealed}=`,
  ]) {
    it(`refuses "${text.slice(0, 20)}", which it never sealed`, () => {
      expect(() => vault.open(PURPOSE, 'row-1', text)).to.throw('not a sealed text');
    });
  }

  it('recognises a text again, after a restart too', () => {
    const digest = vault.digest(PURPOSE, 'gitea-token');
    expect(digest).to.match(/^[0-9a-f]{64}$/);
    expect(vaultWith(SECRET).digest(PURPOSE, 'gitea-token')).to.equal(digest);
  });

  it('has another digest for another text, another purpose and another key', () => {
    const other = vaultWith([...SECRET].reverse().join(''));
    const digests = [
      vault.digest(PURPOSE, 'gitea-token'),
      vault.digest(PURPOSE, 'gitea-tokem'),
      vault.digest('llm:api-key', 'gitea-token'),
      other.digest(PURPOSE, 'gitea-token'),
      createHash('sha256').update('gitea-token').digest('hex'),
    ];
    expect(new Set(digests).size).to.equal(5);
  });

  function opens(text: string): boolean {
    try {
      vault.open(PURPOSE, 'row-1', text);
      return true;
    } catch {
      return false;
    }
  }
});
