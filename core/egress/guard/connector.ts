import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { Destination, Guard } from './guard.ts';

/** Resolves a name to every address it has, as `dns.lookup` does with `all`. */
export type Lookup = (
  name: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The guard refused the destination; becomes `egress_denied`. */
export class DestinationRefused extends Error {
  constructor() {
    super('The destination is refused.');
    this.name = 'DestinationRefused';
  }
}

/** No connection could be made, for the reason in `cause`; becomes `unreachable`. */
export class ConnectionFailed extends Error {
  constructor(cause: Error) {
    super('No connection could be made.', { cause });
    this.name = 'ConnectionFailed';
  }
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The resolver of the operating system. */
export const systemResolver: Lookup = (name, options, done) =>
  systemLookup(name, { ...options, order: 'verbatim' }, done);

/**
 * A connector to one destination that applies the guard while connecting, so that nothing can change between check and
 * use: to a literal address first, to every answer of the resolver, and finally to the address of the peer.
 */
export function guardedConnector(to: Destination, guard: Guard, lookup: Lookup): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    lookup: guardedLookup(to, guard, sharedLookup(lookup)),
  } as buildConnector.BuildOptions);

  return (options, done) => {
    if (!guard.allowsHost(to)) return done(new DestinationRefused(), null);
    connect(options, (error, socket) => {
      if (error !== null) {
        return done(error instanceof DestinationRefused ? error : new ConnectionFailed(error), null);
      }
      if (guard.allowsAddress(socket.remoteAddress ?? '', to)) return done(null, socket);
      socket.destroy();
      done(new DestinationRefused(), null);
    });
  };
}

/** One refused address refuses all answers, because another connection might use that address. */
function guardedLookup(to: Destination, guard: Guard, lookup: Lookup): LookupFunction {
  return (name, options, done) => {
    lookup(name, { all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined)
        return done(error ?? new Error(`"${name}" has no address.`), []);
      const allowed = addresses.every(({ address }) => guard.allowsAddress(address, to));
      if (!allowed) return done(new DestinationRefused(), []);
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

/** Shares one lookup among concurrent connections to a name, because the system resolves few names at a time. */
function sharedLookup(lookup: Lookup): Lookup {
  let waiting: Parameters<Lookup>[2][] | undefined;
  return (name, options, done) => {
    if (waiting) return void waiting.push(done);
    const together = (waiting = [done]);
    lookup(name, options, (error, addresses) => {
      waiting = undefined;
      for (const tell of together) tell(error, addresses);
    });
  };
}
