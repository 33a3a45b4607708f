import type { ReactNode } from 'react';

/**
 * Stands in for two packages that the library of the forms names and the console does without: a Markdown parser, since
 * texts are shown as they are, and a validator that compiles code, which only its tests use.
 */
export function Markdown({ children }: { readonly children: ReactNode }) {
  return children;
}

export default undefined;
