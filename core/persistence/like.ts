/** The pattern for `LIKE ? ESCAPE '!'` that matches texts containing `part` literally. */
export function containing(part: string): string {
  return `%${part.replaceAll(/[%_!]/g, '!$&')}%`;
}
