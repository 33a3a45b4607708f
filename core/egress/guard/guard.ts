import { isIP } from 'node:net';
import { kindOf, parseAddress, type Address, type AddressKind } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import type { EgressPurpose } from '../egress.ts';

/** Where a connection leads. `host` is as the URL parser writes it: lower case, addresses canonical. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Judges destinations and the addresses that a name resolves to. */
export interface Guard {
  /** Checks the host of a URL: a literal address, or a name that is known to be internal. */
  allowsHost(to: Destination): boolean;
  /** Checks an address to which the host resolves. */
  allowsAddress(address: string, to: Destination): boolean;
}

/** Names of metadata services, which serve credentials; they resolve only inside the clouds. */
const METADATA_NAMES =
  /^(metadata|instance-data|data-server|metadata\.goog|metadata\.tencentyun\.com|(.+\.)?metadata\.internal|metadata\.[a-z]+\.internal|instance-data\.[a-z0-9.-]+\.internal|instance-data\.ec2\.internal)$/;

const LOCAL_NAMES = /^(.+\.)?(localhost|localhost\.localdomain)$/;

/** Makes a guard for URLs of users from the policy, the purpose and the allow list of the operator. */
export function userGuard(policy: 'private' | 'public', purpose: EgressPurpose, allowed: AllowList): Guard {
  const open: ReadonlySet<AddressKind> =
    purpose === 'endpoint' && policy === 'private'
      ? new Set(['public', 'private', 'loopback'])
      : new Set(['public']);
  return guardBy(
    (kind, address, { host, port }) =>
      open.has(kind) || allowed.address(address, port) || (kind !== 'reserved' && allowed.host(host, port)),
  );
}

/** The guard for servers that the operator configured. Refuses metadata and link-local addresses only. */
export const operatorGuard: Guard = guardBy(() => true);

/** Makes a guard from a rule about addresses. No rule allows link-local and metadata addresses. */
function guardBy(allows: (kind: AddressKind, address: Address, to: Destination) => boolean): Guard {
  const allowsAddress = (text: string, to: Destination): boolean => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    const kind = kindOf(address);
    return kind !== 'forbidden' && allows(kind, address, to);
  };

  const allowsHost = (to: Destination): boolean => {
    if (to.port === 0 || METADATA_NAMES.test(to.host)) return false;
    if (isLiteral(to.host)) return allowsAddress(to.host, to);
    return !LOCAL_NAMES.test(to.host) || allowsAddress('127.0.0.1', to);
  };

  return { allowsHost, allowsAddress };
}

/** Whether the host of a parsed URL is a literal address. */
function isLiteral(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}
