/** A JSON object, as parsed. */
export type JsonObject = Record<string, unknown>;

/** The value as an object; `undefined` for lists, null and everything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The object or list that a text is; `undefined` when it is anything else. */
export function parsed(text: string): JsonObject | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject | unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
