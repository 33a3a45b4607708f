import type { SchemaFinding } from '../contract.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A JSON pointer (RFC 6901) from unescaped names. */
export function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Findings about a part, with pointers from the whole, which has the part at `place`. */
export function below(place: string, findings: readonly SchemaFinding[]): SchemaFinding[] {
  return findings.map(({ pointer, message }) => ({ pointer: place + pointer, message }));
}

/** The same text for equal JSON values, whatever the order of their keys. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.keys(part)
        .toSorted()
        .map((name) => [name, part[name]]),
    );
  });
}
