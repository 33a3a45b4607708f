export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A JSON pointer (RFC 6901) from unescaped names. */
export function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
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
