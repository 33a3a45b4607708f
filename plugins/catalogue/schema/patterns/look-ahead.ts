/** An escape, a class of characters, or one character. */
const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/g;

/** A look-ahead at the beginning of a pattern: what must, or must not, match from there. */
export interface LookAhead {
  readonly pattern: string;
  readonly isWanted: boolean;
}

/** The index behind the bracket that closes the group at the start of a text, and whether a `|` stands outside of groups. */
function outline(text: string): { readonly end: number; readonly hasAlternatives: boolean } {
  let [depth, end, hasAlternatives] = [0, 0, false];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ')' && depth === 0 && end === 0) end = index + 1;
    if (token === '|' && depth === 0) hasAlternatives = true;
  }
  return { end, hasAlternatives };
}

/**
 * Takes look-ahead from the beginning of a pattern, where it is a second pattern for the same text:
 * `^(?=.*\d)(?!x).{8,}$`. Anywhere else a linear engine cannot match it.
 */
export function withoutLookAhead(pattern: string): { readonly pattern: string; readonly ahead: LookAhead[] } {
  const ahead: LookAhead[] = [];
  let rest = pattern;
  for (let group = /^\^\(\?([=!])/.exec(rest); group !== null; group = /^\^\(\?([=!])/.exec(rest)) {
    const { end, hasAlternatives } = outline(rest.slice(1));
    if (end === 0 || hasAlternatives || /^[*+?{]/.test(rest.slice(1 + end))) break;
    ahead.push({ pattern: `^(?:${rest.slice(group[0].length, end)})`, isWanted: group[1] === '=' });
    rest = `^${rest.slice(1 + end)}`;
  }
  return { pattern: rest, ahead };
}
