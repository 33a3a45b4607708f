import { OutboundError, Problem } from '../../../core/index.ts';
import { SignInEnded, SignInProviderUnavailable, SignInRefused } from '../problems.ts';

/** Seconds until a provider that failed is asked again. */
export const RETRY_SECONDS = 10;

const LONGEST_WORDS = 200;

/** Faults of the clocks, by the codes of openid-client and jose. */
const OF_TIME: ReadonlySet<unknown> = new Set(['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'ERR_JWT_EXPIRED']);
/** Answers that break the protocol, which is no fault of the person who signs in. */
const OF_PROTOCOL: ReadonlySet<unknown> = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_TIMEOUT',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
]);

interface Coded extends Error {
  readonly code?: unknown;
  /** Of an error answer of the provider. */
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** The provider cannot be used, with the reason as a sentence. */
export function unavailable(provider: string, reason: string, cause?: unknown): Problem {
  return SignInProviderUnavailable(`The provider ${provider} cannot be used now: ${reason}`, {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
    cause,
  });
}

/** The problem behind what the libraries throw while a provider is asked; other errors as they are. */
export function problemOf(error: unknown, provider: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const chain = causesOf(error);
  const outbound = chain.find((each) => each instanceof OutboundError) as OutboundError | undefined;
  if (outbound) return unavailable(provider, outbound.tlsReason ?? outbound.message, error);
  if (error.name === 'AuthorizationResponseError') return refusedBy(provider, error);
  if (error.name === 'ResponseBodyError' || error.name === 'WWWAuthenticateChallengeError')
    return refusalOfTokens(provider, error);
  const codes = chain.map((each) => each.code);
  if (codes.some((code) => OF_TIME.has(code))) return ofTime(provider, error);
  if (codes.some((code) => OF_PROTOCOL.has(code))) return unavailable(provider, `${wordsOf(chain)}.`, error);
  if (!codes.some((code) => /^(OAUTH_|ERR_J)/.test(String(code)))) return error;
  return SignInRefused(`The answer of ${provider} cannot be trusted: ${wordsOf(chain)}. Begin again.`, {
    cause: error,
  });
}

/** While its metadata is read, every fault means that the provider cannot be used. */
export function faultOfDiscovery(error: unknown, provider: string): Problem {
  const known = problemOf(error, provider);
  if (SignInProviderUnavailable.is(known)) return known;
  const named = issuerNamedIn(error);
  if (named !== undefined)
    return unavailable(
      provider,
      `it calls itself ${named}. The issuer in the settings must be the same to the letter.`,
      error,
    );
  return unavailable(provider, `${wordsOf(causesOf(error as Error))}.`, error);
}

function refusedBy(provider: string, error: Coded): Problem {
  return SignInRefused(`${provider} refused the sign-in: ${saidBy(error)}.`, { cause: error });
}

/** `invalid_grant` means that the code was used, has expired, or is of somebody else. */
function refusalOfTokens(provider: string, error: Coded): Problem {
  if (error.error === 'invalid_grant')
    return SignInEnded(`${provider} says that this sign-in was used already or has expired. Begin again.`, {
      cause: error,
    });
  return unavailable(
    provider,
    `it refuses this service (${saidBy(error)}). The operator should compare client_id and secret with those at the provider.`,
    error,
  );
}

function ofTime(provider: string, error: Error): Problem {
  return SignInRefused(
    `The answer of ${provider} has expired already, or is not valid yet. Begin again; if it goes on, the clocks of the two servers differ.`,
    { cause: error },
  );
}

/** The words of an answer may come from anybody, so they are cleaned and cut. */
function saidBy({ error, error_description, message }: Coded): string {
  const said = [error ?? message, error_description].filter((part) => typeof part === 'string').join(': ');
  return said
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .slice(0, LONGEST_WORDS)
    .replace(/\.$/, '');
}

/** The words of the deepest error that has some: the libraries wrap what they say in general terms. */
function wordsOf(chain: readonly Error[]): string {
  return saidBy(new Error(chain.at(-1)?.message));
}

function causesOf(error: Error): readonly Coded[] {
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
}

/** The issuer in metadata that are refused because it is another one than the settings name. */
function issuerNamedIn(error: unknown): string | undefined {
  const { cause } = error as { readonly cause?: { readonly attribute?: unknown; readonly body?: unknown } };
  if (cause?.attribute !== 'issuer') return undefined;
  const { issuer } = cause.body as { readonly issuer?: unknown };
  return typeof issuer === 'string' ? issuer.slice(0, LONGEST_WORDS) : undefined;
}
