import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { schemaCompiler } from '../../../core/http/validation/schema-compiler.ts';
import { compileSerializer } from '../../../core/http/validation/serializer.ts';
import { jsonObject, named, nullable, timestamp } from '../../../core/http/validation/schemas.ts';

const written = (schema: TSchema, value: unknown): unknown =>
  JSON.parse(compileSerializer(schema, schemaCompiler())(value));

describe('serialising by the response schema', () => {
  const Inner = named('Inner', Type.Object({ a: Type.Integer(), at: Type.Optional(timestamp()) }));

  it('drops what is not declared, at every depth', () => {
    const schema = Type.Object({ inner: Inner, list: Type.Array(Inner) });
    const value = { inner: { a: 1, b: 2 }, list: [{ a: 3, password: 'x' }], other: 1 };
    expect(written(schema, value)).to.deep.equal({ inner: { a: 1 }, list: [{ a: 3 }] });
  });

  it('keeps the order of the schema', () => {
    const write = compileSerializer(Type.Object({ b: Type.Integer(), a: Type.Integer() }), schemaCompiler());
    expect(write({ a: 1, b: 2 })).to.equal('{"b":2,"a":1}');
  });

  it('leaves free-form objects whole', () => {
    const value = { free: { any: [1, { thing: null }], 'a b': 'c' } };
    expect(written(Type.Object({ free: jsonObject() }), value)).to.deep.equal(value);
  });

  it('leaves out what is undefined and writes null as null', () => {
    const schema = Type.Object({ a: nullable(Type.String()), b: Type.Optional(Type.String()) });
    expect(written(schema, { a: null, b: undefined })).to.deep.equal({ a: null });
  });

  it('cuts an object that may be null', () => {
    const schema = Type.Object({ inner: nullable(Inner) });
    expect(written(schema, { inner: { a: 1, b: 2 } })).to.deep.equal({ inner: { a: 1 } });
    expect(written(schema, { inner: null })).to.deep.equal({ inner: null });
  });

  it('cuts by the branch of a union that fits', () => {
    const schema = Type.Union([Type.String(), Type.Object({ kind: Type.Literal('x'), x: Type.Integer() })]);
    expect(written(schema, { kind: 'x', x: 1, y: 2 })).to.deep.equal({ kind: 'x', x: 1 });
    expect(written(schema, 'text')).to.equal('text');
  });

  it('fails on a value that fits no branch, because it could leak data', () => {
    const schema = Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]);
    expect(() => written(schema, { c: 1 })).to.throw('fits none');
  });

  it('cuts the values of maps', () => {
    const schema = Type.Record(Type.String(), Inner);
    expect(written(schema, { one: { a: 1, b: 2 } })).to.deep.equal({ one: { a: 1 } });
  });

  it('cuts intersections by all of their parts', () => {
    const schema = Type.Intersect([Inner, Type.Object({ c: Type.String() })]);
    expect(written(schema, { a: 1, c: 'x', d: 1 })).to.deep.equal({ a: 1, c: 'x' });
  });

  it('coerces nothing', () => {
    const schema = Type.Object({ n: Type.Number(), s: Type.String() });
    expect(written(schema, { n: '5', s: 5 })).to.deep.equal({ n: '5', s: 5 });
  });

  it('fails where the handler answered nothing', () => {
    expect(() => written(Type.Object({}), undefined)).to.throw('answered nothing');
  });
});
