import { isObject } from '../schema/json.ts';

/** The types of JSON Schema. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
};

/** Unambiguous names of other languages for these types. */
const ALIASES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  float: 'number',
  double: 'number',
  int: 'integer',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
};

export const typeNames: readonly string[] = Object.keys(TYPES);

/** The type for a name; `undefined` for an unknown name. */
export function typeNamed(name: string): string | undefined {
  const type = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return type !== undefined && Object.hasOwn(TYPES, type) ? type : undefined;
}

export function isOfType(value: unknown, type: string): boolean {
  return TYPES[type]?.(value) ?? false;
}
