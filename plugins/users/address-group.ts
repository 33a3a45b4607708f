/** The group of addresses that likely have one owner: a single IPv4 address, or an IPv6 network of 64 bits. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]!.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, 4).map((part) => part.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
