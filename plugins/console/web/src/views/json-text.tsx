import { useMemo } from 'react';
import { LongText } from './long-text.tsx';

/** Laying out a longer value in lines would freeze the page. */
const LONGEST_IN_LINES = 1_000_000;

/** A value as JSON text, which may be long. */
export function JsonText({ value }: { readonly value: unknown }) {
  const json = useMemo(() => {
    const dense = JSON.stringify(value) ?? '';
    return dense.length > LONGEST_IN_LINES ? dense : JSON.stringify(value, null, 2);
  }, [value]);
  return <LongText value={json} isCode />;
}
