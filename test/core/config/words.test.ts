import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { inWords } from '../../../core/config/words.ts';

describe('an expected value in words', () => {
  const cases: readonly [TSchema, string][] = [
    [Type.Integer({ minimum: 1, maximum: 9 }), 'a whole number from 1 to 9'],
    [Type.Number({ minimum: 0 }), 'a number of at least 0'],
    [Type.Boolean(), 'true or false'],
    [Type.String(), 'text'],
    [Type.String({ minLength: 8, maxLength: 256 }), 'text of 8 to 256 characters'],
    [Type.String({ minLength: 1 }), 'non-empty text'],
    [Type.String({ format: 'uri' }), 'a URL'],
    [Type.String({ maxLength: 5 }), 'text of at most 5 characters'],
    [Type.String({ description: 'a day, such as 2026-01-31' }), 'a day, such as 2026-01-31'],
    [Type.Enum(['a', 'b']), 'one of "a", "b"'],
    [Type.Union([Type.Literal('a'), Type.Literal('b')]), 'one of "a", "b"'],
    [Type.Union([Type.Boolean(), Type.Array(Type.String())]), 'true or false, or a list, each text'],
    [Type.Unsafe({ type: ['string', 'null'] }), 'text, or nothing (null)'],
  ];
  for (const [schema, words] of cases) {
    it(words, () => expect(inWords(schema)).to.equal(words));
  }
});
