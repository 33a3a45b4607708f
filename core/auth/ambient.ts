import { InvalidCredentials, OriginRefused } from '../errors/problems.ts';
import type { AccessRule } from './access-rule.ts';
import type { UserPrincipal } from './principal.ts';
import type { CredentialSource, CredentialVerifier } from './verifier.ts';

/**
 * Calls a verifier of credentials that browsers send on their own. Throws `OriginRefused` when a page of another origin may
 * have caused the request, and what the verifier throws. An invalid credential is none on public routes.
 */
export function verifyAmbient(
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
export function carriesCredential(source: CredentialSource): boolean {
  return source.header('x-api-key') !== undefined || source.bearer !== undefined;
}

export function isPromise<T extends object | undefined>(answer: T | Promise<T>): answer is Promise<T> {
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
