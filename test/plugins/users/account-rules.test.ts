import { expect } from 'chai';
import type { Problem } from '../../../core/index.ts';
import { checkNewAccount, uniqueKey } from '../../../plugins/users/account-rules.ts';
import { isWellKnown } from '../../../plugins/users/well-known-passwords.ts';

const fine = { username: 'ada', email: 'ada@example.org', password: 'correct horse' };

function brokenFields(account: Partial<typeof fine>): (string | undefined)[] {
  try {
    checkNewAccount({ ...fine, ...account });
    return [];
  } catch (error) {
    return ((error as Problem).extras.errors ?? []).map(({ pointer }) => pointer);
  }
}

describe('the rules for accounts', () => {
  for (const username of [
    'a',
    'ada.lovelace',
    'ada-1',
    '王小明',
    'Müller',
    'ada@example.org',
    'x'.repeat(64),
  ]) {
    it(`accept the username ${username.slice(0, 20)}`, () =>
      expect(brokenFields({ username })).to.deep.equal([]));
  }

  for (const username of ['', ' ada', 'ada lovelace', '.ada', 'a\nb', '<b>', 'x'.repeat(65)]) {
    it(`refuse the username ${JSON.stringify(username.slice(0, 20))}`, () =>
      expect(brokenFields({ username })).to.deep.equal(['/username']));
  }

  for (const email of ['ada@example.org', 'a.b+c@sub.example.org', 'admin@localhost', 'ü@bücher.example']) {
    it(`accept the e-mail address ${email}`, () => expect(brokenFields({ email })).to.deep.equal([]));
  }

  for (const email of [
    '',
    'ada',
    'ada@',
    '@example.org',
    'a@b@c',
    'a b@example.org',
    'a@-b.org',
    'a@b.',
    'a@\u0000b',
  ]) {
    it(`refuse the e-mail address ${JSON.stringify(email)}`, () =>
      expect(brokenFields({ email })).to.deep.equal(['/email']));
  }

  for (const length of [7, 257]) {
    it(`refuse a password of ${length} characters`, () =>
      expect(brokenFields({ password: 'x'.repeat(length) })).to.deep.equal(['/password']));
  }

  it('count characters, not code units, of a password', () => {
    expect(brokenFields({ password: '🐎'.repeat(7) })).to.deep.equal(['/password']);
  });

  it('take names that differ in case or width for the same', () => {
    expect(uniqueKey('ＡDA')).to.equal(uniqueKey('ada'));
  });

  it('know the passwords that everybody tries first', () => {
    expect(isWellKnown('ChangeMe123', 'ada')).to.equal(true);
  });

  it('know the username as a password that is tried first', () => {
    expect(isWellKnown('Administrix', 'administrix')).to.equal(true);
  });
});
