import { expect } from 'chai';
import { allowsObjects, isOfObjects } from '../../../../plugins/catalogue/schema/root-types.ts';

type Schema = Record<string, unknown>;

const ofObjects: readonly Schema[] = [
  { type: 'object' },
  { type: ['object'] },
  { properties: { a: {} } },
  { required: ['a'] },
  { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } },
  { $ref: '#/definitions/List%3Cnumber%3E', definitions: { 'List<number>': { type: 'object' } } },
  { allOf: [{ type: ['object', 'array'] }, { type: ['object', 'string'] }] },
  { anyOf: [{ type: 'object' }, { properties: {} }] },
  { oneOf: [{ $ref: '#/$defs/a' }, { type: 'object' }], $defs: { a: { const: { b: 1 } } } },
  { enum: [{}, { a: 1 }] },
];

const ofOthers: readonly Schema[] = [
  { type: 'array', items: { type: 'number' } },
  { type: ['string', 'null'] },
  { enum: ['cat', 'dog'] },
  { const: null },
  { $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } },
  { allOf: [{ type: ['object', 'array'] }, { type: 'array' }] },
  { anyOf: [{ type: 'array' }, false] },
];

const ofBoth: readonly Schema[] = [
  {},
  { description: 'anything' },
  { type: ['object', 'array'] },
  { type: 'object', nullable: true },
  { anyOf: [{ type: 'object' }, { type: 'array' }] },
  { $ref: '#' },
  { anyOf: [{ $ref: '#' }, { type: 'array' }] },
  { $ref: '#/$defs/nothing' },
  { $ref: 'other' },
];

describe('The root of a schema', () => {
  for (const schema of ofObjects) {
    it(`is one of objects only: ${JSON.stringify(schema)}`, () => {
      expect([isOfObjects(schema), allowsObjects(schema)]).to.deep.equal([true, true]);
    });
  }

  for (const schema of ofOthers) {
    it(`allows no objects: ${JSON.stringify(schema)}`, () => {
      expect([isOfObjects(schema), allowsObjects(schema)]).to.deep.equal([false, false]);
    });
  }

  for (const schema of ofBoth) {
    it(`allows objects and others: ${JSON.stringify(schema)}`, () => {
      expect([isOfObjects(schema), allowsObjects(schema)]).to.deep.equal([false, true]);
    });
  }

  it('is judged in no time where references double', () => {
    const levels = Array.from({ length: 60 }, (_, level) => {
      const next = { $ref: `#/$defs/n${level + 1}` };
      return [`n${level}`, { anyOf: [next, next] }] as const;
    });
    const schema = { $ref: '#/$defs/n0', $defs: { ...Object.fromEntries(levels), n60: { type: 'object' } } };
    expect(isOfObjects(schema)).to.equal(true);
  });
});
