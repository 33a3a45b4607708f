import { expect } from 'chai';
import { isCertainlyCheap } from '../../../../plugins/catalogue/schema/cost.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

describe('A schema that is checked on the main thread', () => {
  const cheap: [string, object][] = [
    [
      'a flat object',
      { type: 'object', properties: { a: { type: 'string', maxLength: 9 } }, required: ['a'] },
    ],
    ['a matrix of numbers', { type: 'array', items: { type: 'array', items: { type: 'number' } } }],
    [
      'an optional value',
      { properties: { a: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] } } },
    ],
    ['unique scalars', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['many texts', { properties: Object.fromEntries(names(20).map((name) => [name, { maxLength: 9 }])) }],
    ['a choice of texts', { properties: { a: { enum: names(200) } } }],
    ['a step', { properties: { a: { type: 'number', multipleOf: 0.1 } } }],
    ['annotations', { title: 'T', 'x-order': 1, nullable: true, id: 'a', contentMediaType: 'text/csv' }],
  ];
  for (const [what, schema] of cheap) {
    it(`may be that of ${what}`, () => {
      expect(isCertainlyCheap(schema as Record<string, unknown>)).to.equal(true);
    });
  }

  const costly: [string, object][] = [
    ['references', { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } }],
    ['dynamic references', { $dynamicRef: '#a' }],
    ['definitions, which are read when it is saved', { $defs: { unused: { pattern: 'a' } } }],
    ['a pattern', { properties: { a: { pattern: 'a' } } }],
    ['patterns for names', { patternProperties: { a: {} } }],
    ['unique items of any kind', { uniqueItems: true }],
    ['unique objects', { items: { type: ['string', 'object'] }, uniqueItems: true }],
    ['what depends on other rules', { unevaluatedProperties: false }],
    ['a word that is not known', { surprise: true }],
    ['many rules for each item', { items: { allOf: names(65).map(() => ({ minimum: 1 })) } }],
    ['many items that each want many names', { items: { required: names(70) } }],
    ['a long list of values for each item', { items: { enum: names(100) } }],
    ['a list of objects to choose from', { properties: { a: { enum: names(9).map((name) => ({ name })) } } }],
    ['many bounds on one length', { allOf: names(9).map((_, index) => ({ maxLength: 9 + index })) }],
    [
      'many bounds on the number of names',
      { anyOf: names(5).map(() => ({ minProperties: 1, maxProperties: 9 })) },
    ],
    ['a large value for each item', { items: { const: names(100) } }],
    ['a step for each item', { items: { multipleOf: 0.1 } }],
    ['many subschemas', { properties: Object.fromEntries(names(70).map((name) => [name, {}])) }],
  ];
  for (const [what, schema] of costly) {
    it(`has no ${what}`, () => {
      expect(isCertainlyCheap(schema as Record<string, unknown>)).to.equal(false);
    });
  }
});
