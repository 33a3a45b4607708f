import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

/** A range of addresses. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: Family;
}

/** Reads `192.0.2.1`, `192.0.2.0/24` or `2001:db8::/32`; `undefined` for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/');
  const family = familyOf(address);
  if (!family || more.length > 0) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (length === undefined) return { address, prefix: longest, family };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  return prefix <= longest ? { address, prefix, family } : undefined;
}

/** Answers whether an address lies within some networks. */
export function networkMatcher(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+[.])/i, '');
    const family = familyOf(plain);
    return family !== undefined && list.check(plain, family);
  };
}

function familyOf(address: string): Family | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
