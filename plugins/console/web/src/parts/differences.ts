import diff from 'microdiff';

/** One place at which two values differ. */
export interface Difference {
  /** A JSON pointer; empty for the whole value. */
  readonly pointer: string;
  /** `undefined` where the first value has nothing there. */
  readonly first: unknown;
  readonly second: unknown;
}

type Json = Record<string, unknown> | null | undefined;

/** Where two JSON values differ, in the order of the first one. */
export function differencesOf(first: Json, second: Json): readonly Difference[] {
  if (!first || !second) return first === second ? [] : [{ pointer: '', first, second }];
  return diff(first, second).map((difference) => ({
    pointer: difference.path
      .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join(''),
    first: difference.type === 'CREATE' ? undefined : difference.oldValue,
    second: difference.type === 'REMOVE' ? undefined : difference.value,
  }));
}

const BEFORE = 30;
const LONGEST = 200;

/** Two values as short texts, which begin shortly before the first character in which they differ. */
export function excerpts(first: unknown, second: unknown): readonly [string | undefined, string | undefined] {
  const texts = [written(first), written(second)] as const;
  const [one, other] = texts;
  const start = one === undefined || other === undefined ? 0 : Math.max(0, commonLength(one, other) - BEFORE);
  const cut = (whole: string | undefined): string | undefined =>
    whole &&
    `${start > 0 ? '…' : ''}${whole.slice(start, start + LONGEST)}${whole.length > start + LONGEST ? '…' : ''}`;
  return [cut(one), cut(other)];
}

function written(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
