import type { TSchema } from 'typebox';
import { StartupError } from '../../errors/startup-error.ts';

/** A schema or part of one, as plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Collects what has a name, so that the document contains each once and refers to it elsewhere. */
export class Components {
  /** Which operation is being described, for the message about two schemas of one name. */
  place = '';
  readonly #schemas = new Map<string, Json>();
  /** The place where each name was used first. */
  readonly #places = new Map<string, string>();
  readonly #shared = {
    responses: new Map<string, Json>(),
    parameters: new Map<string, Json>(),
    headers: new Map<string, Json>(),
    examples: new Map<string, Json>(),
  };

  /** The schema as the document contains it. Throws `StartupError` when two different schemas have one name. */
  schema(schema: TSchema): Json {
    return this.#convert(schema) as Json;
  }

  /** A reference to a response. One name always stands for the same response. */
  response(name: string, response: Json): Json {
    this.#shared.responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** A reference to what the document contains under this name, or else the value itself. */
  shared(kind: 'parameters' | 'headers' | 'examples', name: string, value: Json): Json {
    const named = this.#shared[kind];
    const text = JSON.stringify(value);
    // Two different ones may have one name, such as `limit` with a default and without.
    const at = [name, `${name}-2`].find((one) => !named.has(one) || JSON.stringify(named.get(one)) === text);
    if (at === undefined) return value;
    named.set(at, value);
    return { $ref: `#/components/${kind}/${at}` };
  }

  /** Everything that was named, by kind and name. */
  all(): Readonly<Record<'schemas' | 'responses' | 'parameters' | 'headers' | 'examples', Json>> {
    return {
      schemas: sorted(this.#schemas),
      responses: sorted(this.#shared.responses),
      parameters: sorted(this.#shared.parameters),
      headers: sorted(this.#shared.headers),
      examples: sorted(this.#shared.examples),
    };
  }

  #convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#convert(entry));
    if (typeof value !== 'object' || value === null) return value;
    // The example of the whole request or answer contains those of its fields.
    const { 'x-component': name, ...own } = value as Record<string, unknown>;
    const members = Object.entries(own).filter(
      ([key, member]) => key !== 'examples' || !Array.isArray(member),
    );
    const converted = portable(
      Object.fromEntries(members.map(([key, member]) => [key, this.#convert(member)])),
    );
    return typeof name === 'string' ? this.#hoist(name, converted) : converted;
  }

  #hoist(name: string, schema: Json): Json {
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new StartupError(
        `Two different schemas are named "${name}", one in ${this.#places.get(name)} and one in ${this.place}. Give one of them another name.`,
      );
    }
    if (!known) this.#places.set(name, this.place);
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

function sorted(named: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...named].sort(([a], [b]) => a.localeCompare(b)));
}

/** Adapts a schema for code generators: many treat an enumeration without a type as untyped, or cannot load `\p`. */
function portable(schema: Json): Json {
  const { pattern, ...others } = schema;
  const shown = typeof pattern === 'string' && /\\p\{/i.test(pattern) ? others : schema;
  const { enum: values, type } = shown;
  const isTextual = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isTextual && type === undefined ? { type: 'string', ...shown } : shown;
}
