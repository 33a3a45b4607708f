const SECRET_NAME =
  /^(.*[-_])?(authorization|cookie|password|passwd|token|secret|credentials?|apikey|api[-_]key)$|^(key|secret[-_]key|accesstoken)$/i;
const MASK = '[redacted]';
const MAX_DEPTH = 5;

/**
 * A copy of log fields with the values under secret names masked; the same object when there are none. Pino's `redact`
 * option needs paths, and a secret may occur at any depth.
 */
export function redacted<T extends object>(fields: T, depth = 0): T {
  let copy: T | undefined;
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name];
    const kept = redactedValue(name, value, depth);
    if (kept !== value) copy = { ...(copy ?? fields), [name]: kept };
  }
  return copy ?? fields;
}

function redactedValue(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'number') return SECRET_NAME.test(name) ? MASK : value;
  if (!isContainer(value)) return value;
  if (SECRET_NAME.test(name) || depth === MAX_DEPTH) return MASK;
  return Array.isArray(value) ? redactedList(value, depth + 1) : redacted(value, depth + 1);
}

function redactedList(list: readonly unknown[], depth: number): readonly unknown[] {
  const kept = list.map((item) => redactedValue('', item, depth));
  return kept.some((item, index) => item !== list[index]) ? kept : list;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
