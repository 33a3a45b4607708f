import { expect } from 'chai';
import { schemaFaults } from '../../../../plugins/catalogue/schema/accept.ts';
import { compileCheck } from '../../../../plugins/catalogue/schema/compile.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A schema, and values that satisfy it and that do not. The official suite has more (`official-suite.test.ts`). */
type Case = readonly [what: string, schema: Schema, valid: readonly unknown[], invalid: readonly unknown[]];

const string = { type: 'string' };
const number = { type: 'number' };

const references: readonly Case[] = [
  [
    'an identity inside',
    { properties: { a: { $ref: 'name' } }, $defs: { x: { $id: 'name', ...string } } },
    [{ a: 'x' }],
    [{ a: 1 }],
  ],
  [
    'an identity relative to that of the document',
    {
      $id: 'https://example.org/schemas/order',
      properties: { a: { $ref: 'name' }, b: { $ref: 'https://example.org/schemas/name' } },
      $defs: { x: { $id: '/schemas/name', ...string } },
    },
    [{ a: 'x', b: 'y' }],
    [{ a: 1 }, { b: 1 }],
  ],
  [
    'its own address',
    {
      $id: 'https://example.org/order',
      properties: { next: { $ref: 'https://example.org/order#' } },
      type: 'object',
    },
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  [
    'a pointer within an identity',
    { $ref: 'outer', $defs: { o: { $id: 'outer', $ref: '#/$defs/inner', $defs: { inner: number } } } },
    [1],
    ['x'],
  ],
  [
    'an anchor within an identity',
    {
      $ref: 'urn:example:a#n',
      $defs: { o: { $id: 'urn:example:a', $defs: { inner: { $anchor: 'n', ...number } } } },
    },
    [1],
    ['x'],
  ],
  ['an unknown keyword', { $ref: '#/x-types/name', 'x-types': { name: string } }, ['x'], [1]],
  [
    'a list under an unknown keyword',
    { $ref: '#/components/schemas/A', components: { schemas: { A: { nullable: true, anyOf: [string] } } } },
    ['x'],
    [null, 1],
  ],
  ['an encoded pointer', { $ref: '#/$defs/a~1b%25%20c', $defs: { 'a/b% c': number } }, [1], ['x']],
  [
    'a dynamic anchor',
    { items: { $dynamicRef: '#n' }, $defs: { a: { $dynamicAnchor: 'n', ...number } } },
    [[1]],
    [['x']],
  ],
  [
    'a dynamic reference beside a reference',
    {
      $ref: '#/$defs/s',
      $dynamicRef: '#n',
      $defs: { s: { minimum: 1 }, a: { $dynamicAnchor: 'n', maximum: 3 } },
    },
    [2],
    [0, 4],
  ],
];

const annotations: readonly Case[] = [
  ['"nullable" beside a type allows null', { type: 'string', nullable: true }, ['x', null], [1]],
  ['"nullable: false" changes nothing', { type: ['string', 'null'], nullable: false }, ['x', null], [1]],
  [
    '"nullable" beside a reference',
    { nullable: true, $ref: '#/$defs/a', $defs: { a: string } },
    ['x'],
    [1, null],
  ],
  [
    'a field called "nullable"',
    { properties: { nullable: { type: 'boolean' } } },
    [{ nullable: true }],
    [{ nullable: 1 }],
  ],
  ['a value called "nullable"', { const: { nullable: true } }, [{ nullable: true }], [{}]],
  ['"id"', { id: 'x', properties: { id: { id: 'y', ...string } } }, [{ id: 'x' }], [{ id: 1 }]],
  ['an empty choice allows nothing', { properties: { a: { enum: [] } } }, [{}], [{ a: 1 }, { a: null }]],
  [
    'a choice of lists and objects',
    { enum: [[1, { a: 2, b: 3 }], 'x'] },
    [[1, { b: 3, a: 2 }], 'x'],
    [[1], { a: 2 }, 'y'],
  ],
  ['a choice of numbers', { enum: [1, 0, null, false] }, [1.0, -0, null, false], ['1', true, 'null', []]],
  ['an unknown format', { format: 'binary' }, ['x', 1], []],
  ['a known format', { format: 'date' }, ['2026-01-31', 1], ['2026-02-31']],
];

const evaluation: readonly Case[] = [
  [
    'a condition without consequences',
    { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false },
    [{ a: 1 }, {}],
    [{ a: 2 }, { a: 1, b: 1 }],
  ],
  [
    'a condition with one consequence',
    {
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      else: { properties: { kind: string, more: number } },
      unevaluatedProperties: false,
    },
    [{ kind: 'a' }, { kind: 'b', more: 1 }],
    [
      { kind: 'a', more: 1 },
      { kind: 'b', other: 1 },
    ],
  ],
  [
    'items of one alternative',
    { anyOf: [{ items: string }, true], unevaluatedItems: { type: 'boolean' } },
    [['a', 'b'], [true], []],
    [['a', true], [1]],
  ],
  [
    'items before others',
    { allOf: [{ prefixItems: [string] }], unevaluatedItems: false },
    [['a'], []],
    [['a', 'b'], [1]],
  ],
  [
    'fields of a reference',
    {
      $ref: '#/$defs/a',
      properties: { b: {} },
      unevaluatedProperties: false,
      $defs: { a: { properties: { a: {} } } },
    },
    [{ a: 1, b: 2 }],
    [{ a: 1, c: 2 }],
  ],
];

const kinds: readonly (readonly [string, readonly Case[]])[] = [
  ['A reference leads to', references],
  ['An annotation or a choice:', annotations],
  ['What was evaluated:', evaluation],
];

for (const [kind, cases] of kinds) {
  describe(kind, () => {
    for (const [what, schema, valid, invalid] of cases) {
      it(what, () => {
        expect(schemaFaults(schema, () => undefined)).to.deep.equal([]);
        const check = compileCheck(schema);
        expect(valid.filter((value) => check(value).length > 0)).to.deep.equal([]);
        expect(invalid.filter((value) => check(value).length === 0)).to.deep.equal([]);
      });
    }
  });
}
