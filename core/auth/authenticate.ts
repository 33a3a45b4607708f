import { InvalidCredentials, OriginRefused } from '../errors/core-problems.ts';
import type { AccessRule } from './access-rule.ts';
import { anonymous, type Principal, type UserPrincipal } from './principal.ts';
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

/**
 * Calls a verifier of credentials that browsers send on their own. Throws `OriginRefused` when a page of another origin may
 * have caused the request, and what the verifier throws. An invalid credential is none on public routes.
 */
function verifyAmbient(
  verifier: CredentialVerifier,
  source: CredentialSource,
  access: AccessRule,
): ReturnType<CredentialVerifier['verify']> {
  if (carriesCredential(source)) return undefined;
  const ignored = (error: unknown): undefined => {
    if (access !== 'public' || !InvalidCredentials.is(error)) throw error;
  };
  try {
    const answer = verifier.verify(source);
    return isPromise(answer)
      ? answer.then((known) => ofOwnPage(known, source)).catch(ignored)
      : ofOwnPage(answer, source);
  } catch (error) {
    return ignored(error);
  }
}

/** Whether a client has chosen a credential. Other schemes of `Authorization` may be for a proxy in front of the service. */
function carriesCredential(source: CredentialSource): boolean {
  return source.header('x-api-key') !== undefined || source.bearer !== undefined;
}

function isPromise<T extends object | undefined>(answer: T | Promise<T>): answer is Promise<T> {
  return answer !== undefined && 'then' in answer;
}

/** No page can set these two headers. Reading needs neither, because pages of other origins cannot see the answer. */
function ofOwnPage(
  principal: UserPrincipal | undefined,
  source: CredentialSource,
): UserPrincipal | undefined {
  const isReading = source.method === 'GET' || source.method === 'HEAD';
  if (principal === undefined || isReading) return principal;
  if (source.header('sec-fetch-site') === 'same-origin') return principal;
  const [origin, own] = [source.header('origin'), source.publicUrl.origin];
  if (origin === own) return principal;
  const sent = origin === undefined ? 'no header "Origin"' : `the origin "${origin.slice(0, 200)}"`;
  throw OriginRefused(
    `The request is authenticated by a cookie and has ${sent}, but only pages of "${own}" may change something that way. Programs ` +
      'send a bearer token or an API key. If the service has another address, set it as PUBLIC_URL.',
  );
}
