import ipaddr from 'ipaddr.js';

/**
 * The kind of an address, which the policy uses.
 * - `public`: on the internet.
 * - `private`: private networks, unique local addresses, and carrier-grade NAT (overlay networks use it).
 * - `loopback`: this machine.
 * - `reserved`: documentation, benchmarks, multicast, tunnels, and other ranges that have no HTTP servers.
 * - `forbidden`: link-local and cloud metadata, whose servers give credentials to any client.
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

/** Ranges that the library wrongly classifies as `unicast`: 6to4 relays, benchmarks, old site-local addresses. */
const RESERVED = networks('192.88.99.0/24', '198.18.0.0/15', 'fec0::/10');

/** The prefix of NAT64, whose addresses contain an IPv4 address in the last 32 bits. */
const NAT64 = networks('64:ff9b::/96');

/** Tunnels and obsolete forms that contain an IPv4 address: the index of its first byte, and whether it is inverted. */
const CARRIERS = [
  { network: networks('2002::/16'), from: 2, inverted: false },
  { network: networks('2001::/32'), from: 12, inverted: true },
  { network: networks('::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48'), from: 12, inverted: false },
];

function networks(...texts: string[]): [Address, number][] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

/** Whether an address is in one of the networks. */
export function liesIn(address: Address, list: readonly [Address, number][]): boolean {
  return list.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
  );
}

/** Parses an address in canonical notation; an IPv6 form of an IPv4 address becomes the latter. `undefined` for a name. */
export function parseAddress(text: string): Address | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return translated(ipaddr.process(bare));
}

/** Replaces a NAT64 address by the IPv4 address in its last 32 bits. */
function translated(address: Address): Address {
  return liesIn(address, NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** The kind of an address. One that tunnels to an IPv4 address is `reserved`, or `forbidden` when that one is. */
export function kindOf(address: Address): AddressKind {
  if (liesIn(address, METADATA)) return 'forbidden';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  const carried = carriedBy(address);
  if (carried !== undefined) return kindOf(carried) === 'forbidden' ? 'forbidden' : 'reserved';
  return liesIn(address, RESERVED) ? 'reserved' : (KINDS[range] ?? 'reserved');
}

function carriedBy(address: Address): ipaddr.IPv4 | undefined {
  const carrier = CARRIERS.find(({ network }) => liesIn(address, network));
  if (carrier === undefined) return undefined;
  const bytes = address.toByteArray().slice(carrier.from, carrier.from + 4);
  return new ipaddr.IPv4(carrier.inverted ? bytes.map((byte) => byte ^ 0xff) : bytes);
}
