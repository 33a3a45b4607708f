type Schema = Record<string, unknown>;

/** A schema, and a value that is meant to make checking it slow. */
export interface Bomb {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (index) => [`n${index}`, make(index)]));

/** Each definition applies the next one twice: two to the power of `levels` applications. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf' | 'oneOf'): Schema {
  const next = (level: number) => ({ $ref: `#/$defs/n${level + 1}` });
  const $defs = named(levels + 1, (level) =>
    level < levels ? { [keyword]: [next(level), next(level)] } : { type: 'string' },
  );
  return { $ref: '#/$defs/n0', $defs };
}

/** Two definitions that apply each other to every level of a value, twice. */
export function branching(keyword: 'anyOf' | 'allOf'): Schema {
  const inner = (name: string) => ({ properties: { next: { $ref: `#/$defs/${name}` } } });
  return {
    $ref: '#/$defs/a',
    $defs: {
      a: { [keyword]: [inner('a'), inner('b')] },
      b: { [keyword]: [inner('b'), inner('a')] },
    },
  };
}

export function nested(levels: number, innermost: unknown): unknown {
  return times(levels, () => 0).reduce<unknown>((inside) => ({ next: inside }), innermost);
}

const refBombs: Bomb[] = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
  [16, 20, 24, 28, 32, 40, 60, 100].map((levels) => ({
    name: `${levels} levels of doubled references in ${keyword}`,
    schema: doubling(levels, keyword),
    value: 1,
  })),
);

const recursionBombs: Bomb[] = [
  { name: 'a reference to itself', schema: { $ref: '#' }, value: 1 },
  {
    name: 'a circle of references',
    schema: { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    value: 1,
  },
  { name: 'a dynamic reference to itself', schema: { $dynamicAnchor: 'a', $dynamicRef: '#a' }, value: 1 },
  { name: 'a negated reference to itself', schema: { not: { $ref: '#' } }, value: 1 },
  ...(['anyOf', 'allOf'] as const).flatMap((keyword) =>
    [20, 40, 60].map((levels) => ({
      name: `branches of ${keyword} over ${levels} levels`,
      schema: branching(keyword),
      value: nested(levels, { next: 1 }),
    })),
  ),
];

const patternBombs: Bomb[] = [
  '^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(x+x+)+y', '^(.*a){20}$', '^((a*)*)*$', '(.*){1,32}[bc]', '^(([a-z])+.)+[A-Z]([a-z])+$',
  '([a-zA-Z]+)*$', '^(\\w+\\s?)*$', '^(a?){50}a{50}$', '(a{0,200}){0,5}b',
].flatMap((pattern) => [
  { name: `the pattern ${pattern}`, schema: { pattern }, value: `${'a'.repeat(50_000)}!` },
  { name: `the pattern ${pattern} for names`, schema: { patternProperties: { [pattern]: false } }, value: named(2_000, () => 'a') },
  { name: `the pattern ${pattern} for many items`, schema: { items: { pattern } }, value: times(2_000, () => `${'a'.repeat(60)}!`) },
]); // oxfmt-ignore

const sizeBombs: Bomb[] = [
  { name: 'many parts', schema: { enum: times(5_000, (n) => n) }, value: 1 },
  { name: 'a long text', schema: { description: 'x'.repeat(200_000) }, value: 1 },
  { name: 'many levels', schema: nested(60, {}) as Schema, value: 1 },
  { name: 'many fields', schema: { properties: named(900, () => ({ type: 'string' })) }, value: {} },
  { name: 'many alternatives', schema: { anyOf: times(600, (n) => ({ const: n })) }, value: times(1_000, () => 1) },
  { name: 'a wide condition', schema: times(25, () => 0).reduce<Schema>((inner) => ({ if: inner, then: inner }), { type: 'string' }), value: 1 },
  { name: 'many patterns', schema: { patternProperties: named(600, () => ({ type: 'string' })) }, value: named(600, () => 1) },
  { name: 'a repetition of repetitions', schema: { pattern: '((a{100}){100}){100}' }, value: 'a' },
  { name: 'large repetitions', schema: { allOf: times(200, (n) => ({ pattern: `[a-z]{0,${800 + n}}x` })) }, value: 'a'.repeat(5_000) },
]; // oxfmt-ignore

const costBombs: Bomb[] = [1_000, 5_000, 20_000].flatMap((count) => [
  { name: `${count} unique objects`, schema: { uniqueItems: true }, value: times(count, (n) => ({ a: { b: n } })) },
  { name: `${count} unique lists`, schema: { items: { type: 'array' }, uniqueItems: true }, value: times(count, (n) => [0, 0, 0, n]) },
  { name: `${count} items under many rules`, schema: { items: { allOf: times(300, (n) => ({ minimum: -n })) } }, value: times(count, (n) => n) },
  { name: `${count} items in long lists`, schema: { items: { enum: times(1_500, (n) => `v${n}`) } }, value: times(count, () => 'v1499') },
  { name: `${count} items that contain nothing`, schema: { contains: { anyOf: times(200, (n) => ({ const: { n } })) } }, value: times(count, () => ({ n: -1 })) },
  { name: `${count} names under many patterns`, schema: { patternProperties: Object.fromEntries(times(100, (n) => [`^(x?)*${n}$`, {}])) }, value: named(count, () => 1) },
  { name: `${count} fields that nothing evaluated`, schema: { allOf: times(100, (n) => ({ properties: { [`n${n}`]: {} } })), unevaluatedProperties: { type: 'string' } }, value: named(count, () => 'x') },
  { name: `${count} faults`, schema: { items: { type: 'string' } }, value: times(count, (n) => n) },
]); // oxfmt-ignore

const names = named(9_990, () => 1);
const text = 'é'.repeat(600_000);
/** No text of theirs is suspicious; it is the value that is large. */
const valueBombs: Bomb[] = [
  { name: 'one of many objects', schema: { enum: times(1_900, () => ({})) }, value: names },
  { name: 'one of many lists', schema: { enum: times(900, () => [{}]) }, value: [names] },
  { name: 'counting the same names', schema: { allOf: times(62, () => ({ minProperties: 1, maxProperties: 20_000 })) }, value: names },
  { name: 'counting the same letters', schema: { allOf: times(62, () => ({ minLength: 1, maxLength: 9_000_000 })) }, value: text },
  { name: 'reading the same letters', schema: { anyOf: times(62, () => ({ format: 'uri' })) }, value: `a:${text}` },
]; // oxfmt-ignore

export const bombs: readonly Bomb[] = [
  ...refBombs,
  ...recursionBombs,
  ...patternBombs,
  ...sizeBombs,
  ...costBombs,
  ...valueBombs,
];
