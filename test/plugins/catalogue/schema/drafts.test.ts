import { expect } from 'chai';
import { faultsOf, openValidator, type ValidatorUnderTest } from '../support/validator.ts';

const DRAFT_06 = 'http://json-schema.org/draft-06/schema#';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

describe('A schema of an older draft', () => {
  let under: ValidatorUnderTest;
  before(() => {
    under = openValidator({ compileMs: 5_000, checkMs: 5_000 });
  });
  after(() => under.stop());

  const names = [
    DRAFT_06,
    DRAFT_07,
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
    DRAFT_2019,
    'https://json-schema.org/draft/2020-12/schema#',
  ];
  for (const $schema of names) {
    it(`is accepted where it means the same: ${$schema}`, async () => {
      const schema = {
        $schema,
        $ref: '#/definitions/Order',
        definitions: {
          Order: {
            type: 'object',
            properties: { id: { type: 'integer', exclusiveMinimum: 0 } },
            required: ['id'],
          },
        },
      };
      expect(await faultsOf(under.validator, schema)).to.deep.equal([]);
      const check = under.validator.checkFor(schema);
      expect(await check({ id: 1 })).to.deep.equal([]);
      expect(await check({ id: 0 })).to.have.length(1);
    });
  }

  it('may describe what it refers to', async () => {
    const schema = {
      $schema: DRAFT_07,
      $ref: '#/definitions/a',
      title: 'A',
      default: 1,
      definitions: { a: {} },
    };
    expect(await faultsOf(under.validator, schema)).to.deep.equal([]);
  });

  for (const $schema of [DRAFT_07, DRAFT_2019, undefined]) {
    it(`may list its items${$schema === undefined ? ', also where it is not named' : ` (${$schema})`}`, async () => {
      const schema = {
        ...($schema === undefined ? {} : { $schema }),
        properties: { at: { items: [{ type: 'number' }, { pattern: '^a' }], additionalItems: false } },
      };
      expect(await faultsOf(under.validator, schema)).to.deep.equal([]);
      const check = under.validator.checkFor(schema);
      expect(await check({ at: [1, 'a'] })).to.deep.equal([]);
      expect(await check({ at: [1, 'a', 2] })).to.have.length(1);
      expect(await check({ at: [1, 'b'] })).to.have.length(1);
    });
  }

  it('is checked below lists of items', async () => {
    const schema = { $schema: DRAFT_07, items: [{ pattern: '(a)\\1' }], additionalItems: { type: 'float' } };
    expect((await faultsOf(under.validator, schema)).join()).to.match(
      /^\/items\/0\/pattern is not a pattern/,
    );
  });

  const refused: readonly (readonly [what: string, schema: object, fault: RegExp])[] = [
    [
      'a rule beside a reference, which draft-07 ignores',
      {
        $schema: DRAFT_07,
        properties: { a: { $ref: '#/definitions/a', maxLength: 3 } },
        definitions: { a: {} },
      },
      /^\/properties\/a\/maxLength means nothing beside \$ref in draft-07/,
    ],
    [
      'a keyword that draft-07 does not know',
      { $schema: DRAFT_07, items: { unevaluatedProperties: false } },
      /^\/items\/unevaluatedProperties means nothing in draft-07/,
    ],
    ['a condition in draft-06', { $schema: DRAFT_06, if: {}, then: {} }, /^\/if means nothing in draft-06/],
    [
      'a list of items in 2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{ type: 'string' }] },
      /^\/items is a list, which is called prefixItems in 2020-12/,
    ],
    [
      'prefixItems in 2019-09',
      { $schema: DRAFT_2019, prefixItems: [{}] },
      /^\/prefixItems means nothing in 2019-09/,
    ],
    [
      'recursive references of 2019-09',
      { $schema: DRAFT_2019, $recursiveRef: '#' },
      /^\/\$recursiveRef belongs/,
    ],
    [
      'an older draft inside',
      { $defs: { a: { $schema: DRAFT_07, prefixItems: [{}] } } },
      /^\/\$defs\/a\/prefixItems means nothing in draft-07/,
    ],
  ];
  for (const [what, schema, fault] of refused) {
    it(`must not have ${what}`, async () => {
      expect((await faultsOf(under.validator, schema)).join('\n')).to.match(fault);
    });
  }
});
