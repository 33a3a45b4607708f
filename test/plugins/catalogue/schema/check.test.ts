import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { ValueCheck } from '../../../../plugins/catalogue/contract.ts';
import { processorMs } from '../../../support/processor-time.ts';
import { openValidator, type ValidatorUnderTest } from '../support/validator.ts';

type Schema = Record<string, unknown>;

const ENDLESS: Schema = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, level) => {
      const next = { $ref: `#/$defs/d${level + 1}` };
      return [`d${level}`, level < 40 ? { anyOf: [next, next] } : { type: 'string' }];
    }),
  ),
};

describe('Checking a value against a schema', () => {
  let under: ValidatorUnderTest;
  before(() => {
    under = openValidator({ compileMs: 2_000, checkMs: 500 });
  });
  after(() => under.stop());

  const check = (schema: Schema | null, value: unknown) => under.validator.checkFor(schema)(value);

  it('finds nothing where there is no schema', () => {
    expect([check(null, 7), check({}, 7)]).to.deep.equal([[], []]);
  });

  it('answers without a promise when the schema is certain to be cheap', () => {
    expect(check({ type: 'object' }, {})).to.deep.equal([]);
  });

  it('answers with a promise when the schema may be costly', async () => {
    const answer = check({ properties: { a: { pattern: '^a+$' } } }, { a: 'b' });
    expect(answer).to.be.instanceOf(Promise);
    expect(await answer).to.deep.equal([{ pointer: '/a', message: 'must match pattern "^a+$".' }]);
  });

  it('compiles equal schemas once', () => {
    const once: ValueCheck = under.validator.checkFor({ type: 'object', maxProperties: 3 });
    expect(under.validator.checkFor({ type: 'object', maxProperties: 3 })).to.equal(once);
  });

  it('names every fault of a value with its place, in plain words', () => {
    const schema = {
      type: 'object',
      required: ['image'],
      additionalProperties: false,
      properties: {
        image: { type: 'string' },
        k: { type: ['integer', 'null'], minimum: 1 },
        'a/b~c': { enum: ['x', 'y'] },
        mode: { const: 'fast' },
      },
    };
    expect(check(schema, { k: 'x', 'a/b~c': 'z', mode: 1, more: true })).to.deep.equal([
      { pointer: '/image', message: 'is required.' },
      { pointer: '/more', message: 'is not a known field.' },
      { pointer: '/k', message: 'must be an integer or null.' },
      { pointer: '/a~1b~0c', message: 'must be one of "x", "y".' },
      { pointer: '/mode', message: 'must be "fast".' },
    ]);
  });

  it('names at most twenty faults', () => {
    const value = Array.from({ length: 100 }, () => 'x');
    expect(check({ items: { type: 'number' } }, value)).to.have.length(20);
  });

  it('names the first fault only of a large value', () => {
    const value = Array.from({ length: 5_000 }, () => 'x');
    expect(check({ items: { type: 'number' } }, value)).to.deep.equal([
      { pointer: '/0', message: 'must be a number.' },
    ]);
  });

  it('does not mistake what every object inherits for a field', () => {
    expect(check({ required: ['constructor'] }, {})).to.have.length(1);
    expect(check({ properties: { toString: { type: 'string' } } }, {})).to.deep.equal([]);
  });

  it('tells patterns in one schema apart', async () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(await check(schema, { a: 'a', b: 'b' })).to.deep.equal([]);
    expect(await check(schema, { a: 'a', b: 'a' })).to.have.length(1);
  });

  it('follows references into deep values', async () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'number' } } };
    const value = (n: unknown) => ({ next: { next: { next: { n } } } });
    expect(await check(tree, value(1))).to.deep.equal([]);
    expect(await check(tree, value('x'))).to.deep.equal([
      { pointer: '/next/next/next/n', message: 'must be a number.' },
    ]);
  });

  const twins: readonly (readonly [items: readonly unknown[], i: number, j: number])[] = [
    [[3, 1, 2, 1], 1, 3],
    [['a', 'b', 'a'], 0, 2],
    [[0, -0], 0, 1],
    [[null, false, null], 0, 2],
    [[{ a: 1, b: [2] }, 'x', { b: [2], a: 1 }], 0, 2],
    [
      [
        [1, { a: {} }],
        [1, { a: {} }],
      ],
      0,
      1,
    ],
  ];
  for (const [items, i, j] of twins) {
    it(`finds the twins in ${JSON.stringify(items)}`, async () => {
      expect(await check({ type: 'array', uniqueItems: true }, items)).to.deep.equal([
        { pointer: '', message: `must NOT have duplicate items (items ## ${i} and ${j} are identical).` },
      ]);
    });
  }

  it('finds no twins in what only looks alike', async () => {
    const alike = [1, '1', true, 'true', null, 'null', {}, [], '{}', '[]', [1], ['1'], { a: 1 }, { a: '1' }];
    expect(await check({ uniqueItems: true }, alike)).to.deep.equal([]);
    expect(await check({ uniqueItems: false }, [1, 1])).to.deep.equal([]);
  });

  it('looks for twins among as many numbers as a body can hold in much less time than ajv by itself', () => {
    const schema = { type: 'array', items: { type: 'number' }, uniqueItems: true };
    const ofAjv = new Ajv2020().compile(schema);
    const numbers = Array.from({ length: 400_000 }, (_, index) => index + 1 / 3);
    const took = processorMs(() => expect(check(schema, numbers)).to.deep.equal([]));
    expect(took / processorMs(() => expect(ofAjv(numbers)).to.equal(true))).to.be.lessThan(0.7);
  });

  it('is stopped at the deadline, refused, counted and logged', async () => {
    const known = { counted: under.tooCostly.count, warned: under.warnings.length };
    const problem = await Promise.resolve(check(ENDLESS, 1)).catch((error) => error);
    expect(problem).to.include({ code: 'schema_too_costly', status: 422 });
    expect(under.tooCostly.count).to.equal(known.counted + 1);
    expect(under.warnings).to.have.length(known.warned + 1);
  });

  it('goes on with other schemas after one was stopped', async () => {
    await Promise.resolve(check(ENDLESS, 1)).catch(() => undefined);
    expect(await check({ pattern: '^a' }, 'b')).to.have.length(1);
  });

  it('answers many values at once', async () => {
    const answers = Array.from({ length: 30 }, async (_, n) => check({ pattern: '[02468]$' }, String(n)));
    const counts = (await Promise.all(answers)).map((findings) => findings.length);
    expect(counts).to.deep.equal(Array.from({ length: 30 }, (_, n) => n % 2));
  });

  it('refuses to queue without bounds', async () => {
    const answers = Array.from({ length: 60 }, (_, n) =>
      Promise.resolve()
        .then(() => check({ pattern: '^x' }, String(n)))
        .then(() => 'checked')
        .catch((error) => error.code as string),
    );
    const outcomes = new Set(await Promise.all(answers));
    expect(outcomes).to.deep.equal(new Set(['checked', 'overloaded']));
  });
});
