import type { Tolerance } from '../catalogue/contract.ts';

/** One place at which an answer is not what is expected. */
export interface Difference {
  /** The names and positions that lead there; none for the whole. */
  readonly path: readonly string[];
  /** `undefined` where nothing is expected or nothing was answered. */
  readonly expected: unknown;
  readonly got: unknown;
}

/** Where two JSON values differ. The order of names does not matter, and numbers may differ within the tolerance. */
export function* differencesOf(
  expected: unknown,
  got: unknown,
  tolerance: Tolerance | null | undefined,
  path: readonly string[] = [],
): Generator<Difference> {
  if (isContainer(expected) && isContainer(got) && Array.isArray(expected) === Array.isArray(got)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(got)]))
      yield* differencesOf(memberOf(expected, name), memberOf(got, name), tolerance, [...path, name]);
  } else if (!isSame(expected, got, tolerance ?? {})) {
    yield { path, expected, got };
  }
}

/** What a JSON value has at a place; `undefined` for nothing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (isContainer(at) ? memberOf(at, name) : undefined), value);
}

/** A place as a JSON pointer. */
export function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function memberOf(container: Container, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined;
}

function isSame(expected: unknown, got: unknown, { absolute = 0, relative = 0 }: Tolerance): boolean {
  if (typeof expected !== 'number' || typeof got !== 'number') return expected === got;
  return Math.abs(got - expected) <= Math.max(absolute, relative * Math.abs(expected));
}
