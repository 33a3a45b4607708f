import { expect } from 'chai';
import { isName } from '../../../core/http/validation/names.ts';

describe('a name', () => {
  for (const name of [
    'v1',
    'Edge detection',
    'Größe – Æthelred',
    'कार्\u200dयक्रम',
    'می\u200cخواهم',
    'ක්\u200dෂ',
    '👩\u200d🔬 lab',
    '❤\ufe0f',
    '한글 ガ 王小明',
    'a\u00a0b',
    'x'.repeat(1000),
  ]) {
    it(`may be ${JSON.stringify(name.slice(0, 20))}`, () => expect(isName(name)).to.equal(true));
  }

  for (const name of [
    ' v1',
    'v1 ',
    'two\nlines',
    'two\u2028lines',
    'a\tb',
    'a\u0000b',
    'v1\u200b',
    'v1\u200d',
    'a\u200db',
    'v\u200c1',
    'v1\ufe0f',
    '\u200d👩',
    'soft\u00adhyphen',
    'word\u2060joiner',
    '\ufeffv1',
    'right\u202eleft',
    '\u3164',
    'a\u115f',
    '\u2800',
    'tag\u{e0041}',
    'a\ufff9b',
  ]) {
    it(`may not be ${JSON.stringify(name)}`, () => expect(isName(name)).to.equal(false));
  }
});
