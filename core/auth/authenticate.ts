import { InvalidCredentials } from '../errors/problems.ts';
import type { AccessRule } from './access-rule.ts';
import { carriesCredential, isPromise, verifyAmbient } from './ambient.ts';
import { anonymous, type Principal } from './principal.ts';
import type { CredentialSource, CredentialVerifier } from './verifier.ts';

/**
 * Finds the principal of a request by calling the verifiers in order; a request without credentials is anonymous. Returns
 * a plain value when the verifiers do. Throws `InvalidCredentials` for a token or key that no verifier recognises, and
 * errors of the verifiers. When a request has a token and a key, both must be valid, and the token decides. `access` is the
 * rule of the operation: on public ones an invalid credential that browsers send on their own is ignored.
 */
export function authenticate(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
  access: AccessRule,
): Principal | Promise<Principal> {
  const hasTwo = source.bearer !== undefined && source.header('x-api-key') !== undefined;
  return hasTwo ? bothOf(verifiers, source, access) : from(0, verifiers, source, access);
}

/** Each verifier would find the credential of its kind, and the other one would go unnoticed. */
async function bothOf(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
  access: AccessRule,
): Promise<Principal> {
  const { bearer, method, publicUrl, ip } = source;
  const without = (left: string) => (name: string) => (name === left ? undefined : source.header(name));
  const both = { bearer, method, publicUrl, ip };
  const principal = await from(0, verifiers, { ...both, header: without('x-api-key') }, access);
  await from(0, verifiers, { ...both, header: without('authorization'), bearer: undefined }, access);
  return principal;
}

function from(
  first: number,
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
  access: AccessRule,
): Principal | Promise<Principal> {
  for (let index = first; index < verifiers.length; index++) {
    const verifier = verifiers[index]!;
    const answer = verifier.isAmbient ? verifyAmbient(verifier, source, access) : verifier.verify(source);
    if (isPromise(answer)) return answer.then((known) => known ?? from(index + 1, verifiers, source, access));
    if (answer !== undefined) return answer;
  }
  if (carriesCredential(source)) {
    throw InvalidCredentials('The bearer token or API key was not issued by this service. Sign in again.');
  }
  return anonymous;
}
