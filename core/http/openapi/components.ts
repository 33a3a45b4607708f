import type { TSchema } from 'typebox';
import { StartupError } from '../../errors/startup-error.ts';

/** A schema or part of one, as plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Collects named schemas, so that the document contains each once and refers to it elsewhere. */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The schema as the document contains it. Throws `StartupError` when two different schemas have one name. */
  schema(schema: TSchema): Json {
    return this.#convert(schema) as Json;
  }

  /** All named schemas, by name. */
  all(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => a.localeCompare(b)));
  }

  #convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#convert(entry));
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-component': name, ...own } = value as { 'x-component'?: unknown };
    const converted = portable(
      Object.fromEntries(Object.entries(own).map(([key, member]) => [key, this.#convert(member)])),
    );
    return typeof name === 'string' ? this.#hoist(name, converted) : converted;
  }

  #hoist(name: string, schema: Json): Json {
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new StartupError(`Two different schemas are named "${name}". Give one of them another name.`);
    }
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Adapts a schema for code generators: many treat an enumeration without a type as untyped, or cannot load `\p`. */
function portable(schema: Json): Json {
  const { pattern, ...others } = schema;
  const shown = typeof pattern === 'string' && /\\p\{/i.test(pattern) ? others : schema;
  const { enum: values, type } = shown;
  const isTextual = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isTextual && type === undefined ? { type: 'string', ...shown } : shown;
}
