import { showCheck, showStatus, showType, text } from '../texts/text.ts';
import type { Facet } from './catalogue-search.ts';

/** What people call a value that the list is filtered by. */
export function nameOf(by: Facet | 'q', value: string): string {
  if (by === 'type') return showType(value);
  if (by === 'status') return showStatus(value);
  if (by === 'check') return showCheck(value);
  return by === 'q' ? text.catalogue.quoted(value) : value;
}
