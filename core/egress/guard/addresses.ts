import ipaddr from 'ipaddr.js';

/**
 * The kind of an address, on which the policy decides.
 * - `public`: anywhere on the internet.
 * - `private`: private networks, unique local addresses, and carrier-grade NAT (overlay networks use it).
 * - `loopback`: this machine.
 * - `reserved`: documentation, benchmarks, multicast, tunnels, and other ranges without HTTP servers.
 * - `forbidden`: link-local and cloud metadata, which give credentials to any client.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'reserved' | 'forbidden';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const KINDS: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
  linkLocal: 'forbidden',
};

/** Metadata services outside the link-local range, from the data sources of cloud-init and the manuals of the clouds. */
const METADATA = networks(
  'fd00:ec2::/32', // AWS, with the services for containers
  'fd20:ce::254/128', // Google Cloud
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba Cloud
  'fd00:100::100:200/128', // Alibaba Cloud
  '192.0.0.192/32', // Oracle Cloud
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Akamai
);

/** The library classifies these as `unicast`: 6to4 relays, benchmarks and old site-local addresses. */
const RESERVED = networks('192.88.99.0/24', '198.18.0.0/15', 'fec0::/10');

/** The prefix of NAT64 translators; the last 32 bits are the IPv4 address. */
const NAT64 = networks('64:ff9b::/96');

/** Tunnels and obsolete forms that contain an IPv4 address: at which byte it begins, and whether it is inverted. */
const CARRIERS = [
  { network: networks('2002::/16'), from: 2, inverted: false },
  { network: networks('2001::/32'), from: 12, inverted: true },
  { network: networks('::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48'), from: 12, inverted: false },
];

function networks(...texts: string[]): [Address, number][] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

/** Whether an address lies in one of the networks of its own family. */
export function liesIn(address: Address, list: readonly [Address, number][]): boolean {
  return list.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
  );
}

/** Parses an address. An IPv6 form of an IPv4 address becomes the IPv4 address. Returns `undefined` for a name. */
export function parseAddress(text: string): Address | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return translated(ipaddr.process(bare));
}

/** Replaces a NAT64 address by the IPv4 address to which it leads. */
function translated(address: Address): Address {
  return liesIn(address, NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** The kind of an address. An address of a tunnel is reserved, or forbidden when the IPv4 address in it is. */
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
