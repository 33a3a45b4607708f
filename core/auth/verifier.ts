import { extensionPoint } from '../di/token.ts';
import type { UserPrincipal } from './principal.ts';

/** The parts of a request that may contain credentials. */
export interface CredentialSource {
  /** A header's value by lower-case name. */
  header(name: string): string | undefined;
  /** The token after `Authorization: Bearer`; empty when it is missing, undefined for another scheme. */
  readonly bearer: string | undefined;
  readonly method: string;
  /**
   * The address of the service as this client reaches it, with a slash at its end: `PUBLIC_URL`, or else the scheme and
   * `Host` of the request, and then what the base path has before its `/api/v1`.
   */
  readonly publicUrl: URL;
  /** The address of the peer, or of the client when a trusted proxy names it. */
  readonly ip: string;
}

/**
 * Recognises one kind of credential by its form. Return `undefined` when the request has none of this kind, so that the
 * next verifier is called; throw `InvalidCredentials` when it has an invalid one. The kernel refuses a token or a key that
 * no verifier recognises. Return cached results synchronously, because every call is verified.
 */
export interface CredentialVerifier {
  readonly name: string;
  /**
   * Whether browsers send the credential on their own, as they do with cookies. The kernel then does three things. It calls
   * the verifier only for requests without a token and an API key. It refuses with 403 `origin_refused` what the credential
   * authenticates unless the method is GET or HEAD, or the headers say that a page of the service itself sends it. And it
   * ignores an invalid credential on public routes, because the browser sends it again and again.
   */
  readonly isAmbient?: boolean;
  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined>;
}

/** Credential verifiers, called in order. */
export const CREDENTIAL_VERIFIERS = extensionPoint<CredentialVerifier>('core:credential-verifiers', {
  methods: ['verify'],
});
