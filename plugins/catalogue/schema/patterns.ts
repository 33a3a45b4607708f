import { RE2JS } from 're2js';

/** A compiled pattern, as ajv uses it. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles an ECMAScript pattern for an engine whose time is linear in the text (RE2). It has no look-around and no
 * back-references; a pattern that uses them throws.
 */
export function linearPattern(pattern: string): Pattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return {
    test: (text) => compiled.test(text),
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
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown syntax';
    return `is not a pattern that can be matched in linear time (${reason}); avoid look-around, back-references and large repetitions.`;
  }
}
