import { anonymous, type Principal, type UserPrincipal } from './principal.ts';
import type { CredentialSource, CredentialVerifier } from './verifier.ts';

/**
 * Asks the verifiers in order who makes a request; nobody recognises it: anonymous. Answers without a promise when
 * the verifiers do. Throws what they throw: `InvalidCredentials` for a credential that is not valid.
 */
export function authenticate(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
): Principal | Promise<Principal> {
  return from(0, verifiers, source);
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
  return anonymous;
}

function isPromise(
  answer: UserPrincipal | undefined | Promise<UserPrincipal | undefined>,
): answer is Promise<UserPrincipal | undefined> {
  return answer !== undefined && 'then' in answer;
}
