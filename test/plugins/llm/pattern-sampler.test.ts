import { expect } from 'chai';
import { Budget } from '../../../plugins/llm/offline/budget.ts';
import { diceFor } from '../../../plugins/llm/offline/dice.ts';
import { samplePattern } from '../../../plugins/llm/offline/pattern-sampler.ts';
import { processorMs } from '../../support/processor-time.ts';

const sampled = (pattern: string, prompt = 'x') => samplePattern(pattern, diceFor(prompt), new Budget());

const readable = [
  '^abc$',
  '^a.c$',
  '^[abc]{3}$',
  '^[a-z0-9_-]{2,8}$',
  '^[^a-z]{4}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(cat|dog|bird)$',
  '^(?:ab|cd)+$',
  '^((a|b)c){2}$',
  '^x*y+z?$',
  '^a{3,}$',
  '^a+?b$',
  '^\\w+@\\w+\\.[a-z]{2,3}$',
  '^[\\d.,]+$',
  '^[\\]\\\\]{2}$',
  '^[a\\-z]$',
  '^[-a]$',
  '^[a-]$',
  '^\\$\\d+\\.\\d\\d$',
  '^#[0-9a-fA-F]{6}$',
  '^(\\+1 )?\\d{3} \\d{4}$',
  '^$',
  '^(|a)$',
  '^(a|b|)x$',
  '^[A-Z]{2}\\s\\d{3}$',
  '^[^!-~]{3}$',
  '^[^\\d\\w -/]{5}$',
  '^[^\\W]{9}[^\\D]{9}[^\\S]$',
  '^\\W{9}\\D{9}\\S{9}$',
  '^[é-ü]{5}$',
  '^[一-鿿]{1,200}$',
  '^[😀-😎x]{4}$',
  '^😀{3}$',
  '^[!-\uffee]{1000}$',
  `^[${'!-\uffee'.repeat(100)}]{1000}$`,
];

const beyond = [
  '(?=a)b',
  '(?<name>a)',
  '(a)\\1',
  '\\p{L}',
  'a**',
  '(a',
  '[a',
  'a)',
  '[z-a]',
  '*',
  '\\',
  'a{5,2}',
  'a{9999}',
  '(a{1000}){1000}',
  '((((a{1000}){1000}){1000}){1000})',
  '[^ -~]',
  'x'.repeat(501),
];

describe('the pattern sampler', () => {
  for (const pattern of readable) {
    it(`writes texts that match ${pattern.slice(0, 40)}`, () => {
      const wrong = Array.from({ length: 30 }, (_, turn) => sampled(pattern, String(turn))).filter(
        (text) => text === undefined || !new RegExp(pattern, 'u').test(text),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  for (const pattern of beyond) {
    it(`does not claim to know ${pattern.slice(0, 40)}`, () => {
      expect(sampled(pattern)).to.equal(undefined);
    });
  }

  it('ends soon on a pattern that makes naive engines burn', () => {
    expect(processorMs(() => sampled('^((((a+)+)+)+)+$'))).to.be.below(100);
  });

  it('says so when repetitions of nothing never end', () => {
    expect(() => sampled('(((){1000}){1000}){1000}')).to.throw('more data than is made up');
  });
});
