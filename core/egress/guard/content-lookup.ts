import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';
import { Places } from '../../support/places.ts';
import type { Lookup } from './connector.ts';

/** Twice, and longer the second time: some 6 s in all. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
const LONGEST_LINE = 16;

export interface ContentLookupOptions {
  /** The resolver of the system. */
  readonly system: Lookup;
  /** Whether the operator listed the name: then it is the system that knows best where it leads. */
  readonly isListed: (name: string) => boolean;
  /** Other name servers than those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Resolves names that any user may choose. The system's resolver takes one of few threads for each name, which files and
 * all other names wait for, and does not let go of it while a name server keeps silent. So name servers are asked from
 * here, and the system only for what they do not know (`/etc/hosts`, search domains), one name at a time.
 */
export function contentLookup({ system, isListed, servers, timeoutMs }: ContentLookupOptions): Lookup {
  const places = new Places(1, LONGEST_LINE);

  const askServers = callbackify(async (name: string): Promise<LookupAddress[]> => {
    // A new one each time reads anew which name servers there are.
    const resolver = new Resolver({ timeout: timeoutMs ?? TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    throw [four, six].map(faultOf).find((fault) => fault?.code === 'ETIMEOUT') ?? faultOf(four)!;
  });

  const askSystem: Lookup = (name, options, done) => {
    void places.run(
      () =>
        new Promise<void>((resolve) =>
          system(name, options, (error, addresses) => {
            resolve();
            done(error, addresses);
          }),
        ),
    );
  };

  return (name, options, done) => {
    if (isListed(name)) return system(name, options, done);
    askServers(name, (fault, addresses) => {
      if (!fault) done(null, addresses);
      else if (fault.code === 'ETIMEOUT' || places.isFull) done(fault, []);
      else askSystem(name, options, done);
    });
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function faultOf(answer: PromiseSettledResult<string[]>): NodeJS.ErrnoException | undefined {
  return answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException) : undefined;
}
