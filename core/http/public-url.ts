import type { CredentialSource } from '../auth/verifier.ts';
import { trustedPeer } from './client-address.ts';
import { rootPath } from './routing/mounted-route.ts';

/** Finds the address of the service as the client of a request reaches it, with a slash at its end. */
export type PublicUrl = (peer: string, request: Pick<CredentialSource, 'header'>) => URL;

/** Settings of the server. */
interface PublicUrlOptions {
  readonly base_path: string;
  readonly public_url: string;
  readonly trust_proxy: string;
}

/** The address under which clients reach the server, without a slash at its end; `undefined` when it is not set. */
export function publicAddress({ public_url }: Pick<PublicUrlOptions, 'public_url'>): string | undefined {
  return public_url.replace(/\/+$/, '') || undefined;
}

/**
 * Without `PUBLIC_URL` the address is what the request says: the scheme in `X-Forwarded-Proto` of a trusted proxy, and
 * `Host`. A client can forge it for its own requests, but a page cannot make the browser of another user send a different one.
 */
export function publicUrl(options: PublicUrlOptions): PublicUrl {
  const path = `${rootPath(options.base_path)}/`;
  const known = publicAddress(options);
  if (known !== undefined) return () => new URL(known + path);
  const isProxy = trustedPeer(options.trust_proxy);
  return (peer, request) => {
    const scheme = isProxy(peer) && isForwardedFromHttps(request) ? 'https' : 'http';
    return new URL(originAt(`${scheme}://${request.header('host')}`) + path);
  };
}

/** Several proxies make a list, in which the first entry is that of the proxy next to the client. */
function isForwardedFromHttps(request: Pick<CredentialSource, 'header'>): boolean {
  return /^\s*https\s*(?:,|$)/i.test(request.header('x-forwarded-proto') ?? '');
}

/** An unusable `Host` becomes an origin that no page can have. */
function originAt(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'http://host.invalid';
}
