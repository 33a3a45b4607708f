import { isIP } from 'node:net';
import { kindOf, parseAddress, type AddressKind } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import type { EgressPurpose } from '../egress.ts';

/** The destination of a connection. `host` has the form of the URL parser: lower case, canonical addresses. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Decides on destinations and on the addresses that their names resolve to. */
export interface Guard {
  /** Whether a host is allowed before it is resolved: refuses literal addresses and well-known names. */
  allowsHost(to: Destination): boolean;
  /** Whether an address of the host is allowed. */
  allowsAddress(address: string, to: Destination): boolean;
}

/** Names of cloud metadata services, which resolve only inside the cloud. */
const METADATA_NAMES =
  /^(metadata|instance-data|metadata\.goog|metadata\.tencentyun\.com|(.+\.)?metadata\.internal|metadata\.[a-z]+\.internal|instance-data\.[a-z0-9.-]+\.internal|instance-data\.ec2\.internal)$/;

const LOCAL_NAMES = /^(.+\.)?(localhost|localhost\.localdomain)$/;

/** A guard for URLs of users, from the policy, the purpose and the allow list. */
export function userGuard(policy: 'private' | 'public', purpose: EgressPurpose, allowed: AllowList): Guard {
  const open: ReadonlySet<AddressKind> =
    purpose === 'endpoint' && policy === 'private'
      ? new Set(['public', 'private', 'loopback'])
      : new Set(['public']);

  const allowsAddress = (text: string, { host, port }: Destination): boolean => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    const kind = kindOf(address);
    if (kind === 'forbidden') return false;
    return (
      open.has(kind) || allowed.address(address, port) || (kind !== 'reserved' && allowed.host(host, port))
    );
  };

  const allowsHost = (to: Destination): boolean => {
    if (to.port === 0 || METADATA_NAMES.test(to.host)) return false;
    if (isLiteral(to.host)) return allowsAddress(to.host, to);
    return !LOCAL_NAMES.test(to.host) || allowsAddress('127.0.0.1', to);
  };

  return { allowsHost, allowsAddress };
}

/** A guard for servers that the operator configured: everything but metadata and link-local addresses. */
export const operatorGuard: Guard = {
  allowsHost: (to) =>
    to.port !== 0 &&
    !METADATA_NAMES.test(to.host) &&
    (!isLiteral(to.host) || operatorGuard.allowsAddress(to.host, to)),
  allowsAddress: (text) => {
    const address = parseAddress(text);
    return address !== undefined && kindOf(address) !== 'forbidden';
  },
};

/** Whether the host of a parsed URL is an address. */
export function isLiteral(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}
