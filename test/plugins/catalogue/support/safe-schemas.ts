import type { SeededRandom } from '../../../support/seeded-random.ts';

type Schema = Record<string, unknown>;

const NAMES = ['a', 'b', 'c', 'long name', 'x/y', '~'];
const STRINGS = ['', 'a', 'abc', 'é', '😀😀', 'a1b2', 'ABC', '2026-01-31', 'x'.repeat(20)];
const NUMBERS = [0, 1, -1, 2.5, 7, 10, 1e6, -0.125, 3];
const PATTERNS = ['^a', '[0-9]+$', '^[a-z]*$', 'b|c', '^.{2,3}$', '\\d', '^(ab?c?)+$'];

const generators: readonly ((random: SeededRandom, depth: number) => Schema)[] = [
  (random) => ({
    type: random.pick(['number', 'integer']),
    ...(random.chance(0.5) ? { minimum: random.pick(NUMBERS) } : {}),
    ...(random.chance(0.3) ? { exclusiveMaximum: random.pick(NUMBERS) } : {}),
    ...(random.chance(0.2) ? { multipleOf: random.pick([1, 2, 0.5]) } : {}),
  }),
  (random) => ({
    type: 'string',
    ...(random.chance(0.4) ? { minLength: random.below(4) } : {}),
    ...(random.chance(0.4) ? { maxLength: random.below(6) } : {}),
    ...(random.chance(0.3) ? { pattern: random.pick(PATTERNS) } : {}),
  }),
  (random) => ({ enum: [random.pick(STRINGS), random.pick(NUMBERS), null, [1, 'a']] }),
  (random) => ({ const: random.pick([...STRINGS, ...NUMBERS, true]) }),
  (random) => ({ type: random.pick([['string', 'null'], ['number', 'boolean'], 'boolean', 'null']) }),
  (random, depth) => ({
    type: 'array',
    items: schemaOf(random, depth - 1),
    ...(random.chance(0.4) ? { minItems: random.below(3) } : {}),
    ...(random.chance(0.4) ? { maxItems: random.below(5) } : {}),
    ...(random.chance(0.3) ? { uniqueItems: true } : {}),
    ...(random.chance(0.2) ? { prefixItems: [schemaOf(random, depth - 1)] } : {}),
    ...(random.chance(0.2) ? { contains: schemaOf(random, depth - 1) } : {}),
  }),
  (random, depth) => ({
    type: 'object',
    properties: Object.fromEntries(
      NAMES.slice(random.below(4)).map((name) => [name, schemaOf(random, depth - 1)]),
    ),
    ...(random.chance(0.5) ? { required: [random.pick(NAMES)] } : {}),
    ...(random.chance(0.3)
      ? { additionalProperties: random.chance(0.5) ? false : schemaOf(random, depth - 1) }
      : {}),
    ...(random.chance(0.2) ? { maxProperties: random.below(4) } : {}),
    ...(random.chance(0.2) ? { patternProperties: { '^[ab]$': schemaOf(random, depth - 1) } } : {}),
    ...(random.chance(0.2) ? { dependentRequired: { a: ['b'] } } : {}),
    ...(random.chance(0.1) ? { propertyNames: { maxLength: 1 } } : {}),
    ...(random.chance(0.1) ? { unevaluatedProperties: false } : {}),
  }),
  (random, depth) => ({
    [random.pick(['anyOf', 'allOf', 'oneOf'])]: [schemaOf(random, depth - 1), schemaOf(random, depth - 1)],
  }),
  (random, depth) => ({ not: schemaOf(random, depth - 1) }),
  (random, depth) => ({
    if: schemaOf(random, depth - 1),
    then: schemaOf(random, depth - 1),
    else: schemaOf(random, depth - 1),
  }),
  (random, depth) => ({ $ref: '#/$defs/shared', $defs: { shared: schemaOf(random, depth - 1) } }),
];

const WITHOUT_SUBSCHEMAS = 5;

/** A schema without anything that could be costly; references only where it is the whole. */
export function schemaOf(random: SeededRandom, depth = 3): Schema {
  if (depth <= 0) return random.pick(generators.slice(0, WITHOUT_SUBSCHEMAS))(random, 0);
  return random.pick(depth === 3 ? generators : generators.slice(0, -1))(random, depth);
}

/** A value of any kind, of the stuff that the schemas speak about. */
export function valueOf(random: SeededRandom, depth = 3): unknown {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return random.pick(NUMBERS);
  if (kind === 1) return random.pick(STRINGS);
  if (kind === 2) return random.pick([true, false, null]);
  if (kind === 3) return random.pick([{}, [], [1, 'a']]);
  if (kind === 4) return Array.from({ length: random.below(4) }, () => valueOf(random, depth - 1));
  const names = NAMES.filter(() => random.chance(0.5));
  return Object.fromEntries(names.map((name) => [name, valueOf(random, depth - 1)]));
}
