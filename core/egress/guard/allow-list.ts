import { parseNetwork } from '../../support/networks.ts';
import { liesIn, parseAddress, type Address } from './addresses.ts';

/** What the operator allows in spite of the policy. */
export interface AllowList {
  /** Whether a name is listed, for this port. */
  host(name: string, port: number): boolean;
  /** Whether an address is listed, alone or in a network, for this port. */
  address(address: Address, port: number): boolean;
}

interface Entry {
  readonly name?: string;
  readonly network?: [Address, number];
  /** Undefined: every port. */
  readonly port: number | undefined;
}

const BRACKETED = /^\[([^\]]+)\](?::(\d+))?$/;
const WITH_PORT = /^([^:]+?)(?::(\d+))?$/;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?)*$/;

/** Parses `egress.allow`; an entry that is not a host, address or network allows nothing. */
export function parseAllowList(texts: readonly string[]): AllowList {
  const entries = trimmed(texts).flatMap((text) => parseEntry(text) ?? []);
  const holds = (entry: Entry, port: number) => entry.port === undefined || entry.port === port;
  return {
    host: (name, port) => entries.some((entry) => entry.name === name && holds(entry, port)),
    address: (address, port) =>
      entries.some(
        (entry) => entry.network !== undefined && holds(entry, port) && liesIn(address, [entry.network]),
      ),
  };
}

/** Explains why the setting is invalid; `undefined` when it is valid. */
export function allowComplaint(texts: readonly string[]): string | undefined {
  const wrong = trimmed(texts).find((text) => parseEntry(text) === undefined);
  return wrong === undefined
    ? undefined
    : `holds "${wrong}", which is no host, address or network; write for example models.lan, 10.1.2.3:8080, 10.0.0.0/8 or [fd00::/8]:443`;
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

function parseEntry(text: string): Entry | undefined {
  const plain = text.toLowerCase();
  const whole = networkOf(plain);
  if (whole !== undefined) return { network: whole, port: undefined };
  const [, rest, digits] = BRACKETED.exec(plain) ?? WITH_PORT.exec(plain) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (rest === undefined || (port !== undefined && (port < 1 || port > 65_535))) return undefined;
  const network = networkOf(rest);
  if (network !== undefined) return { network, port };
  const name = rest.replace(/\.$/, '');
  if (!NAME.test(name) || /^[\d.]+$/.test(name)) return undefined;
  return { name, port };
}

function networkOf(text: string): [Address, number] | undefined {
  const network = parseNetwork(text);
  const address = network && parseAddress(network.address);
  if (network === undefined || address === undefined) return undefined;
  if (address.kind() === network.family) return [address, network.prefix];
  // An IPv4 address mapped into IPv6: the prefix counts bits of IPv6, so only a single address is meant.
  return network.prefix === 128 ? [address, 32] : undefined;
}
