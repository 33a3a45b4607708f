import { expect } from 'chai';
import Type from 'typebox';
import { documentGaps } from '../../../core/http/openapi/gaps.ts';
import { routesWith, type Route } from '../../../core/http/routing/route.ts';
import { MessageAnswer } from '../../../core/http/validation/schemas.ts';

const route = routesWith({});
const name = Type.String({ description: 'What people call it.', examples: ['Ada'] });

const described = route({
  method: 'PUT',
  path: '/things/{thing_id}',
  operationId: 'updateThing',
  summary: 'Changes a thing',
  description: 'What is not named stays.',
  parameters: { thing_id: { description: 'The `id` of a thing.' } },
  access: 'user',
  query: Type.Object({ quiet: Type.Optional(Type.Boolean({ description: 'Tells no one.' })) }),
  body: Type.Object({ name }),
  answers: MessageAnswer,
  handle: () => ({ message: '' }),
});

const gaps = (...routes: readonly Route[]) => documentGaps({ id: 'demo', routes });

describe('the gaps of the OpenAPI document', () => {
  it('are empty when everything has descriptions and examples', () => {
    expect(gaps(described)).to.deep.equal([]);
  });

  for (const [what, changed, gap] of [
    ['the description of an operation', { description: undefined }, 'has no description.'],
    [
      'the description of a path parameter',
      { parameters: {} },
      'has the path parameter "thing_id" without a description in "parameters".',
    ],
    [
      'the description of a query parameter',
      { query: Type.Object({ quiet: Type.Optional(Type.Boolean()) }) },
      'has the field "query/quiet" without a description.',
    ],
    [
      'the description of a field, however deep',
      {
        body: Type.Object({
          owner: Type.Array(Type.Object({ age: Type.Integer() }), {
            description: 'Who owns it.',
            maxItems: 2,
          }),
        }),
      },
      'has the field "body/owner/age" without a description.',
    ],
    [
      'the bound of a list in a body',
      {
        body: Type.Object({
          names: Type.Array(name, { description: 'How people call it.', examples: [['Ada']] }),
        }),
      },
      'has the list "body/names" without "maxItems".',
    ],
    [
      'an example',
      { body: Type.Object({ name: Type.String({ description: 'Its name.' }) }) },
      'has no example of its body: give "examples" to "body/name".',
    ],
    [
      'an example deep in a list',
      {
        answers: Type.Object({
          thing_id: Type.String({ description: 'Its id.' }),
          owners: Type.Array(Type.Object({ name: Type.String({ description: 'Their name.' }) }), {
            description: 'Who owns it.',
          }),
        }),
      },
      'has no example of its answer: give "examples" to "answer/owners/name".',
    ],
    [
      'an example that fits',
      { example: { answer: { message: 1 } } },
      'has an example of its answer that breaks the schema at "/message": must be string.',
    ],
  ] as const) {
    it(`tell that ${what} is missing`, () => {
      expect(gaps({ ...described, ...changed } as Route)).to.deep.equal([
        `Plugin "demo": updateThing ${gap}`,
      ]);
    });
  }

  it('do not count operations that the document does not show', () => {
    expect(gaps({ ...described, description: '', hidden: true })).to.deep.equal([]);
  });
});
