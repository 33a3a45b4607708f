import { expect } from 'chai';
import {
  brokenPattern,
  linearPattern,
} from '../../../../plugins/catalogue/schema/patterns/linear-pattern.ts';

/** Characters on which engines differ, and some on which they do not. */
const CHARACTERS = [
  '',
  ' ',
  '\t',
  '\n',
  '\v',
  '\r',
  '\b',
  '\0',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u180e',
  '\u2003',
  '\u2028',
  '\u2029',

  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
  'a',
  'b',
  'x',
  'A',
  'n',
  '1',
  '٣',
  '_',
  '-',
  '/',
  '[',
  ']',
  '^',
  '$',
  '\\',

  'é',
  'e\u0301',
  'ß',
  'ſ',
  'K',
  'α',
  'я',
  '漢',
  'か',
  'カ',
  '한',
  '😀',
  '👍🏽',
  'a b',
  'a\u00a0b',
  'cat',
  'a😀b',
  'word word',
  'a1',
  '1a',
  '-',
  '+1.5',
  '-.',
  ')x',
  '|',
];

const PATTERNS = [
  '\\S',
  '^\\S+$',
  '^\\s$',
  '^[\\s]$',
  '^[\\S]$',
  '^[^\\s]$',
  '^[^\\S]$',
  '^[\\s\\S]$',
  '^\\w+\\s\\w+$',

  '^.$',
  '^.*$',
  '^[.]$',
  '^\\w$',
  '^\\W$',
  '^[\\W]$',
  '^\\d$',
  '^[^\\d]$',
  '\\bcat\\b',
  '^\\B',
  '^[\\b]$',
  '^\\p{Letter}+$',
  '^\\p{L}$',
  '^\\p{Lu}$',
  '^\\p{General_Category=Lowercase_Letter}$',
  '^\\p{gc=Nd}$',

  '^\\p{Script=Han}$',
  '^\\p{sc=Hira}$',
  '^\\p{Script_Extensions=Katakana}$',
  '^\\p{scx=Grek}$',
  '^\\P{Script=Han}$',

  '^\\p{Emoji}$',
  '^\\p{Alphabetic}$',
  '^\\p{White_Space}$',
  '^\\p{ASCII}$',
  '^\\p{Any}$',
  '^\\p{C}$',
  '^\\p{Cn}$',
  '^[\\p{L}\\p{N}_]+$',
  '^[^\\p{L}]$',
  '^[\\P{L}]$',
  '^[^\\P{L}]$',
  '^\\P{Letter}$',

  '^\\u{1F600}$',
  '^\\ud83d\\ude00$',
  '^[\\u{1F600}-\\u{1F64F}]$',
  '^[😀]$',
  '^😀?$',
  '^\\x41$',
  '^\\cJ$',
  '^\\0$',

  '^[]$',
  '^[^]$',
  '^[\\]^]$',
  '^[^^]$',
  '^[[]$',
  '^[$-/]$',
  '^[\\w-]$',
  '^[a-b-]$',
  '\\/',
  '\\$',
  '^\\^$',
  '^\\\\$',

  '^(?=.*\\d)(?=.*[a-z]).*$',
  '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$',
  '^(?!a|b).*$',
  '^(?=[)(|]).',
  '^(?=(a|b) )a b$',
  '(?<year>a)b?',
  '^(?:a|b)*$',
  'a{2,3}?',
  '^(a)|(b)$',
  '^$',
  '',
];

describe('A pattern', () => {
  for (const pattern of PATTERNS) {
    it(`means what ECMAScript means: ${pattern}`, () => {
      const ours = linearPattern(pattern);
      const theirs = new RegExp(pattern, 'u');
      const differences = CHARACTERS.filter((text) => ours.test(text) !== theirs.test(text));
      expect(differences).to.deep.equal([]);
    });
  }

  for (const pattern of ['^\\w+\\-\\w+$', '^[\\w\\-\\_]+$', '\\"\\@\\ ', '(?i)^abc$', '(?P<name>a)']) {
    it(`may be written as other engines allow: ${pattern}`, () => {
      expect(brokenPattern(pattern)).to.equal(undefined);
    });
  }

  for (const [pattern, fault] of [
    ['^(?=a)b|c', /linear time: it has look-around; write it without\.$/],
    ['^(?:(?=a)b)', /linear time: it has look-around; write it without\.$/],
    ['^(?=(?!a)b)c', /linear time: it has look-around; write it without\.$/],
    ['^(?=a)*b', /linear time: it has look-around; write it without\.$/],
    ['(?=a)b', /linear time: it has look-around; write it without\.$/],
    ['(?<!a)b', /linear time: it has look-around; write it without\.$/],
    ['(a)\\1', /linear time: it has a back-reference; write it without\.$/],
    ['(?<n>a)\\k<n>', /linear time: it has a back-reference; write it without\.$/],
    ['a{1,2000}', /repeat at most 1000 times\.$/],
    ['\\p{Han}', /^is not a pattern of ECMAScript: it knows no \\p\{Han\}; write .*\\p\{Script=Greek\}\.$/],
    ['\\Astart', /^is not a pattern of ECMAScript: it knows no "\\A"\.$/],
    ['[a', /^is not a pattern of ECMAScript: a class of characters has no end\.$/],
    ['[z-a]', /^is not a pattern of ECMAScript: a range of characters ends before it begins\.$/],
    ['\\', /^is not a pattern of ECMAScript/],
    ['(', /^is not a pattern .* look for missing brackets\.$/],
  ] as const) {
    it(`is refused with the reason and the way out: ${pattern}`, () => {
      expect(brokenPattern(pattern)).to.match(fault);
    });
  }
});
