import type { TSchema } from 'typebox';
import type { FieldError } from '../../errors/problem.ts';
import { ValidationFailed } from '../../errors/core-problems.ts';
import { summary } from './body-check.ts';
import type { Compiler } from './schema-compiler.ts';
import { shapeOf, typesOf, type SchemaShape } from './schema-shape.ts';
import { fieldErrors } from './validation-errors.ts';

/** Returns the values of a query string, or throws `ValidationFailed`. */
export type QueryReader = (query: string) => unknown;

/** `_` makes an address unique for caches, and `utm_…` says where a visitor comes from. */
const IGNORED_NAME = /^(_|utm_.*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Coerces text to the type of its schema where that is unambiguous. Blank values count as not given, except that the bare
 * name of a boolean means true. Repeated and unknown names are refused; `_` and `utm_…` are ignored.
 */
export function compileQuery(schema: TSchema, compiler: Compiler): QueryReader {
  const validate = compiler.compile(schema);
  const properties = shapeOf(schema).properties ?? {};
  return (query) => {
    const { values, errors } = readValues(query, properties);
    if (!validate(values)) errors.push(...fieldErrors(validate.errors ?? [], '/query'));
    if (errors.length > 0) throw ValidationFailed(summary(errors.length, 'query'), { errors });
    return values;
  };
}

/** For routes that declare no query. */
export const refuseQuery: QueryReader = (query) => {
  if (query === '') return undefined;
  const { errors } = readValues(query, {});
  if (errors.length > 0) throw ValidationFailed(summary(errors.length, 'query'), { errors });
  return undefined;
};

/** For pages, which ignore their query. */
export const ignoreQuery: QueryReader = () => undefined;

interface QueryValues {
  readonly values: Record<string, unknown>;
  readonly errors: FieldError[];
}

function readValues(query: string, properties: Readonly<Record<string, SchemaShape>>): QueryValues {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  if (query === '') return { values, errors };
  const bare = new Set(query.split('&'));
  for (const [name, text] of new URLSearchParams(query)) {
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = shape && isFlag(bare, name, shape) ? 'true' : text;
    if (shape ? value.trim() === '' : IGNORED_NAME.test(name)) continue;
    const fault = shape ? take(values, name, value, shape) : unknownName(properties);
    if (fault) errors.push({ pointer: `/query/${pointerPart(name)}`, message: fault });
    if (errors.length >= 50) break;
  }
  return { values, errors };
}

/** Whether a name alone, without `=`, says true: `/readyz?verbose`. */
function isFlag(bare: ReadonlySet<string>, name: string, shape: SchemaShape): boolean {
  return bare.has(name) && typesOf(shape).includes('boolean');
}

function unknownName(properties: Readonly<Record<string, SchemaShape>>): string {
  const known = Object.keys(properties);
  return known.length > 0
    ? `is not known here. Known are: ${known.join(', ')}.`
    : 'is not known here: there is no query.';
}

/** Stores a value under its name; returns what is wrong with it. */
function take(
  values: Record<string, unknown>,
  name: string,
  text: string,
  shape: SchemaShape,
): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL.';
  if (typesOf(shape).includes('array')) {
    const items = typeof shape.items === 'object' ? shape.items : {};
    ((values[name] ??= []) as unknown[]).push(coerce(text, items));
    return undefined;
  }
  if (Object.hasOwn(values, name)) return 'is given more than once.';
  values[name] = coerce(text, shape);
  return undefined;
}

function coerce(text: string, shape: SchemaShape): unknown {
  const types = typesOf(shape);
  if ((types.includes('integer') || types.includes('number')) && NUMBER.test(text)) return Number(text);
  if (types.includes('boolean')) {
    if (text === 'true') return true;
    if (text === 'false') return false;
  }
  return text;
}

function pointerPart(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
