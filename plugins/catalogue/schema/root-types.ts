import { isObject, type JsonObject } from './json.ts';

type Types = ReadonlySet<string>;

const ALL: Types = new Set(['object', 'array', 'string', 'number', 'boolean', 'null']);
const OBJECT: Types = new Set(['object']);
/** Keywords of objects only: who writes one without `type` means objects. */
const OF_OBJECTS = ['properties', 'patternProperties', 'additionalProperties', 'required', 'propertyNames'];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const both = (one: Types, other: Types): Types => new Set([...one].filter((type) => other.has(type)));
const any = (list: readonly Types[]): Types => new Set(list.flatMap((types) => [...types]));

/** The types of values that a schema allows, as far as its own keywords and the references in it tell. */
class RootTypes {
  readonly #root: JsonObject;
  /** Types by schema; a schema that is read again while it is being read refers to itself. */
  readonly #known = new Map<unknown, Types>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  of(schema: unknown): Types {
    if (schema === false) return new Set();
    if (!isObject(schema)) return ALL;
    const known = this.#known.get(schema);
    if (known) return known;
    this.#known.set(schema, ALL);
    const types = this.#ofKeywords(schema).reduce(both, ALL);
    this.#known.set(schema, types);
    return types;
  }

  #ofKeywords(schema: JsonObject): Types[] {
    const { type, enum: choice, allOf, $ref } = schema;
    const found: Types[] = [];
    if (type !== undefined) found.push(named([type].flat(), schema));
    if (Array.isArray(choice)) found.push(new Set(choice.map(typeOf)));
    if ('const' in schema) found.push(new Set([typeOf(schema['const'])]));
    if (Array.isArray(allOf)) found.push(...allOf.map((inner) => this.of(inner)));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) found.push(any(branches.map((inner) => this.of(inner))));
    }
    if (typeof $ref === 'string') found.push(this.of(this.#target($ref)));
    const isSilent = found.every((types) => types === ALL);
    if (isSilent && OF_OBJECTS.some((keyword) => keyword in schema)) found.push(OBJECT);
    return found;
  }

  /** What a reference by JSON pointer leads to; one by name tells nothing here. */
  #target($ref: string): unknown {
    if (!/^#(?:\/|$)/.test($ref)) return undefined;
    const names = decoded($ref.slice(1)).split('/').slice(1);
    return names.reduce<unknown>((at, name) => {
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      return at !== null && typeof at === 'object' && Object.hasOwn(at, key)
        ? (at as JsonObject)[key]
        : undefined;
    }, this.#root);
  }
}

function named(types: readonly unknown[], { nullable }: JsonObject): Types {
  const all = types.map((type) => (type === 'integer' ? 'number' : String(type)));
  return new Set(nullable === true ? [...all, 'null'] : all);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether an object can satisfy a schema, judged by the types that its root allows. */
export function allowsObjects(schema: JsonObject): boolean {
  return new RootTypes(schema).of(schema).has('object');
}

/** Whether a schema is one of objects only. */
export function isOfObjects(schema: JsonObject): boolean {
  return [...new RootTypes(schema).of(schema)].join() === 'object';
}
