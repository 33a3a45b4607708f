import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { diceFor } from '../../../plugins/llm/offline/dice.ts';
import { SchemaSampler } from '../../../plugins/llm/offline/schema-sampler.ts';
import { processorMs } from '../../support/processor-time.ts';

type Schema = Record<string, unknown>;

const schemas: Readonly<Record<string, Schema>> = {
  'an object with required fields': {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    additionalProperties: false,
  },
  'a required field that is not described': { type: 'object', required: ['x'] },
  'a constant': { const: { deep: [1] } },
  'a choice': { enum: ['a', 2, null] },
  'a whole number within bounds': { type: 'integer', minimum: 7, maximum: 9 },
  'a number between exclusive bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  'a number in a hair-thin range': { type: 'number', minimum: 0.1234, maximum: 0.1235 },
  'one possible number': { type: 'number', minimum: 5, maximum: 5 },
  'a multiple': { type: 'integer', multipleOf: 7, minimum: 100, maximum: 110 },
  'a multiple of a fraction': { type: 'number', multipleOf: 0.25, minimum: -1, maximum: 1 },
  'a negative bound alone': { type: 'number', maximum: -1000 },
  'a large bound alone': { type: 'integer', minimum: 1_000_000 },
  'a bound that needs no type': { minimum: 3, maximum: 4 },
  'a long text': { type: 'string', minLength: 300, maxLength: 300 },
  'a text of one letter': { type: 'string', maxLength: 1 },
  'an empty text': { type: 'string', maxLength: 0 },
  'a pattern': { type: 'string', pattern: '^[A-Z]{2}-\\d{4}(x|y)?$' },
  'a list of bounded length': { type: 'array', minItems: 4, maxItems: 4, items: { type: 'number' } },
  'a list of at most one': { type: 'array', maxItems: 1, items: { type: 'string' } },
  'a list of different values': {
    type: 'array',
    minItems: 3,
    uniqueItems: true,
    items: { enum: [1, 2, 3, 4] },
  },
  'a tuple': {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    items: false,
    minItems: 2,
  },
  'a matrix': {
    type: 'array',
    minItems: 2,
    items: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'number', minimum: 0, maximum: 255 } },
  },
  'long texts of many letters': {
    type: 'array',
    minItems: 50,
    items: { type: 'string', pattern: '^[\u4e00-\u9fff]{1,200}$' },
  },
  'a class of a hundred ranges': {
    type: 'string',
    pattern: `^[${'!-\uffee'.repeat(100)}]{1000}$`,
  },
  'thousands of numbers': { type: 'array', minItems: 5000, items: { type: 'number', minimum: 0 } },
  'a list of types': { type: ['null', 'integer'] },
  nothing: { type: 'null' },
  'yes or no': { type: 'boolean' },
  'a reference': {
    $ref: '#/$defs/point',
    $defs: { point: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } } },
  },
  'a reference to an anchor': {
    $ref: '#here',
    $defs: { a: { $anchor: 'here', type: 'integer', minimum: 3 } },
  },
  'a reference with odd letters': { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { const: 4 } } },
  'a tree': {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        required: ['v'],
        properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/node' } },
      },
    },
  },
  'all of several': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1, maximum: 2 } } },
      { required: ['b'], properties: { b: { type: 'boolean' } } },
    ],
  },
  'the first of several': {
    anyOf: [{ type: 'object', required: ['k'], properties: { k: { const: 1 } } }, { type: 'string' }],
  },
  'one of several': {
    oneOf: [
      { type: 'integer', maximum: -1 },
      { type: 'integer', minimum: 1 },
    ],
  },
  'a field that may not be': { type: 'object', properties: { a: { type: 'string' }, never: false } },
  'as many fields as demanded': {
    type: 'object',
    minProperties: 3,
    additionalProperties: { type: 'integer' },
  },
  'an example that is given': {
    type: 'object',
    properties: { a: { type: 'string' } },
    examples: [{ a: 'given' }],
  },
  'a default that is given': { type: 'string', minLength: 3, default: 'given' },
  anything: {},
};

/** Plain checks of the formats that matter; ajv knows none by itself. */
const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\dZ$/,
  duration: /^P(T\d+M)$/,
  email: /^[a-z]+@[a-z.]+$/,
  hostname: /^[a-z.]+$/,
  ipv4: /^\d+\.\d+\.\d+\.\d+$/,
  ipv6: /^2001:db8::[0-9a-f]{1,4}$/,
  uri: /^https:\/\/[a-z.]+\/[a-z]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'json-pointer': /^\/[a-z]+$/,
};

const PROMPTS = Array.from({ length: 25 }, (_, turn) => `prompt ${turn}`);
const sampled = (schema: Schema, prompt = 'prompt') => new SchemaSampler(schema, diceFor(prompt)).sample();

describe('the schema sampler', () => {
  for (const [what, schema] of Object.entries(schemas)) {
    it(`follows ${what}, whatever the prompt`, () => {
      const check = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      const wrong = PROMPTS.map((prompt) => sampled(schema, prompt)).filter((value) => !check(value));
      expect(wrong).to.deep.equal([]);
    });
  }

  for (const [format, form] of Object.entries(formats)) {
    it(`writes the format ${format}`, () => {
      const wrong = PROMPTS.map((prompt) => sampled({ type: 'string', format }, prompt)).filter(
        (value) => !form.test(String(value)),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('answers the same prompt the same way', () => {
    const schema = schemas['a matrix']!;
    expect(sampled(schema, 'again')).to.deep.equal(sampled(schema, 'again'));
  });

  it('answers another prompt another way', () => {
    const schema = schemas['a matrix']!;
    expect(sampled(schema, 'one')).to.not.deep.equal(sampled(schema, 'two'));
  });

  it('draws an image where base64 of one is asked for', () => {
    const text = sampled({
      type: 'string',
      contentEncoding: 'base64',
      contentMediaType: 'image/png',
    }) as string;
    expect(Buffer.from(text, 'base64').toString('latin1', 1, 4)).to.equal('PNG');
  });

  it('gives fields values that their names suggest', () => {
    const value = sampled({
      type: 'object',
      properties: { email: { type: 'string' }, age: { type: 'integer' } },
    }) as Schema;
    expect([value['email'], (value['age'] as number) >= 18]).to.deep.equal([
      String(value['email']).match(/.+@.+/)?.[0],
      true,
    ]);
  });

  const bombs: Readonly<Record<string, Schema>> = {
    'a schema that refers to itself alone': { $ref: '#' },
    'references in a ring': {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    },
    'doubling alternatives': Object.fromEntries([
      ['$ref', '#/$defs/d0'],
      [
        '$defs',
        Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [
            `d${n}`,
            { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
          ]),
        ),
      ],
    ]),
    'a text of a billion letters': { type: 'string', minLength: 1e9 },
    'a billion fields': { type: 'object', minProperties: 1e9 },
    'a reference to nowhere': { $ref: '#/$defs/none' },
    'a reference elsewhere': { $ref: 'https://example.org/schema' },
    'a reference that is no text': { $ref: '#/%' },
    'keywords of the wrong type': {
      type: 'object',
      properties: 3,
      required: 'x',
      minProperties: 'y',
    } as Schema,
  };

  for (const [what, schema] of Object.entries(bombs)) {
    it(`ends soon and small on ${what}`, () => {
      let size = Infinity;
      const took = processorMs(() => (size = JSON.stringify(sampled(schema)).length));
      expect([took < 500, size < 1_000_000]).to.deep.equal([true, true]);
    });
  }

  const drawings = { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' };
  const greedy: Readonly<Record<string, Schema>> = {
    'a list of lists of itself': { type: 'array', minItems: 10, items: { $ref: '#' } },
    'doubling references': Object.fromEntries([
      ['$ref', '#/$defs/d0'],
      [
        '$defs',
        Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [
            `d${n}`,
            {
              type: 'object',
              required: ['l', 'r'],
              properties: { l: { $ref: `#/$defs/d${n + 1}` }, r: { $ref: `#/$defs/d${n + 1}` } },
            },
          ]),
        ),
      ],
    ]),
    'a billion items': { type: 'array', minItems: 1e9, items: { type: 'string' } },
    'letters without end': {
      type: 'array',
      minItems: 1000,
      items: { type: 'string', pattern: '^[a-z]{1000}$' },
    },
    'long patterns of nothing': {
      type: 'array',
      minItems: 4000,
      items: { type: 'string', pattern: `^[${'a'.repeat(490)}]$` },
    },
    'a thousand drawings': { type: 'array', minItems: 1000, items: drawings },
    'long texts': { type: 'array', minItems: 1000, items: { type: 'string', minLength: 9000 } },
    'a long text that is given a thousand times': {
      type: 'array',
      minItems: 1000,
      items: { const: 'x'.repeat(10_000) },
    },
    'thousands of fields in thousands of items': {
      type: 'array',
      minItems: 4000,
      items: { type: 'object', required: Array.from({ length: 4000 }, (_, n) => `f${n}`) },
    },
    'a long name of many values': {
      type: 'object',
      properties: { ['x'.repeat(60_000)]: { type: 'array', minItems: 4000, items: {} } },
    },
    'a thousand definitions to look through each time': {
      type: 'array',
      minItems: 4000,
      items: { $ref: '#here' },
      $defs: Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`d${n}`, {}])),
    },
    'names required again and again': {
      type: 'array',
      minItems: 100,
      items: {
        allOf: Array.from({ length: 190 }, (_, part) => ({
          required: Array.from({ length: 300 }, (_n, n) => `f${part}_${n}`),
        })),
      },
    },
  };

  for (const [what, schema] of Object.entries(greedy)) {
    it(`refuses soon ${what}`, () => {
      const took = processorMs(() =>
        expect(() => sampled(schema)).to.throw('asks for more data than is made up'),
      );
      expect(took).to.be.below(2000);
    });
  }
});
