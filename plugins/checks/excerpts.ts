/** Characters shown before the first one that differs. */
const BEFORE = 30;
const LONGEST = 200;

/** Two values as JSON, cut to what surrounds the first character in which they differ; null for a value that is not there. */
export function excerptsOf(expected: unknown, got: unknown): readonly [string | null, string | null] {
  const [one, other] = [written(expected), written(got)];
  const start = one === null || other === null ? 0 : Math.max(0, commonLength(one, other) - BEFORE);
  return [excerptOf(one, start), excerptOf(other, start)];
}

function written(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function excerptOf(text: string | null, start: number): string | null {
  if (text === null) return null;
  const end = start + LONGEST;
  // A cut may fall into the middle of a character, which a database would refuse.
  const part = text.slice(start, end).replaceAll(/\p{Surrogate}/gu, '');
  return `${start > 0 ? '…' : ''}${part}${text.length > end ? '…' : ''}`;
}
