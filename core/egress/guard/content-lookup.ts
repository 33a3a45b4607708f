import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';
import { Bulkhead } from '../../support/bulkhead.ts';
import type { Lookup } from './connector.ts';

/** Twice, and longer the second time: some 6 s in all. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
const MOST_QUEUED_NAMES = 16;

export interface ContentLookupOptions {
  /** The resolver of the system. */
  readonly system: Lookup;
  /** Whether the operator listed the name: then the system knows best where it leads. */
  readonly isListed: (name: string) => boolean;
  /** Other name servers than those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Makes a resolver of names that any user may choose. The system's resolver occupies one of few threads for each name,
 * also while a name server is silent, and files and all other names wait for those threads. So name servers are asked
 * from here, and the system only for what they do not know (`/etc/hosts`, search domains), one name at a time.
 */
export function contentLookup({ system, isListed, servers, timeoutMs }: ContentLookupOptions): Lookup {
  const oneAtATime = new Bulkhead({
    limit: 1,
    queueLimit: MOST_QUEUED_NAMES,
    refuse: () => new Error('Too many names wait for the resolver of the system.'),
  });

  const askServers = callbackify(async (name: string): Promise<LookupAddress[]> => {
    // A new resolver reads again which name servers the system has.
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
