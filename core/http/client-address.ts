import { isIP } from 'node:net';
import type { CredentialSource } from '../auth/verifier.ts';
import { networkMatcher, plainAddress } from '../support/networks.ts';

/** Finds the client's address from the peer's and, where proxies are trusted, the `X-Forwarded-For` header. */
export type ClientAddress = (peer: string, request: Pick<CredentialSource, 'header'>) => string;

/**
 * `trust` is the setting: empty (no proxy), a number of proxies, or addresses and networks of proxies. What a client
 * writes into the header itself is never trusted: the list is read from the right, where our own proxies write.
 */
export function clientAddress(trust: string): ClientAddress {
  const text = trust.trim();
  if (namesNetworks(text)) return behindNetworks(entriesOf(text));
  return NOBODY.has(text) || Number(text) === 0 ? plainAddress : behindHops(Number(text));
}

const NOBODY = new Set(['', 'false']);

function namesNetworks(text: string): boolean {
  return !NOBODY.has(text) && !/^\d+$/.test(text);
}

function behindHops(hops: number): ClientAddress {
  return (peer, request) => {
    const chain = chainOf(peer, request);
    return chain[Math.min(hops, chain.length - 1)]!;
  };
}

function behindNetworks(trusted: readonly string[]): ClientAddress {
  // The settings were checked by `trustComplaint`.
  const isTrusted = networkMatcher(trusted) ?? (() => false);
  return (peer, request) => {
    const chain = chainOf(peer, request);
    return chain.find((address) => !isTrusted(address)) ?? chain.at(-1)!;
  };
}

/** The peer first, then the address that each proxy saw, nearest first; ends before the first entry that is not an address. */
function chainOf(peer: string, request: Pick<CredentialSource, 'header'>): string[] {
  const forwardedFor = request.header('x-forwarded-for') ?? '';
  const forwarded = forwardedFor.split(',').map(addressIn);
  const nearestFirst = forwarded.reverse();
  const end = nearestFirst.findIndex((entry) => isIP(entry) === 0);
  return [plainAddress(peer), ...(end < 0 ? nearestFirst : nearestFirst.slice(0, end))];
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
