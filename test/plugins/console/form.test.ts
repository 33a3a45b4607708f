import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';
import { schemaDocuments } from '../catalogue/support/schema-documents.ts';

describe('the form of the console', () => {
  type Check = (value: unknown) => ReadonlyMap<string, string>;
  let checkOf: (schema: unknown) => Check;
  let drawnSchema: (schema: unknown) => { readonly properties?: Record<string, unknown> } | undefined;
  let initialValues: (version: object, example: undefined) => unknown;
  let readValues: (json: string) => {
    readonly fault?: string;
    readonly values?: { readonly input: unknown };
  };
  let parseNumbers: (typed: string) => unknown;
  before(async () => {
    ({ checkOf, drawnSchema, initialValues, readValues, parseNumbers } = await loadConsoleModules(
      'playground/form/checking.ts',
      'playground/form/drawing.ts',
      'playground/values.ts',
      'playground/json-values.ts',
      'playground/lists.ts',
    ));
  });

  const faultsOf = (schema: unknown, value: unknown) => Object.fromEntries(checkOf(schema)(value));
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

  describe('checks values before a call', () => {
    for (const { tool, name, schema, valid, invalid } of schemaDocuments) {
      it(`and refuses none that the service takes, for ${tool}: ${name}`, () => {
        const check = checkOf(JSON.parse(schema));
        for (const value of valid) expect([...check(value)], JSON.stringify(value)).to.deep.equal([]);
        // Formats are the service's alone, and so are integers that JSON.parse rounds.
        if (invalid.length > 0) expect(invalid.some((value) => check(value).size > 0)).to.equal(true);
      });
    }

    it('and names the field that is missing, not known, or of the wrong type', () => {
      const schema = object(
        { n: { type: 'integer' } },
        { required: ['n', 'a/b'], additionalProperties: false },
      );
      expect(faultsOf(schema, { n: 'x', m: 1 })).to.deep.equal({
        '/a~1b': 'is needed.',
        '/n': 'must be a whole number.',
        '/m': 'is not known here.',
      });
    });

    it('and tells the faults of the kind that was meant', () => {
      const circle = object(
        { kind: { const: 'circle' }, r: { type: 'number', minimum: 0 } },
        { required: ['kind', 'r'] },
      );
      const square = object(
        { kind: { const: 'square' }, side: { type: 'number' } },
        { required: ['kind', 'side'] },
      );
      const schema = object(
        { shape: { oneOf: [{ $ref: '#/$defs/circle' }, square] } },
        { $defs: { circle } },
      );
      expect(faultsOf(schema, { shape: { kind: 'circle', r: -1 } })).to.deep.equal({
        '/shape/r': 'must be at least 0.',
      });
      expect(faultsOf(schema, { shape: 3 })).to.deep.equal({ '/shape': 'fits none of the kinds.' });
    });

    it('and leaves a schema that it cannot read to the service', () => {
      expect(faultsOf(object({ a: { $ref: '#/$defs/none' } }), { a: 1 })).to.deep.equal({});
    });
  });

  describe('draws', () => {
    const drawn = (field: unknown, more: object = {}) =>
      drawnSchema(object({ field }, more))?.properties?.['field'];

    it('a value that may be null as the value itself', () => {
      expect(
        drawn({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], title: 'Top' }),
      ).to.deep.equal({
        type: 'integer',
        minimum: 1,
        title: 'Top',
        'x-nullable': true,
      });
    });

    it('values with titles as one choice', () => {
      const field = { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] };
      expect(drawn(field)).to.deep.equal({
        type: 'string',
        'x-values': ['a', 'b'],
        'x-names': ['First', 'b'],
      });
    });

    it('what may be anything as JSON', () => {
      for (const field of [
        true,
        {},
        { type: 'object' },
        { type: 'array' },
        { $ref: 'https://example.org/x' },
      ]) {
        expect(drawn(field)).to.have.property('x-json', true);
      }
    });

    it('nothing where a schema has no fields', () => {
      for (const schema of [{}, { type: 'object' }, { $ref: '#/$defs/x' }, { $ref: '#' }, { not: {} }]) {
        expect(drawnSchema(schema)).to.equal(undefined);
      }
    });
  });

  it('holds the example, what must be there, and the defaults', () => {
    const input_schema = object(
      {
        text: { type: 'string' },
        k: { type: 'integer', default: 3 },
        mode: { enum: ['fast', 'good'] },
        deep: object({ a: { type: 'string', default: 'x' } }, { required: ['a'] }),
        more: object({ a: { type: 'string' } }, { required: ['a'] }),
      },
      { required: ['text', 'mode', 'deep'], examples: [{ text: 'Hello' }] },
    );
    const params = { depth: { type: 'int', default: 2, min: 1, max: 9 } };
    expect(initialValues({ input_schema, params }, undefined)).to.deep.equal({
      input: { text: 'Hello', k: 3, mode: 'fast', deep: { a: 'x' } },
      params: { depth: 2 },
    });
  });

  it('keeps a whole number that would lose digits as it was written, and says so in JSON', () => {
    expect(parseNumbers('1, 9007199254740993, 9007199254740992')).to.deep.equal([
      1,
      '9007199254740993',
      9007199254740992,
    ]);
    expect(readValues('{"input_data":{"n":9007199254740993}}').fault).to.contain(
      '9007199254740993 has more digits',
    );
    expect(readValues('{"input_data":{"n":"9007199254740993"}}').values?.input).to.deep.equal({
      n: '9007199254740993',
    });
  });
});
