import { folded } from '../support/fold.ts';

/** The pattern for `LIKE ? ESCAPE '!'` that matches `folded` texts containing the folded `part` literally. */
export function containing(part: string): string {
  return `%${folded(part).replaceAll(/[%_!]/g, '!$&')}%`;
}
