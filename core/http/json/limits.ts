/**
 * What JSON text may hold. More of it holds up everybody else while it is parsed, or overflows the stack when it is
 * written again. Numbers are free, for a body of 8 MiB full of them is read in a tenth of a second.
 */
export interface JsonLimits {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Arrays and objects in all. */
  readonly containers: number;
  /** Strings in all, keys among them. */
  readonly strings: number;
  /** Keys of all objects together. */
  readonly keys: number;
}

/** Of the bodies of requests. */
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

/** The rest of a sentence about JSON beyond a limit, such as `has more than 10000 keys`. */
export function beyond(limits: JsonLimits, which: keyof JsonLimits): string {
  return description[which](limits[which]);
}
