import type { CallGuard } from '../invocation/contract.ts';
import type { VersionCircuits } from './circuits/version-circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { RuleCache } from './rules/rule-cache.ts';

export interface CallGuardDeps {
  readonly circuits: VersionCircuits;
  readonly concurrency: Concurrency;
  readonly rules: RuleCache;
}

/** Makes the guard that applies circuit breakers and limits of concurrency to the calls of the gateway. */
export function createCallGuard({ circuits, concurrency, rules }: CallGuardDeps): CallGuard {
  return {
    name: 'gateway',
    around: async ({ callable, context }, send) => {
      if (context.channel !== 'gateway') return send();
      const { algorithm, version } = callable;
      // Checked first, because a call that is not sent needs no slot of the bulkhead.
      const open = circuits.outcomeWhileOpen(version);
      if (open) return open;
      const book = await rules.current();
      const limit = book.concurrencyPolicyOf(algorithm.id)?.concurrency;
      return concurrency.run(callable, limit, () => circuits.run(version, send));
    },
  };
}
