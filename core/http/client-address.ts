import { isIP } from 'node:net';
import type { CredentialSource } from '../auth/verifier.ts';
import { networkMatcher, plainAddress } from '../support/networks.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Finds the client's address from the peer's and, where proxies are trusted, the `X-Forwarded-For` header. */
export type ClientAddress = (peer: string, request: Pick<CredentialSource, 'header'>) => string;

/** Whether the proxy at an address is trusted; `hop` counts the proxies between it and this server. */
type Trust = (address: string, hop: number) => boolean;

/**
 * `trust` is the setting: empty (no proxy), a number of proxies, or addresses and networks of proxies. What a client
 * writes into the header itself is never trusted: the list is read from the right, where our own proxies write. The first
 * entry of a trusted proxy that is no address is logged, because all clients then share the address of that proxy.
 */
export function clientAddress(trust: string, logger: Logger): ClientAddress {
  const isTrusted = trustOf(trust);
  const onUnreadable = warnOnce(logger);
  return (peer, request) => {
    const entries = request.header('x-forwarded-for')?.split(',').reverse() ?? [];
    let address = plainAddress(peer);
    for (const [hop, entry] of entries.entries()) {
      if (!isTrusted(address, hop)) return address;
      const seen = addressIn(entry);
      if (isIP(seen) === 0) {
        onUnreadable(entry);
        return address;
      }
      address = seen;
    }
    return address;
  };
}

/** Whether the peer of a connection is a trusted proxy. `trust` is the same setting. */
export function trustedPeer(trust: string): (peer: string) => boolean {
  const isTrusted = trustOf(trust);
  return (peer) => isTrusted(plainAddress(peer), 0);
}

function trustOf(trust: string): Trust {
  const text = trust.trim();
  // The networks were checked by `trustComplaint`.
  if (namesNetworks(text)) return networkMatcher(entriesOf(text)) ?? (() => false);
  return (_, hop) => hop < Number(text);
}

function namesNetworks(text: string): boolean {
  return !['', 'false'].includes(text) && !/^\d+$/.test(text);
}

const LONGEST_SHOWN = 100;

function warnOnce(logger: Logger): (entry: string) => void {
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
