const SEPARATOR = '@';

/**
 * What tells a repository from any other on its server: the id, which Gitea never gives twice, and the time of creation,
 * since a server that was set up anew counts its ids from one again.
 */
export function identityOf(id: number, createdAt: unknown): string {
  const created = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  return `${id}${SEPARATOR}${Number.isNaN(created) ? '' : new Date(created).toISOString()}`;
}

/** Whether both are of one repository; a time that the server did not tell speaks for neither. */
export function isSame(one: string, other: string): boolean {
  const [id, created] = one.split(SEPARATOR);
  const [otherId, otherCreated] = other.split(SEPARATOR);
  return id === otherId && (!created || !otherCreated || created === otherCreated);
}

/** The id by which Gitea is asked. */
export function idIn(identity: string): string {
  return identity.split(SEPARATOR)[0]!;
}
