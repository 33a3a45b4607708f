import { InvalidCredentials } from '../errors/problems.ts';
import { anonymous, type Principal, type UserPrincipal } from './principal.ts';
import type { CredentialSource, CredentialVerifier } from './verifier.ts';

/**
 * Finds the principal of a request by calling the verifiers in order; a request without credentials is anonymous. Returns
 * a plain value when the verifiers do. Throws `InvalidCredentials` for a token or key that no verifier recognises, and
 * errors of the verifiers. When a request has a token and a key, both must be valid, and the token decides.
 */
export function authenticate(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
): Principal | Promise<Principal> {
  const hasTwo = source.bearer !== undefined && source.header('x-api-key') !== undefined;
  return hasTwo ? bothOf(verifiers, source) : from(0, verifiers, source);
}

/** Each verifier would find the credential of its kind, and the other one would go unnoticed. */
async function bothOf(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
): Promise<Principal> {
  const { bearer, method, ip } = source;
  const without = (left: string) => (name: string) => (name === left ? undefined : source.header(name));
  const principal = await from(0, verifiers, { header: without('x-api-key'), bearer, method, ip });
  await from(0, verifiers, { header: without('authorization'), bearer: undefined, method, ip });
  return principal;
}

function from(
  first: number,
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
): Principal | Promise<Principal> {
  for (let index = first; index < verifiers.length; index++) {
    const answer = verifiers[index]!.verify(source);
    if (isPromise(answer)) return answer.then((known) => known ?? from(index + 1, verifiers, source));
    if (answer !== undefined) return answer;
  }
  if (carriesCredential(source)) {
    throw InvalidCredentials('The bearer token or API key was not issued by this service. Sign in again.');
  }
  return anonymous;
}

/** Other schemes of `Authorization` may be for a proxy in front of the service. */
function carriesCredential(source: CredentialSource): boolean {
  return source.header('x-api-key') !== undefined || source.bearer !== undefined;
}

function isPromise(
  answer: UserPrincipal | undefined | Promise<UserPrincipal | undefined>,
): answer is Promise<UserPrincipal | undefined> {
  return answer !== undefined && 'then' in answer;
}
