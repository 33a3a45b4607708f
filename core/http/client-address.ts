import { BlockList, isIP } from 'node:net';
import type { CredentialSource } from '../auth/verifier.ts';
import { StartupError } from '../errors/startup-error.ts';

/** Finds the client's address from the peer's and, where proxies are trusted, the `X-Forwarded-For` header. */
export type ClientAddress = (peer: string, request: Pick<CredentialSource, 'header'>) => string;

/**
 * `trust` is the setting: empty (nobody), a number of proxies, or addresses and networks of proxies. What a client
 * writes into the header itself is never believed: the list is read from the right, where our own proxies write.
 */
export function clientAddress(trust: string): ClientAddress {
  const text = trust.trim();
  if (text === '' || text === '0' || text === 'false') return (peer) => plain(peer);
  if (/^\d+$/.test(text)) return behindHops(Number(text));
  return behindNetworks(networks(text));
}

function behindHops(hops: number): ClientAddress {
  return (peer, request) => {
    const chain = chainOf(peer, request);
    return chain[Math.min(hops, chain.length - 1)]!;
  };
}

function behindNetworks(trusted: BlockList): ClientAddress {
  return (peer, request) => {
    const chain = chainOf(peer, request);
    return chain.find((address) => !isTrusted(trusted, address)) ?? chain.at(-1)!;
  };
}

/** The peer first, then what each proxy saw, nearest first; ends before the first entry that is no address. */
function chainOf(peer: string, request: Pick<CredentialSource, 'header'>): string[] {
  const forwardedFor = request.header('x-forwarded-for') ?? '';
  const forwarded = forwardedFor.split(',').map((entry) => plain(entry.trim()));
  const nearestFirst = forwarded.reverse();
  const end = nearestFirst.findIndex((entry) => isIP(entry) === 0);
  return [plain(peer), ...(end < 0 ? nearestFirst : nearestFirst.slice(0, end))];
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function networks(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const width = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? width : Number(bits);
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > width) {
      throw new StartupError(
        `TRUST_PROXY has "${entry}", which is neither a number of proxies nor an address or network such as 10.0.0.0/8.`,
      );
    }
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** An IPv4 address that arrived on an IPv6 socket is shown as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
