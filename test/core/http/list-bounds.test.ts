import { expect } from 'chai';
import Type from 'typebox';
import { Problem } from '../../../core/errors/problem.ts';
import { compileBody } from '../../../core/http/validation/body-check.ts';
import { schemaCompiler } from '../../../core/http/validation/schema-compiler.ts';

const schema = Type.Object({
  tags: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 20 }), Type.Null()])),
  rules: Type.Optional(
    Type.Object({ pointers: Type.Optional(Type.Array(Type.String(), { maxItems: 3, uniqueItems: true })) }),
  ),
});

describe('a list that is longer than its schema allows', () => {
  const check = compileBody(schema, schemaCompiler());
  const errorsOf = (body: unknown) => {
    try {
      check(body);
    } catch (error) {
      if (error instanceof Problem) return error.extras.errors;
      throw error;
    }
    return [];
  };

  for (const [name, body, pointer, most] of [
    ['at the top', { tags: Array(500_000).fill(1) }, '/body/tags', 20],
    ['inside an object', { rules: { pointers: Array(500_000).fill(null) } }, '/body/rules/pointers', 3],
  ] as const) {
    it(`is one error, and its entries are not looked at: ${name}`, () => {
      expect(errorsOf(body)).to.deep.equal([{ pointer, message: `must have at most ${most} entries.` }]);
    });
  }

  it('is reported for each list that is too long', () => {
    const long = Array(30).fill('a');
    expect(errorsOf({ tags: long, rules: { pointers: long } })).to.have.length(2);
  });

  it('is not reported for a short list, nor for a value that is not a list', () => {
    expect(errorsOf({ tags: null, rules: { pointers: ['a', 'b', 'c'] } })).to.deep.equal([]);
    expect(errorsOf({ tags: 'text' })).to.deep.equal([
      { pointer: '/body/tags', message: 'must be an array or null.' },
    ]);
  });
});
