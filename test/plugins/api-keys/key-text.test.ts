import { expect } from 'chai';
import { hashOf, isWellFormed, maskOf, newKey } from '../../../plugins/api-keys/key-text.ts';

describe('the text of an API key', () => {
  it('is vk_, 43 base62 digits that hold 256 bits, and a checksum of six', () => {
    expect(newKey()).to.match(/^vk_[0-9A-Za-z]{49}$/);
  });

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1000 }, newKey)).size).to.equal(1000);
  });

  it('is well formed', () => {
    expect(Array.from({ length: 200 }, newKey).every(isWellFormed)).to.equal(true);
  });

  it('is not well formed with any one character changed', () => {
    const key = newKey();
    const mistyped = Array.from({ length: key.length }, (_, at) => {
      const other = key[at] === 'x' ? 'y' : 'x';
      return key.slice(0, at) + other + key.slice(at + 1);
    });
    expect(mistyped.filter(isWellFormed)).to.deep.equal([]);
  });

  for (const text of [
    '',
    'vk_',
    'vk_short',
    ` ${newKey()}`,
    `${newKey()} `,
    newKey().slice(3),
    `${newKey()}\n`,
  ]) {
    it(`is not ${JSON.stringify(text.slice(0, 12))}`, () => expect(isWellFormed(text)).to.equal(false));
  }

  it('is shown by four characters at each end', () => {
    const key = newKey();
    expect(maskOf(key)).to.equal(`vk_${key.slice(3, 7)}…${key.slice(-4)}`);
  });

  it('is stored as SHA-256', () => {
    expect(hashOf('vk_abc')).to.equal('be1255a7c5cd9173d3739aa006405e7f16cd7d000540ab00119e1297bbc75fae');
  });
});
