import type { CredentialSource } from '../../core/index.ts';
import type { NewToken } from './sign-in.ts';

/** The OpenAPI document of the kernel names it, too. */
const NAME = 'vitrine_session';

/** Browsers send one for each path and domain that set it. Each is verified until one is valid. */
const MOST_TOKENS = 5;

type Addressed = Pick<CredentialSource, 'publicUrl'>;

/** `Set-Cookie` for a new session: only for the pages of this service, out of reach of scripts, as long as the token lives. */
export function sessionCookie({ access_token, lifetime }: NewToken, request: Addressed): string {
  return cookie(access_token, lifetime, request);
}

/** `Set-Cookie` that has the browser forget the session. */
export function forgottenCookie(request: Addressed): string {
  return cookie('', 0, request);
}

/** The tokens of a request, in the order of the browser: those for longer paths come first. */
export function sessionTokens(source: Pick<CredentialSource, 'header'>): readonly string[] {
  const pairs = source.header('cookie')?.split(';') ?? [];
  const own = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${NAME}=`));
  return own.slice(0, MOST_TOKENS).map((pair) => pair.slice(NAME.length + 1));
}

function cookie(value: string, seconds: number, { publicUrl }: Addressed): string {
  const secure = publicUrl.protocol === 'https:' ? '; Secure' : '';
  return `${NAME}=${value}; Path=${publicUrl.pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
