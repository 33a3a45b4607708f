import { RE2JS } from 're2js';
import { withoutLookAhead } from './look-ahead.ts';
import { PatternFault, translated } from './translate.ts';

/** A compiled pattern, as ajv uses it. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of ECMAScript for an engine whose time is linear in the text (RE2). It has no back-references, and
 * look-ahead only at the beginning; a pattern that uses more throws `PatternFault`.
 */
export function linearPattern(pattern: string): Pattern {
  const { pattern: rest, ahead } = withoutLookAhead(pattern);
  const compile = (part: string) => RE2JS.compile(translated(part));
  const compiled = compile(rest);
  const others = ahead.map((part) => ({ compiled: compile(part.pattern), isWanted: part.isWanted }));
  return {
    test: (text) =>
      others.every((other) => other.compiled.test(text) === other.isWanted) && compiled.test(text),
    // ajv identifies a pattern by this text, so each needs its own.
    toString: () => `re2:${pattern}`,
  } as Pattern;
}

/** The engine for ajv, with the `code` that it would use in standalone code, which is never generated here. */
export const linearEngine = Object.assign((pattern: string) => linearPattern(pattern), {
  code: 'linearPattern',
});

/** Explains why a pattern cannot be used; `undefined` when it can. */
export function brokenPattern(pattern: string): string | undefined {
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternFault) return `${error.message}.`;
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : '';
    const advice = reason.includes('repeat') ? 'repeat at most 1000 times.' : 'look for missing brackets.';
    return `is not a pattern that can be matched in linear time (${reason}); ${advice}`;
  }
}
