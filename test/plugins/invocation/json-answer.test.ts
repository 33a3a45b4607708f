import { expect } from 'chai';
import { readJson } from '../../../plugins/invocation/calling/http/json-answer.ts';
import { processorMs } from '../../support/processor-time.ts';

const MIB = 1 << 20;
/** Ten times what it takes; a search that begins again at each digit takes a minute. */
const LONGEST_MS = 4_000;

/** Every digit of the double that is nearest to a third. */
const THIRD = '0.333333333333333314829616256247390992939472198486328125';

const read = (text: string) => readJson(Buffer.from(text), 8 * MIB);

describe('reading the JSON of an endpoint', () => {
  for (const [text, fault] of [
    [`[1,${'9'.repeat(309)}]`, 'it has a number that is too large at /1.'],
    [`{"a":-${'9'.repeat(400)}}`, 'it has a number that is too large at /a.'],
    [`{"a":{"b":${'7'.repeat(280)}e40}}`, 'it has a number that is too large at /a/b.'],
    ['1e309', 'it has a number that is too large at its root.'],
    ['[1E+999]', 'it has a number that is too large at /0.'],
    [
      '{"a":[{}],"order_id":9007199254740993}',
      'it has an integer that would lose digits (text would keep them) at /order_id.',
    ],
    [
      '{"a/b~":[[],-12345678901234567890123]}',
      'it has an integer that would lose digits (text would keep them) at /a~1b~0/1.',
    ],
    ['[9.007199254740993e15]', 'it has a number that would lose digits (text would keep them) at /0.'],
    [
      '{"a":[{"b":0.1000000000000000055}]}',
      'it has a number that would lose digits (text would keep them) at /a/0/b.',
    ],
    ['0.3333333333333333333', 'it has a number that would lose digits (text would keep them) at its root.'],
    [`[0.${'1'.repeat(400)}]`, 'it has a number that would lose digits (text would keep them) at /0.'],
    [
      '{"a":{"b":12345678901234567.5}}',
      'it has a number that would lose digits (text would keep them) at /a/b.',
    ],
    ['[1e-999]', 'it has a number that is too small at /0.'],
    [`[-0.${'0'.repeat(400)}1]`, 'it has a number that is too small at /0.'],
    ['{"a":"\\u0000"}', 'it has a NUL character in a string at /a.'],
    ['{"a":[1,{"\\u0000":1}]}', 'it has a NUL character in a key at /a/1/.'],
    ['["","\\ud800"]', 'it has half of a surrogate pair in a string at /1.'],
  ] as const) {
    it(`names what cannot be kept of ${text.slice(0, 50)}`, () => {
      expect(read(text)).to.deep.equal({ fault });
    });
  }

  for (const [text, reason] of [
    ['{"a":[0,NaN]}', ': it contains NaN, which JSON does not allow, at /a/1'],
    ['{"a":-Infinity}', ': it contains -Infinity, which JSON does not allow, at /a'],
    ['[secret]', ': it contains a word, which JSON does not allow, at /0'],
    ['', ': it is empty'],
    [' \n', ': it is empty'],
    ['{"a":', ': it ends too early'],
    ['{"a":"b', ': it ends too early'],
    ['[1,]', ''],
  ] as const) {
    it(`says why ${JSON.stringify(text)} is no JSON`, () => {
      expect(read(text)).to.deep.equal({ fault: `it claims to be JSON but is not${reason}.` });
    });
  }

  it('accepts numbers that keep their digits, also beside text with long ones', () => {
    const fine = [
      '[9007199254740991,9007199254740992,-10000000000000000,1e308,123456789012345680000,-100000000000000000000000]',
      '[0.30000000000000004,0.1000000000000000055511151231257827,0.10000000000000001,5.6843418860808015E-14]',
      '[1.50,1.500000000000000000000,0.000000000000000000000015,0e-999,0.00000000000000000000,-0,-0.0,2.5E+3,5e-324]',
      '[123456789.12345679,9.007199254740992e15,1.7976931348623157e308,0.3333333333333333,1234567890123456.75]',
      '{"9007199254740993":"9007199254740993 \\"9007199254740993\\" 1e999"}',
    ];
    for (const text of fine) expect(read(text)).to.deep.equal({ value: JSON.parse(text) as unknown });
  });

  const array = (count: number, part: string): string => `[${Array(count).fill(part).join()}]`;
  const keys = (count: number): string => JSON.stringify(Object.fromEntries(Array(count).fill(0).entries()));

  for (const [what, text, fault] of [
    ['nesting', '['.repeat(65) + ']'.repeat(65), 'is nested more than 64 levels deep'],
    ['arrays and objects', array(MIB / 2, '[{}]'), 'has more than 1048576 arrays and objects'],
    ['keys', array(MIB / 2, '{"a":0,"b":0}') + '{"c":0}', 'has more than 1048576 keys'],
    ['keys of one object', keys(100_001), 'has an object of more than 100000 keys'],
    ['strings', array(2 * MIB + 1, '"a"'), 'has more than 2097152 strings'],
  ] as const) {
    it(`refuses what would hold up everybody else: too many ${what}`, () => {
      expect(read(text)).to.deep.equal({ fault: `its JSON ${fault}.` });
    });
  }

  it('accepts large tables, pictures, embeddings and lists of words', () => {
    const row = JSON.stringify({ name: 'x', x: 1, y: 2.5 });
    const texts = [
      array(33_333, row),
      array(1000, array(1000, '255')),
      array(512, array(512, '[0,127,255]')),
      array(100_000, row),
      array(2000, array(384, '0.123456789')),
      array(1_000_000, '"word"'),
      keys(100_000),
    ];
    for (const text of texts) expect(read(text)).to.deep.equal({ value: JSON.parse(text) as unknown });
  });

  it('takes the limits from the bytes that an answer may have', () => {
    const text = Buffer.from(array(200, '[]'));
    expect(readJson(text, 1024)).to.deep.equal({ fault: 'its JSON has more than 128 arrays and objects.' });
    expect(readJson(text, 4096)).to.have.property('value');
  });

  it('does not count brackets, quotes and colons in strings', () => {
    const text = JSON.stringify({ a: '[{"a":'.repeat(100_000), b: '\\"', c: '\\' });
    expect(read(text)).to.deep.equal({ value: JSON.parse(text) as unknown });
  });

  for (const number of [THIRD, '0.12345678901234568', '9007199254740992']) {
    it(`takes no more than a moment for 8 MiB of ${number.length} characters in each number`, () => {
      const body = Buffer.from(array(Math.floor((8 * MIB) / (number.length + 1)) - 1, number));
      expect(processorMs(() => expect(readJson(body, 8 * MIB)).to.have.property('value'))).to.be.lessThan(
        LONGEST_MS,
      );
    });
  }
});
