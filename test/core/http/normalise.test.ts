import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { compileNormaliser } from '../../../core/http/validation/normalise.ts';
import { shapeOf } from '../../../core/http/validation/schema-shape.ts';
import { jsonObject, nullable } from '../../../core/http/validation/schemas.ts';

const Part = Type.Object({ size: Type.Optional(Type.Number()), kind: Type.Enum(['a', 'b']) });

const Body = Type.Object({
  name: Type.String({ format: 'name' }),
  count: Type.Optional(Type.Integer()),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  either: Type.Optional(Type.Union([Type.Literal('x'), Type.Literal(1)])),
  note: Type.Optional(nullable(Type.String())),
  part: Type.Optional(Part),
  other: Type.Optional(nullable(Part)),
  parts: Type.Optional(Type.Array(Part)),
  byName: Type.Optional(Type.Record(Type.String(), Part)),
  anything: Type.Optional(Type.Unknown()),
  free: Type.Optional(jsonObject()),
});

function normalised(schema: TSchema, body: unknown): unknown {
  return compileNormaliser(shapeOf(schema))!(body);
}

describe('what a body gives', () => {
  for (const [title, body, given] of [
    ['not an optional field that is null', { count: null, kind: null, either: null, part: null }, {}],
    ['null where the field can be null', { note: null, other: null }, { note: null, other: null }],
    ['null where the field can be anything', { anything: null }, { anything: null }],
    ['a required field that is null, which is refused then', { name: null }, { name: null }],
    ['not what is null within a field', { part: { size: null, kind: 'a' } }, { part: { kind: 'a' } }],
    ['not what is null within a field that can be null', { other: { size: null } }, { other: {} }],
    [
      'not what is null within a list',
      { parts: [{ size: null }, { size: 1 }] },
      { parts: [{}, { size: 1 }] },
    ],
    ['not what is null within a map', { byName: { x: { size: null } } }, { byName: { x: {} } }],
    ['what is null in a free-form object', { free: { a: null } }, { free: { a: null } }],
    ['names without white space around', { name: '\u3000a b\n' }, { name: 'a b' }],
    ['other values as they are', { name: 5, count: 0, part: 'x' }, { name: 5, count: 0, part: 'x' }],
  ] as const) {
    it(`is ${title}`, () => expect(normalised(Body, structuredClone(body))).to.deep.equal(given));
  }

  it('is the body itself when a schema has no optional fields and no names', () => {
    expect(compileNormaliser(shapeOf(Type.Object({ text: Type.String() })))).to.equal(undefined);
  });
});
