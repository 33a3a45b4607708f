import { extensionPoint } from '../di/token.ts';
import type { UserPrincipal } from './principal.ts';

/** The parts of a request that may contain credentials. */
export interface CredentialSource {
  /** A header's value by lower-case name. */
  header(name: string): string | undefined;
  /** The token after `Authorization: Bearer`; empty when it is missing, undefined for another scheme. */
  readonly bearer: string | undefined;
  readonly method: string;
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
  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined>;
}

/** Credential verifiers, called in order. */
export const CREDENTIAL_VERIFIERS = extensionPoint<CredentialVerifier>('core:credential-verifiers');
