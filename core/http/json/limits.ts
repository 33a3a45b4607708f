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
  /** Keys of one object. */
  readonly keysOfObject: number;
}

export const MAX_DEPTH = 64;
const MAX_KEYS_OF_OBJECT = 100_000;

/** The limits for JSON that may have this many bytes, which grow with it. */
export function jsonLimits(maxBytes: number): JsonLimits {
  return {
    depth: MAX_DEPTH,
    containers: Math.floor(maxBytes / 8),
    strings: Math.floor(maxBytes / 4),
    keys: Math.floor(maxBytes / 8),
    keysOfObject: MAX_KEYS_OF_OBJECT,
  };
}

const description: Readonly<Record<keyof JsonLimits, (most: number) => string>> = {
  depth: (most) => `is nested more than ${most} levels deep`,
  containers: (most) => `has more than ${most} arrays and objects`,
  strings: (most) => `has more than ${most} strings`,
  keys: (most) => `has more than ${most} keys`,
  keysOfObject: (most) => `has an object of more than ${most} keys`,
};

/** A predicate that describes the exceeded limit, such as `has more than 10000 keys`. */
export function beyond(limits: JsonLimits, which: keyof JsonLimits): string {
  return description[which](limits[which]);
}
