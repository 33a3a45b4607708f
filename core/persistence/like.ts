/** For `LIKE ? ESCAPE '!'`: finds the texts that contain `part`, in which no sign is a wildcard. */
export function containing(part: string): string {
  return `%${part.replaceAll(/[%_!]/g, '!$&')}%`;
}
