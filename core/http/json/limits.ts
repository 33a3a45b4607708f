/**
 * What JSON text may contain. More would block the main loop while it is parsed, or overflow the stack when it is
 * serialised. Numbers are unlimited, because parsing 8 MiB of them takes only a tenth of a second.
 */
export interface JsonLimits {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Total number of arrays and objects. */
  readonly containers: number;
  /** Total number of strings, including keys. */
  readonly strings: number;
  /** Total number of keys in all objects. */
  readonly keys: number;
}

/** The limits for request bodies. */
export const requestJson: JsonLimits = {
  depth: 64,
  containers: 100_000,
  strings: 250_000,
  keys: 10_000,
};

const description: Readonly<Record<keyof JsonLimits, (most: number) => string>> = {
  depth: (most) => `is nested more than ${most} levels deep`,
  containers: (most) => `has more than ${most} arrays and objects`,
  strings: (most) => `has more than ${most} strings`,
  keys: (most) => `has more than ${most} keys`,
};

/** A predicate that describes the exceeded limit, such as `has more than 10000 keys`. */
export function beyond(limits: JsonLimits, which: keyof JsonLimits): string {
  return description[which](limits[which]);
}
