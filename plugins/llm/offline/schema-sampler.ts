import { asObject, type JsonObject } from '../json.ts';
import { Budget } from './budget.ts';
import type { Dice } from './dice.ts';
import { sampleNumber } from './number-sampler.ts';
import { resolved } from './schema-reading.ts';
import { sampleString } from './string-sampler.ts';

const DEEPEST = 12;
/** Below this depth only what is required is made. */
const DEEPEST_OPTIONAL = 4;
/** Steps of the budget that a value costs, whatever it is. */
const VALUE = 20;
const USUAL_ITEMS = 3;
const MOST_FIELDS_MADE_UP = 100;

/**
 * Makes a value that follows a JSON Schema, as far as a schema can be followed without trying: constants, examples,
 * defaults and choices first, then types with their bounds, lengths, formats and patterns. Local references are
 * followed, of alternatives the first is taken. Bounded in depth and cost, the same for the same dice.
 */
export class SchemaSampler {
  readonly #root: JsonObject;
  readonly #dice: Dice;
  readonly #budget = new Budget();

  constructor(root: JsonObject, dice: Dice) {
    this.#root = root;
    this.#dice = dice;
  }

  /** Throws `SampleTooLarge` when the schema asks for more than one sample may cost. */
  sample(): unknown {
    return this.#value(this.#root, '', 0);
  }

  #value(schema: unknown, name: string, depth: number): unknown {
    this.#budget.spend(VALUE + name.length);
    if (depth > DEEPEST) return null;
    const rules = resolved(schema, this.#root, this.#budget);
    const given = this.#given(rules);
    if (given === undefined) return this.#made(rules, name, depth);
    this.#budget.spendOn(JSON.stringify(given));
    return given;
  }

  /** A value that the schema itself offers. */
  #given(rules: JsonObject): unknown {
    if (rules['const'] !== undefined) return rules['const'];
    const { examples, default: preset, enum: choices } = rules;
    if (Array.isArray(examples) && examples.length > 0) return this.#dice.pick(examples);
    if (preset !== undefined) return preset;
    return Array.isArray(choices) && choices.length > 0 ? this.#dice.pick(choices) : undefined;
  }

  #made(rules: JsonObject, name: string, depth: number): unknown {
    switch (typeOf(rules)) {
      case 'object':
        return this.#object(rules, depth);
      case 'array':
        return this.#list(rules, name, depth);
      case 'integer':
        return sampleNumber({ multipleOf: 1, ...rules }, name, this.#dice);
      case 'number':
        return sampleNumber(rules, name, this.#dice);
      case 'boolean':
        return this.#dice.roll() < 0.5;
      case 'null':
        return null;
      default:
        return sampleString(rules, name, this.#dice, this.#budget);
    }
  }

  #object(rules: JsonObject, depth: number): JsonObject {
    const properties = asObject(rules['properties']) ?? {};
    const others = asObject(rules['additionalProperties']) ?? {};
    const entries = fieldsOf(rules, properties, depth < DEEPEST_OPTIONAL).map((name) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : others;
      return [name, this.#value(schema, name, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  #list(rules: JsonObject, name: string, depth: number): unknown[] {
    const leading = Array.isArray(rules['prefixItems']) ? rules['prefixItems'] : [];
    const least = count(rules['minItems'], 0);
    const most = count(rules['maxItems'], Math.max(least, USUAL_ITEMS));
    const length = Math.min(Math.max(least, rules['items'] === false ? leading.length : USUAL_ITEMS), most);
    const list: unknown[] = [];
    const seen = new Set<string>();
    for (let tries = 0; list.length < length && tries < length * 4; tries++) {
      const value = this.#value(leading[list.length] ?? rules['items'] ?? {}, name, depth + 1);
      if (rules['uniqueItems'] !== true || this.#isNew(value, seen)) list.push(value);
    }
    return list;
  }

  #isNew(value: unknown, seen: Set<string>): boolean {
    const text = JSON.stringify(value);
    this.#budget.spendOn(text);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  }
}

/** The names of the fields to make: what is required, what is described, and as many more as there must be. */
function fieldsOf(rules: JsonObject, properties: JsonObject, withOptional: boolean): string[] {
  const required = Array.isArray(rules['required']) ? rules['required'].map(String) : [];
  const optional = withOptional ? Object.keys(properties).filter((name) => properties[name] !== false) : [];
  const names = new Set([...required, ...optional]);
  const least = Math.min(count(rules['minProperties'], 0), MOST_FIELDS_MADE_UP);
  for (let more = 1; names.size < least; more++) names.add(`field_${more}`);
  return [...names];
}

/** The type, or the one that the other keywords are about. */
function typeOf(rules: JsonObject): unknown {
  const { type } = rules;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if ('properties' in rules || 'required' in rules) return 'object';
  if ('items' in rules || 'prefixItems' in rules) return 'array';
  return 'minimum' in rules || 'maximum' in rules || 'multipleOf' in rules ? 'number' : 'string';
}

function count(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? value : otherwise;
}
