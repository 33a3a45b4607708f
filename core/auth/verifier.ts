import { extensionPoint } from '../di/token.ts';
import type { UserPrincipal } from './principal.ts';

/** The places of a request where credentials may stand. */
export interface CredentialSource {
  /** A header's value by lower-case name. */
  header(name: string): string | undefined;
  /** What follows `Authorization: Bearer`; empty where nothing does, undefined under another scheme. */
  readonly bearer: string | undefined;
  readonly method: string;
  /** The address of the peer, or of the client when a trusted proxy names it. */
  readonly ip: string;
}

/**
 * Recognises one kind of credential, by its form. Answer `undefined` when the request carries none of this kind, so
 * that the next verifier is asked; throw `InvalidCredentials` when it carries one that is not valid. The kernel
 * refuses a bearer or a key that no verifier recognises.
 * Keep it synchronous when the answer is cached: it is on the path of every call.
 */
export interface CredentialVerifier {
  readonly name: string;
  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined>;
}

/** Credential verifiers, asked in order. */
export const CREDENTIAL_VERIFIERS = extensionPoint<CredentialVerifier>('core:credential-verifiers');
