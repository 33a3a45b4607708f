/**
 * A frozen copy of plain JSON, so that no listener can change the value that another listener or the emitter sees.
 * Throws a `TypeError` for anything else: dates, functions, class instances, NaN and infinite numbers.
 */
export function plainCopy<T>(value: T): T {
  return copied(value, '') as T;
}

function copied(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value))
    return Object.freeze(value.map((item, index) => copied(item, `${path}/${index}`)));
  if (isPlainObject(value)) {
    const kept = Object.entries(value).filter(([, part]) => part !== undefined);
    return Object.freeze(
      Object.fromEntries(kept.map(([name, part]) => [name, copied(part, `${path}/${name}`)])),
    );
  }
  throw new TypeError(`The payload of an event must be plain JSON; "${path || '/'}" is not.`);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
