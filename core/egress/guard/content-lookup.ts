import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';
import { Bulkhead } from '../../support/bulkhead.ts';
import type { Lookup } from './connector.ts';

/** Of the first try; the second one takes longer, about 6 s in total. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
const MOST_QUEUED_NAMES = 16;

export interface ContentLookupOptions {
  /** The resolver of the operating system. */
  readonly system: Lookup;
  /** Whether the operator listed the name; such names are resolved by the operating system. */
  readonly isListed: (name: string) => boolean;
  /** Name servers; by default those of the operating system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Creates a resolver for names that any user may choose. The resolver of the system blocks one of few threads for each
 * name, even while a name server does not answer, and file access and other names need those threads. So this queries
 * name servers directly, and the system only for names that they do not know (`/etc/hosts`, search domains), one at a time.
 */
export function contentLookup({ system, isListed, servers, timeoutMs }: ContentLookupOptions): Lookup {
  const oneAtATime = new Bulkhead({
    limit: 1,
    queueLimit: MOST_QUEUED_NAMES,
    refuse: () => new Error('Too many names wait for the resolver of the system.'),
  });

  const askServers = callbackify(async (name: string): Promise<LookupAddress[]> => {
    // A new resolver reads the current name servers of the system.
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
