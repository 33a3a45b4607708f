/** A JSON object, as parsed. */
export type JsonObject = Record<string, unknown>;

/** The value as an object; `undefined` for lists, null and everything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
