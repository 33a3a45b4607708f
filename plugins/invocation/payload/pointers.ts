/** The wildcard segment: every item of an array, and every member of an object. */
export const EVERY = '*';

export const LONGEST_POINTER = 256;
const DEEPEST = 32;

/** The segments of a JSON pointer (RFC 6901), unescaped. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Explains why a text is not a pointer into a payload and what to write instead; `undefined` for a valid pointer. */
export function faultOf(pointer: string): string | undefined {
  const shown = `"${pointer}"`;
  if (pointer === '') return '"" is the whole field. Use the mode "drop" to keep nothing of it.';
  if (!pointer.startsWith('/')) {
    return `${shown} does not begin with "/". Write "${pointer.replace(/^#?\/?/, '/')}".`;
  }
  if (/~(?![01])/.test(pointer)) {
    return `${shown} has a "~" that stands for nothing. Within a name write "~0" for "~" and "~1" for "/".`;
  }
  const depth = segmentsOf(pointer).length;
  if (depth > DEEPEST) {
    return `${shown} goes ${depth} names deep; at most ${DEEPEST} are allowed. Name a place above it: all below goes as well.`;
  }
  return undefined;
}
