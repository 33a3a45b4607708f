import { CredentialRestricted } from '../errors/problems.ts';
import type { Principal } from './principal.ts';

/** The ids of the resources to which the credential of a principal is restricted; undefined for no restriction. */
export function resourcesOf(principal: Principal): ReadonlySet<string> | undefined {
  return principal.kind === 'user' ? principal.resources : undefined;
}

/**
 * Throws `CredentialRestricted` when a resource is not among those to which a credential is restricted. `what` names it for
 * the caller, who must be allowed to know it: `algorithm "Edge detection"`.
 */
export function demandResource(covered: ReadonlySet<string> | undefined, id: string, what: string): void {
  if (covered === undefined || covered.has(id)) return;
  throw CredentialRestricted(
    `The API key is restricted to other algorithms and does not cover the ${what}. Its owner can add it to the \`algorithms\` of the key.`,
  );
}
