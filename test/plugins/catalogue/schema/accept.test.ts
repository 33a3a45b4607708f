import { expect } from 'chai';
import { faultsOf, openValidator, type ValidatorUnderTest } from '../support/validator.ts';

/** A schema that is `levels` deep. */
function deep(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 1; level < levels; level += 2) schema = { properties: { a: schema } };
  return schema;
}

const manyProperties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, true]));

describe('A schema when it is saved', () => {
  let under: ValidatorUnderTest;
  before(() => {
    under = openValidator({ compileMs: 5_000, checkMs: 5_000 });
  });
  after(() => under.stop());

  const accepted: [string, object][] = [
    ['nothing', {}],
    [
      'an object with required fields',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    ['the dialect by name', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
    [
      'an identity at the top',
      { $id: 'https://example.org/x.json', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } },
    ],
    [
      'identities within, and references to them',
      { $ref: 'node', $defs: { node: { $id: 'node', properties: { next: { $ref: 'node' } } } } },
    ],
    ['an empty choice', { properties: { a: { enum: [] } } }],
    ['"nullable" beside a reference', { nullable: true, allOf: [{ $ref: '#/$defs/V' }], $defs: { V: {} } }],
    ['"nullable" beside a type that allows null', { type: ['string', 'null'], nullable: false }],
    ['"id" as of an older draft', { id: 'x', $defs: { a: { id: '#a', type: 'string' } } }],
    ['local references', { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }],
    ['references to anchors', { properties: { a: { $ref: '#here' } }, $defs: { a: { $anchor: 'here' } } }],
    [
      'a recursive structure',
      { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } },
    ],
    ['patterns', { pattern: '^[a-z]+\\d{2,4}$', patternProperties: { '^x-': { type: 'string' } } }],
    [
      'a property that is called like a keyword',
      { properties: { $ref: { type: 'string' }, pattern: { type: 'string' } } },
    ],
    ['data that looks like a rule', { const: { $ref: 'https://example.org' }, default: { pattern: '(?=' } }],
    ['words that no dialect knows', { type: 'object', 'x-order': 1, widget: 'slider', format: 'image' }],
    ['as many parts as are allowed', { properties: manyProperties(1_998) }],
    ['as many levels as are allowed', deep(31)],
  ];
  const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', '__proto__'];
  for (const word of inherited) {
    const schema = (value: string) => JSON.parse(`{"not": {"${word}": ${value}}, "${word}": ${value}}`);
    accepted.push([`the unknown word ${word} with text`, schema('"a"')]);
    accepted.push([`the unknown word ${word} with an object`, schema('{"a": 1}')]);
    accepted.push([`the unknown word ${word} with what would be a bad schema`, schema('{"pattern": "(?="}')]);
  }
  for (const [what, schema] of accepted) {
    it(`may have ${what}`, async () => {
      expect(await faultsOf(under.validator, schema)).to.deep.equal([]);
    });
  }

  const refused: [string, unknown, RegExp][] = [
    ['something else than an object', [], /^ must be a JSON Schema/],
    ['a boolean', true, /^ must be a JSON Schema/],
    ['too many parts', { properties: manyProperties(1_999) }, /^ has more than 2000 parts/],
    ['too many levels', deep(33), /^ is more than 32 levels deep/],
    ['too many bytes', { description: 'ä'.repeat(33_000) }, /^ is longer than 64 kB/],
    [
      'an older dialect than draft-06',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      /^\/\$schema must be "https:/,
    ],
    [
      'a remote reference',
      { $ref: 'https://example.org/s.json' },
      /^\/\$ref must refer to a place in this schema/,
    ],
    ['a reference to a file', { items: { $ref: 'file:///etc/passwd' } }, /^\/items\/\$ref must refer/],
    ['a dynamic reference elsewhere', { not: { $dynamicRef: 'x' } }, /^\/not\/\$dynamicRef must refer/],
    [
      'a reference to nothing',
      { not: { $ref: '#/$defs/nothing' } },
      /^\/not\/\$ref must refer to a place in this schema/,
    ],
    ['a reference to itself alone', { $ref: '#' }, /refers to itself without an end/],
    [
      'the same identity twice',
      { $defs: { a: { $id: 'https://example.org/a' }, b: { $id: 'https://example.org/a', type: 'string' } } },
      /resolves to more than one schema/,
    ],
    [
      'a dynamic reference beside identities within',
      { items: { $dynamicRef: '#a' }, $defs: { a: { $id: 'https://example.org/a', $dynamicAnchor: 'a' } } },
      /^\/items\/\$dynamicRef cannot be followed in a schema that has \$id inside/,
    ],
    [
      'unevaluated items beside items that it contains',
      { contains: { type: 'string' }, unevaluatedItems: false },
      /^\/unevaluatedItems cannot be told in a schema that has contains/,
    ],
    [
      'a reference to data',
      { properties: { a: { minimum: { $data: '1/b' } } } },
      /^\/properties\/a\/minimum .*\$data/,
    ],
    ['an asynchronous keyword', { $async: true }, /^\/\$async is not a keyword/],
    [
      'a type that does not exist',
      { properties: { a: { type: 'float' } } },
      /^\/properties\/a\/type must be one of/,
    ],
    ['a bound that is no number', { minimum: '1' }, /^\/minimum must be a number/],
    ['a pattern that is none', { pattern: '(' }, /^\/pattern is not a pattern/],
    [
      'look-around',
      { items: { pattern: '(?=a)b' } },
      /^\/items\/pattern is not a pattern that can be matched in linear time/,
    ],
    ['a back-reference', { pattern: '(a)\\1' }, /^\/pattern is not a pattern/],
    [
      'a huge repetition',
      { patternProperties: { '(a{1000}){1000}': {} } },
      /^\/patternProperties\/\(a\{1000\}\)\{1000\} is not/,
    ],
  ];
  for (const [what, schema, fault] of refused) {
    it(`must not have ${what}`, async () => {
      expect((await faultsOf(under.validator, schema)).join('\n')).to.match(fault);
    });
  }

  it('is refused with one sentence for each fault, and with all of them', async () => {
    const faults = await faultsOf(under.validator, {
      type: 'objekt',
      required: 'a',
      properties: { a: { type: 'float', minimum: '1' } },
    });
    expect(faults.map((fault) => fault.split(' ')[0])).to.have.members([
      '/type',
      '/required',
      '/properties/a/type',
      '/properties/a/minimum',
    ]);
  });

  it('is refused with the faults of references and patterns among them', async () => {
    const faults = await faultsOf(under.validator, {
      type: 'objekt',
      pattern: '(',
      properties: { a: { pattern: '(?=a)b' } },
    });
    expect(faults.map((fault) => fault.split(' ')[0])).to.have.members([
      '/type',
      '/pattern',
      '/properties/a/pattern',
    ]);
    const properties = {
      a: { $ref: '#/$defs/a' },
      b: { $ref: '#/$defs/b' },
      c: { $ref: 'https://example.org/c' },
    };
    const lost = await faultsOf(under.validator, { properties, $defs: { b: {} } });
    expect(lost.map((fault) => fault.split(' ')[0])).to.have.members([
      '/properties/a/$ref',
      '/properties/c/$ref',
    ]);
  });
});
