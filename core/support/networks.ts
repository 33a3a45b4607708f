import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Family = 'ipv4' | 'ipv6';

/** A range of addresses. */
interface Network {
  readonly address: string;
  /** The number of leading bits that all its addresses share. */
  readonly prefix: number;
  readonly family: Family;
}

/** Parses `192.0.2.1`, `192.0.2.0/24` or `2001:db8::/32`; `undefined` for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/');
  const family = familyOf(address);
  if (!family || more.length > 0) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (length === undefined) return { address, prefix: longest, family };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  return prefix <= longest ? { address, prefix, family } : undefined;
}

/**
 * Creates a test whether an address is in one of the networks, ignoring its zone; IPv4-mapped IPv6 addresses count as IPv4.
 * `undefined` when a text is neither an address nor a network such as `192.0.2.0/24`.
 */
export function networkMatcher(networks: readonly string[]): ((address: string) => boolean) | undefined {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (!network) return undefined;
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const [bare = ''] = address.split('%');
    const family = familyOf(bare);
    return family !== undefined && list.check(bare, family);
  };
}

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as IPv4, any other unchanged. */
export function plainAddress(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address;
}

/** `undefined` for addresses with a zone (`fe80::1%eth0`), which are valid on one machine only. */
function familyOf(address: string): Family | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
