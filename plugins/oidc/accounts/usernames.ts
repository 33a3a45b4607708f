import { newId } from '../../../core/index.ts';

const LONGEST = 56;
const MOST_TRIES = 20;
/** Characters of an id that make a name unique; with them and a hyphen the longest one has 64. */
const UNIQUE_END = 7;

/** A username that no account has, as close as possible to the name at the provider. */
export async function freeUsername(
  names: readonly string[],
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  const base = names.map(usernameOf).find((name) => name !== '') ?? 'user';
  for (let count = 1; count <= MOST_TRIES; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!(await isTaken(name))) return name;
  }
  // Some providers call everybody the same, such as by the client that asked for the token.
  return `${base}-${newId().slice(-UNIQUE_END)}`;
}

/** Letters, digits and `. _ @ + -`, a letter or digit first; empty when nothing is left. */
function usernameOf(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}._@+-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, LONGEST)
    .replace(/[^\p{L}\p{M}\p{N}]+$/u, '');
}
