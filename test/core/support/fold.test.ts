import { expect } from 'chai';
import { folded } from '../../../core/support/fold.ts';

const forms: readonly (readonly [string, (text: string) => string])[] = [
  ['folded already', folded],
  ['in lower case', (text) => text.toLowerCase()],
  ['composed', (text) => text.normalize('NFC')],
  ['decomposed', (text) => text.normalize('NFD')],
  ['in compatible characters', (text) => text.normalize('NFKC')],
];

/** Every character with more than one form. Ideographs and unassigned codes have only themselves. */
function* characters(): Generator<string> {
  for (let code = 0; code < 0x20000; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/[\p{Unified_Ideograph}\p{Cn}\p{Co}\p{Cs}]/u.test(character)) yield character;
  }
}

describe('the folded form of a text', () => {
  for (const [one, other] of [
    ['WEISS', 'Weiß'],
    ['STRASSE', 'STRAẞE'],
    ['ΑΣ', 'Ας'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.normalize('NFD').replaceAll('\u0301', '')],
    ['Müller', 'Mu\u0308ller'],
    ['ABC 123', 'ＡＢＣ　１２３'],
    ['ミューラー', 'ﾐｭｰﾗｰ'],
    ['ガ', 'ｶﾞ'],
    ['한글', '한글'.normalize('NFD')],
    ['ﬁlter', 'FILTER'],
    ['Istanbul', 'ıstanbul'],
    ['soft', 'so\u00adft'],
    ['v1', 'v1\u200b'],
  ] as const) {
    it(`is the same for ${one} and ${JSON.stringify(other)}`, () =>
      expect(folded(one)).to.equal(folded(other)));
  }

  for (const [one, other] of [
    ['a', 'ä'],
    ['v1', 'v 1'],
    ['v1', 'v10'],
    ['か', 'カ'],
    ['s', 'ß'],
  ] as const) {
    it(`differs for ${one} and ${other}`, () => expect(folded(one)).to.not.equal(folded(other)));
  }

  it('is the same for every character in all its forms', () => {
    const wrong: string[] = [];
    for (const text of characters()) {
      const key = folded(text);
      for (const [what, form] of forms) if (folded(form(text)) !== key) wrong.push(`${text} ${what}`);
    }
    expect(wrong).to.deep.equal([]);
  });
});
