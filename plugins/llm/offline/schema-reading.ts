import { asObject, type JsonObject } from '../json.ts';
import type { Budget } from './budget.ts';

/** Schemas that one schema may draw in; doubling references would draw in millions. */
const MOST_PARTS = 200;

/**
 * A schema with its references followed, all of `allOf` and the first of its alternatives merged in. Throws
 * `SampleTooLarge` when that takes more than the budget holds.
 */
export function resolved(
  schema: unknown,
  root: JsonObject,
  budget: Budget,
  left = { parts: MOST_PARTS },
): JsonObject {
  const own = asObject(schema) ?? {};
  budget.spend(breadthOf(own));
  left.parts -= 1;
  if (left.parts < 0) return own;
  const parts = [
    referred(own['$ref'], root, budget),
    ...listOf(own['allOf']),
    listOf(own['anyOf'])[0],
    listOf(own['oneOf'])[0],
  ];
  const { $ref: _ref, allOf: _all, anyOf: _any, oneOf: _one, ...rest } = own;
  return parts
    .filter((part) => part !== undefined)
    .reduce<JsonObject>((whole, part) => {
      const both = merged(whole, resolved(part, root, budget, left));
      budget.spend(breadthOf(both));
      return both;
    }, rest);
}

/** How much there is to go through when a schema is read. */
function breadthOf({ properties, required, ...rest }: JsonObject): number {
  return Object.keys(rest).length + Object.keys(asObject(properties) ?? {}).length + listOf(required).length;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a local reference names: `#`, `#/$defs/point`, or an anchor. */
function referred(reference: unknown, root: JsonObject, budget: Budget): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  budget.spendOn(reference);
  const path = decoded(reference.slice(1));
  if (path === '') return root;
  if (!path.startsWith('/')) return anchored(path, root, budget);
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

function anchored(name: string, root: JsonObject, budget: Budget): unknown {
  const definitions = Object.values(asObject(root['$defs']) ?? {});
  budget.spend(definitions.length);
  return definitions.find((definition) => asObject(definition)?.['$anchor'] === name);
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
