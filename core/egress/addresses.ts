import ipaddr from 'ipaddr.js';

/**
 * What kind of address it is.
 * - `public`: anywhere on the internet.
 * - `private`: private networks, unique local addresses, and carrier-grade NAT (overlay networks use it).
 * - `loopback`: this machine.
 * - `reserved`: documentation, benchmarks, multicast, tunnels, and whatever else nobody serves HTTP on.
 * - `forbidden`: link-local and cloud metadata, which hand out credentials to whoever asks.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'reserved' | 'forbidden';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const KINDS: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
  linkLocal: 'forbidden',
};

/** Metadata services outside the link-local range: AWS, Google Cloud, Alibaba Cloud, Azure, Oracle Cloud. */
const METADATA = networks(
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
);

/** Not `unicast` in truth, though the library's table has it so: 6to4 relays, benchmarks, old site-local. */
const RESERVED = networks('192.88.99.0/24', '198.18.0.0/15', 'fec0::/10', '::/96', '64:ff9b:1::/48');

const NAT64 = networks('64:ff9b::/96');
const IPV4_TUNNELS = networks('2002::/16', '2001::/32');

function networks(...texts: string[]): [Address, number][] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

/** Whether an address lies in one of some networks of its own family. */
export function liesIn(address: Address, list: readonly [Address, number][]): boolean {
  return list.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
  );
}

/** Reads an address in canonical notation, with IPv4 in its IPv6 clothes undressed; `undefined` for a name. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return undressed(ipaddr.process(bare));
}

/** NAT64 leads to the IPv4 address in its last 32 bits: judge that one. */
function undressed(address: Address): Address {
  return liesIn(address, NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** The kind of an address. Tunnels that carry an IPv4 address are never more than reserved. */
export function kindOf(address: Address): AddressKind {
  if (liesIn(address, METADATA)) return 'forbidden';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (liesIn(address, RESERVED) || liesIn(address, IPV4_TUNNELS)) return 'reserved';
  return KINDS[range] ?? 'reserved';
}
