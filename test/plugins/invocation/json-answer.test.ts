import { expect } from 'chai';
import { readJson } from '../../../plugins/invocation/calling/json-answer.ts';
import { processorMs } from '../../support/processor-time.ts';

const MIB = 1 << 20;
const LONGEST_MS = 500;

const read = (text: string) => readJson(Buffer.from(text));

describe('reading the JSON of an endpoint', () => {
  it('refuses numbers that are too large, and those alone', () => {
    const tooLarge = [`[${'9'.repeat(309)}]`, `{"a":-${'9'.repeat(400)}}`, '1e309', '[1E+999]'];
    expect(tooLarge.filter((text) => !('fault' in read(text)))).to.deep.equal([]);
    const fine = [`[${'9'.repeat(299)}]`, `[${'1'.repeat(308)}]`, '1e308', `0.${'1'.repeat(400)}`, '1e-999'];
    expect(fine.filter((text) => !('value' in read(text)))).to.deep.equal([]);
  });

  const array = (count: number, part: string): string => `[${Array(count).fill(part).join()}]`;
  const keys = (count: number): string => JSON.stringify(Object.fromEntries(Array(count).fill(0).entries()));

  for (const [what, text, fault] of [
    ['nesting', '['.repeat(65) + ']'.repeat(65), 'is nested more than 64 levels deep'],
    ['arrays and objects', array(50_000, '[{}]'), 'has more than 100000 arrays and objects'],
    ['keys', keys(100_001), 'has more than 100000 keys'],
    ['strings', array(250_001, '"a"'), 'has more than 250000 strings'],
  ] as const) {
    it(`refuses what would hold up everybody else: too many ${what}`, () => {
      expect(read(text)).to.deep.equal({ fault: `its JSON ${fault}.` });
    });
  }

  it('takes large tables, pictures, embeddings and lists of words', () => {
    const row = JSON.stringify({ name: 'x', x: 1, y: 2.5 });
    const texts = [
      array(33_333, row),
      array(1000, array(1000, '255')),
      array(2000, array(384, '0.123456789')),
      array(250_000, '"word"'),
      keys(100_000),
    ];
    for (const text of texts) expect(read(text)).to.deep.equal({ value: JSON.parse(text) as unknown });
  });

  it('does not take brackets, quotes and colons in strings for parts', () => {
    const text = JSON.stringify({ a: '[{"a":'.repeat(100_000), b: '\\"', c: '\\' });
    expect(read(text)).to.deep.equal({ value: JSON.parse(text) as unknown });
  });

  it('takes no more than a moment for 8 MiB of long numbers', () => {
    const number = '1'.repeat(299);
    const body = Buffer.from(`[${Array.from({ length: (8 * MIB) / 300 - 1 }, () => number).join()}]`);
    expect(processorMs(() => expect(readJson(body)).to.have.property('value'))).to.be.lessThan(LONGEST_MS);
  });
});
