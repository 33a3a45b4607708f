import type { SeededRandom } from './seeded-random.ts';

/** One operation as the OpenAPI document describes it. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly hasBody: boolean;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const NASTY_TEXTS = [
  '',
  ' ',
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '😀'.repeat(50),
  "'; DROP TABLE users_users; --",
  '../../etc/passwd',
  '%s%n',
  '<script>alert(1)</script>',
  '2026-13-45',
  '00000000-0000-7000-8000-000000000000',
  'javascript:alert(1)',
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:7f00:1]/',
  'true',
  'null',
];

const NASTY_NUMBERS = ['-1', '5', '1001', '1e9', '1e19', '1e300', '-1e300', '9223372036854775808', 'NaN'];

/** JSON texts, since some cannot be written by `JSON.stringify`. */
const NASTY_VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '1e19',
  '1e300',
  '1e400',
  '-0',
  '9223372036854775808',
  '9007199254740993',
  '1.5',
  '[]',
  '{}',
  '[[[[]]]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '"\\u0000"',
  '"\\ud800"',
  `"${'y'.repeat(3000)}"`,
  '['.repeat(70) + ']'.repeat(70),
  '{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}',
  '{"type":"string","pattern":"^(a+)+$"}',
];

const NASTY_BODIES = [
  '',
  '{',
  '[',
  '"',
  'nul',
  '{"a":}',
  '\ufeff{}',
  '{}{}',
  '{"a":1,}',
  'a=b',
  '\u0000',
  '[]',
  '7',
  '"text"',
];
const CONTENT_TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'x',
  '',
];

/** A request that is wrong in some way, or in none. */
export function malformedRequest(
  random: SeededRandom,
  operations: readonly DescribedOperation[],
): RawRequest {
  const operation = random.pick(operations);
  const method =
    random.below(20) === 0 ? random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) : operation.method;
  const path = operation.path.replaceAll(/\{[^}]+\}/g, () =>
    encodeURIComponent(wellFormed(random.pick(NASTY_TEXTS))),
  );
  const sendsBody = method !== 'GET' && (operation.hasBody ? random.below(20) > 0 : random.below(4) === 0);
  const contentType = random.pick(CONTENT_TYPES);
  return {
    method,
    path: path + queryOf(random),
    headers: sendsBody && contentType !== '' ? { 'content-type': contentType } : {},
    body: sendsBody ? bodyOf(random, operation) : undefined,
  };
}

function queryOf(random: SeededRandom): string {
  if (random.below(3) > 0) return '';
  const names = [
    'skip',
    'limit',
    'type',
    'days',
    'user_id',
    'start_date',
    'status',
    '__proto__',
    'x',
    'cursor',
  ];
  const pairs = Array.from({ length: 1 + random.below(3) }, () => {
    const value = random.pick([...NASTY_TEXTS, ...NASTY_NUMBERS]);
    return `${random.pick(names)}=${encodeURIComponent(wellFormed(value))}`;
  });
  return `?${pairs.join('&')}${random.pick(['', '&', '&&', '=', '%', '%zz'])}`;
}

function bodyOf(random: SeededRandom, { fields }: DescribedOperation): string {
  if (fields.length === 0 || random.below(5) === 0) return random.pick(NASTY_BODIES);
  const members = fields
    .filter(() => random.below(5) > 0)
    .map(
      (name) =>
        `${JSON.stringify(name)}:${random.below(3) === 0 ? plausible(random) : random.pick(NASTY_VALUES)}`,
    );
  if (random.below(4) === 0) members.push(`"role":"admin"`, `"extra":${random.pick(NASTY_VALUES)}`);
  return `{${members.join(',')}}`;
}

function plausible(random: SeededRandom): string {
  return JSON.stringify(
    wellFormed(random.pick([...NASTY_TEXTS, 'http://127.0.0.1:1/x', 'image', '1.0.0', 'name'])),
  );
}

/** `encodeURIComponent` and HTTP refuse lone surrogates before the service could. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** Reads the operations out of an OpenAPI document. */
export function operationsOf(document: {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>;
  components?: { schemas?: Record<string, { properties?: object }> };
}): readonly DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema as
        | { $ref?: string; properties?: object }
        | undefined;
      const resolved = schema?.$ref ? document.components?.schemas?.[schema.$ref.split('/').at(-1)!] : schema;
      return {
        method: method.toUpperCase(),
        path,
        fields: Object.keys(resolved?.properties ?? {}),
        hasBody: requestBody !== undefined,
      };
    }),
  );
}
