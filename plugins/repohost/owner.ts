import type { ConfiguredServer } from './configuration.ts';
import type { Gitea, NewOwner } from './gitea/gitea.ts';

/** Who owns new repositories: the token's user, or else an organisation. */
export interface Owner extends NewOwner {
  /** The token's user. */
  readonly login: string;
}

/** Asks whose token it is: users and organisations are addressed differently. Names are equal without regard to case. */
export async function ownerOfNew({ defaultOwner }: ConfiguredServer, gitea: Gitea): Promise<Owner> {
  const login = await gitea.login();
  const isOrganisation = defaultOwner !== '' && defaultOwner.toLowerCase() !== login.toLowerCase();
  return { login, name: isOrganisation ? defaultOwner : login, isOrganisation };
}

/** Says that there is neither a user nor an organisation of that name. */
export function unknownOwner({ name, login }: Owner): string {
  return `default_owner "${name}" is neither the token's user "${login}" nor an organisation that this user may see on the code-hosting server.`;
}
