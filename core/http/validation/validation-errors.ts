import type { FieldError } from '../../errors/problem.ts';
import type { ErrorObject } from './schema-compiler.ts';
import type { SchemaShape } from './schema-shape.ts';

const MOST = 50;

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  email: 'an e-mail address',
  name: 'a text in one line without invisible characters',
  uri: 'an absolute URL',
  uuid: 'a UUID',
};

/** Turns the errors of ajv into pointers and plain sentences. `location` is `/body` or `/query`. */
export function fieldErrors(errors: readonly ErrorObject[], location: string): readonly FieldError[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  // For `T` or null, the errors inside `T` replace "must be T or null".
  const expandedUnions = new Set(unions.filter((union) => hasFaultInside(union, errors)));
  const isHidden = (error: ErrorObject): boolean =>
    unions.some((union) => {
      if (!expandedUnions.has(union)) return isBelow(error, union);
      return error === union || (isBelow(error, union) && pointerOf(error) === union.instancePath);
    });
  const tooShort = new Set(
    errors.filter(({ keyword }) => keyword === 'minLength').map(({ instancePath }) => instancePath),
  );
  // A text that is too short is not also reported for its pattern.
  const isRedundant = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword === 'pattern' && tooShort.has(instancePath);
  return errors
    .filter((error) => !isHidden(error) && !isRedundant(error) && error.keyword !== 'if')
    .slice(0, MOST)
    .map((error) => ({ pointer: location + pointerOf(error), message: sentence(error) }));
}

/** Whether a union has one form beside null, and the value has faults within it. */
function hasFaultInside(union: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const forms = (union.schema as readonly SchemaShape[]).filter(({ type }) => type !== 'null');
  return (
    forms.length === 1 &&
    errors.some((error) => isBelow(error, union) && pointerOf(error) !== union.instancePath)
  );
}

function isBelow(error: ErrorObject, union: ErrorObject): boolean {
  return error.schemaPath.startsWith(`${union.schemaPath}/`);
}

function pointerOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Readonly<
    Record<string, string | undefined>
  >;
  const name = missingProperty ?? additionalProperty;
  if (name === undefined) return error.instancePath;
  return `${error.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function sentence(error: ErrorObject): string {
  return description[error.keyword]?.(error) ?? `is not acceptable: ${error.message ?? error.keyword}.`;
}

const limit = (error: ErrorObject): unknown => (error.params as { limit?: unknown }).limit;

const description: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is required.',
  additionalProperties: () => 'is not known here.',
  unevaluatedProperties: () => 'is not known here.',
  type: (error) =>
    `must be ${oneOf(listOf((error.params as { type: string | string[] }).type).map(article))}.`,
  const: (error) => `must be ${JSON.stringify(error.schema)}.`,
  enum: (error) => `must be ${oneOf((error.schema as unknown[]).map((value) => JSON.stringify(value)))}.`,
  anyOf: (error) => unionSentence(error.schema as readonly SchemaShape[]),
  oneOf: (error) => unionSentence(error.schema as readonly SchemaShape[]),
  minimum: (error) => `must be at least ${limit(error)}.`,
  maximum: (error) => `must be at most ${limit(error)}.`,
  exclusiveMinimum: (error) => `must be greater than ${limit(error)}.`,
  exclusiveMaximum: (error) => `must be less than ${limit(error)}.`,
  multipleOf: (error) => `must be a multiple of ${String(error.schema)}.`,
  minLength: (error) =>
    limit(error) === 1 ? 'must not be empty.' : `must have at least ${limit(error)} characters.`,
  maxLength: (error) => `must have at most ${limit(error)} characters.`,
  minItems: (error) => `must have at least ${limit(error)} entries.`,
  maxItems: (error) => tooManyEntries(Number(limit(error))),
  minProperties: (error) => `must have at least ${limit(error)} fields.`,
  maxProperties: (error) => `must have at most ${limit(error)} fields.`,
  uniqueItems: () => 'must not have the same entry twice.',
  format: (error) => `must be ${formats[String(error.schema)] ?? `in the format ${String(error.schema)}`}.`,
  pattern: patternSentence,
};

/** The sentence about a list that is longer than it may be. */
export const tooManyEntries = (most: number): string => `must have at most ${most} entries.`;

/** A pattern is hard to read, so the description of its schema takes its place. */
function patternSentence({ schema, parentSchema }: ErrorObject): string {
  if (schema === '\\S') return 'must not be blank.';
  const { description } = (parentSchema ?? {}) as { description?: string };
  return description === undefined
    ? `must match the pattern ${String(schema)}.`
    : `does not have the right form. ${description}`;
}

function unionSentence(branches: readonly SchemaShape[]): string {
  if (branches.every((branch) => branch.const !== undefined)) {
    return `must be ${oneOf(branches.map((branch) => JSON.stringify(branch.const)))}.`;
  }
  const types = branches.flatMap((branch) => listOf(branch.type ?? [])).map(article);
  return types.length === 0 ? 'has none of the accepted forms.' : `must be ${oneOf([...new Set(types)])}.`;
}

function article(type: string): string {
  return articles[type] ?? type;
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? (values[0] ?? '') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
