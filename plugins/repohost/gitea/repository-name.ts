const ALLOWED = /^[A-Za-z0-9._-]+$/;
const RESERVED = /^(?:\.|\.\.|-)$|\.(?:git|wiki|rss|atom)$/i;
const LONGEST = 100;

/** Why Gitea would refuse a name, as the end of a sentence; `undefined` when it would not. */
export function faultOfName(name: string): string | undefined {
  if (!ALLOWED.test(name)) return 'may hold only letters, digits, dots, hyphens and underscores';
  if (name.length > LONGEST) return `may be at most ${LONGEST} characters long`;
  if (name.includes('..')) return 'must not have two dots in a row';
  return RESERVED.test(name)
    ? 'is reserved: it must not be "." or "-", nor end in .git, .wiki, .rss or .atom'
    : undefined;
}
