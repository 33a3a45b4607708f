import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';
import { Bulkhead } from '../../support/bulkhead.ts';
import type { Lookup } from './connector.ts';

/** The resolver tries twice and waits longer the second time, about 6 s in total. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
const MOST_QUEUED_NAMES = 16;

export interface ContentLookupOptions {
  /** The resolver of the system. */
  readonly system: Lookup;
  /** Whether the operator listed the name; the system resolves those. */
  readonly isListed: (name: string) => boolean;
  /** Name servers; those of the system by default. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Makes a resolver for names that any user may choose. The system's resolver blocks a thread of libuv's small pool for
 * each name, even while a name server does not answer, and file operations share that pool. So this resolver queries
 * the name servers itself, and asks the system, one name at a time, only for names that they do not know
 * (`/etc/hosts`, search domains).
 */
export function contentLookup({ system, isListed, servers, timeoutMs }: ContentLookupOptions): Lookup {
  const oneAtATime = new Bulkhead({
    limit: 1,
    queueLimit: MOST_QUEUED_NAMES,
    refuse: () => new Error('Too many names wait for the resolver of the system.'),
  });

  const askServers = callbackify(async (name: string): Promise<LookupAddress[]> => {
    // A new resolver picks up changes of the system's name servers.
    const resolver = new Resolver({ timeout: timeoutMs ?? TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    throw [four, six].map(faultOf).find((fault) => fault?.code === 'ETIMEOUT') ?? faultOf(four)!;
  });

  const systemAnswer = (name: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      system(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
    );
  const askSystem = callbackify((name: string) => oneAtATime.run(() => systemAnswer(name)));

  return (name, options, done) => {
    if (isListed(name)) return system(name, options, done);
    askServers(name, (fault, addresses) => {
      if (!fault) return done(null, addresses);
      if (fault.code === 'ETIMEOUT') return done(fault, []);
      askSystem(name, (error, found) => (error ? done(error, []) : done(null, found)));
    });
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function faultOf(answer: PromiseSettledResult<string[]>): NodeJS.ErrnoException | undefined {
  return answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException) : undefined;
}
