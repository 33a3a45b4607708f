import { asObject, type JsonObject } from '../json.ts';

/** Schemas that one schema may draw in; doubling references would draw in millions. */
const MOST_PARTS = 200;

/** A schema with its references followed, all of `allOf` and the first of its alternatives merged in. */
export function resolved(schema: unknown, root: JsonObject, budget = { parts: MOST_PARTS }): JsonObject {
  const own = asObject(schema) ?? {};
  budget.parts -= 1;
  if (budget.parts < 0) return own;
  const parts = [
    referred(own['$ref'], root),
    ...listOf(own['allOf']),
    listOf(own['anyOf'])[0],
    listOf(own['oneOf'])[0],
  ];
  const { $ref: _ref, allOf: _all, anyOf: _any, oneOf: _one, ...rest } = own;
  return parts
    .filter((part) => part !== undefined)
    .reduce<JsonObject>((whole, part) => merged(whole, resolved(part, root, budget)), rest);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a local reference names: `#`, `#/$defs/point`, or an anchor. */
function referred(reference: unknown, root: JsonObject): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const path = decoded(reference.slice(1));
  if (path === '') return root;
  if (!path.startsWith('/')) return anchored(path, root);
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>(
    (at, step) => (Object.hasOwn(Object(at), step) ? (at as JsonObject)[step] : undefined),
    root,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function anchored(name: string, root: JsonObject): unknown {
  return Object.values(asObject(root['$defs']) ?? {}).find(
    (definition) => asObject(definition)?.['$anchor'] === name,
  );
}

/** Both schemas in one: properties and required names together, of everything else what the first says. */
function merged(first: JsonObject, second: JsonObject): JsonObject {
  const whole: JsonObject = { ...second, ...first };
  if (first['properties'] !== undefined && second['properties'] !== undefined) {
    whole['properties'] = { ...asObject(second['properties']), ...asObject(first['properties']) };
  }
  if (first['required'] !== undefined && second['required'] !== undefined) {
    whole['required'] = [...listOf(first['required']), ...listOf(second['required'])];
  }
  return whole;
}
