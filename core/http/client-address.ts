import { isIP } from 'node:net';
import type { CredentialSource } from '../auth/verifier.ts';
import { networkMatcher, plainAddress } from '../support/networks.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Finds the client's address from the peer's and, where proxies are trusted, the `X-Forwarded-For` header. */
export type ClientAddress = (peer: string, request: Pick<CredentialSource, 'header'>) => string;

/** Called with an entry of a trusted proxy that is no address. */
type OnUnreadable = (entry: string) => void;

/**
 * `trust` is the setting: empty (no proxy), a number of proxies, or addresses and networks of proxies. What a client
 * writes into the header itself is never trusted: the list is read from the right, where our own proxies write. The first
 * entry of a trusted proxy that is no address is logged, because all clients then share the address of that proxy.
 */
export function clientAddress(trust: string, logger: Logger): ClientAddress {
  const text = trust.trim();
  const onUnreadable = warnOnce(logger);
  if (namesNetworks(text)) return behindNetworks(entriesOf(text), onUnreadable);
  return trustsNone(text) ? plainAddress : behindHops(Number(text), onUnreadable);
}

/** Whether the peer of a connection is a trusted proxy. `trust` is the same setting. */
export function trustedPeer(trust: string): (peer: string) => boolean {
  const text = trust.trim();
  if (!namesNetworks(text)) return () => !trustsNone(text);
  const isTrusted = networkMatcher(entriesOf(text)) ?? (() => false);
  return (peer) => isTrusted(plainAddress(peer));
}

function warnOnce(logger: Logger): OnUnreadable {
  let isLogged = false;
  return (entry) => {
    if (isLogged) return;
    isLogged = true;
    logger.warn(
      { entry: entry.slice(0, LONGEST_SHOWN) },
      'A trusted proxy wrote an X-Forwarded-For entry that is no address, so its clients count as one; correct the proxy or TRUST_PROXY (server.trust_proxy). This is logged once.',
    );
  };
}

const LONGEST_SHOWN = 100;

const NOBODY = new Set(['', 'false']);

function trustsNone(text: string): boolean {
  return NOBODY.has(text) || Number(text) === 0;
}

function namesNetworks(text: string): boolean {
  return !NOBODY.has(text) && !/^\d+$/.test(text);
}

function behindHops(hops: number, onUnreadable: OnUnreadable): ClientAddress {
  return (peer, request) => {
    const { addresses, unreadable } = chainOf(peer, request);
    const address = addresses[hops];
    if (address === undefined && unreadable !== undefined) onUnreadable(unreadable);
    return address ?? addresses.at(-1)!;
  };
}

function behindNetworks(trusted: readonly string[], onUnreadable: OnUnreadable): ClientAddress {
  // The settings were checked by `trustComplaint`.
  const isTrusted = networkMatcher(trusted) ?? (() => false);
  return (peer, request) => {
    const { addresses, unreadable } = chainOf(peer, request);
    const address = addresses.find((each) => !isTrusted(each));
    if (address === undefined && unreadable !== undefined) onUnreadable(unreadable);
    return address ?? addresses.at(-1)!;
  };
}

interface Chain {
  /** The peer first, then the address that each proxy saw, nearest first; ends before the first entry that is no address. */
  readonly addresses: readonly string[];
  /** The entry at which the list ends, if it is not complete. */
  readonly unreadable: string | undefined;
}

function chainOf(peer: string, request: Pick<CredentialSource, 'header'>): Chain {
  const forwarded = request.header('x-forwarded-for')?.split(',').reverse() ?? [];
  const entries = forwarded.map(addressIn);
  const end = entries.findIndex((entry) => isIP(entry) === 0);
  return {
    addresses: [plainAddress(peer), ...(end < 0 ? entries : entries.slice(0, end))],
    unreadable: forwarded[end],
  };
}

/** The address in an entry: some proxies add quotes or the port (`203.0.113.7:51111`, `"[2001:db8::1]:443"`). */
function addressIn(entry: string): string {
  const text = entry.trim().replaceAll('"', '');
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  return plainAddress(bracketed ?? dotted ?? text);
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Why the setting cannot be used. */
export function trustComplaint(trust: string): string | undefined {
  if (!namesNetworks(trust.trim())) return undefined;
  const entry = entriesOf(trust).find((text) => !networkMatcher([text]));
  return entry === undefined
    ? undefined
    : `holds "${entry}", which is neither a number of proxies nor an address or network such as 10.0.0.0/8`;
}

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
