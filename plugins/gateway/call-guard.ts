import type { CallGuard } from '../invocation/contract.ts';
import type { Circuits } from './circuits/circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { KnownRules } from './rules/known-rules.ts';

export interface CallGuardDeps {
  readonly circuits: Circuits;
  readonly concurrency: Concurrency;
  readonly rules: KnownRules;
}

/** Stands between the gateway and the endpoints: no call to one that is down, and not too many to any. */
export function createCallGuard({ circuits, concurrency, rules }: CallGuardDeps): CallGuard {
  return {
    name: 'gateway',
    around: async (call, send) => {
      if (call.context.door !== 'gateway') return send();
      const { algorithm, version } = call.callable;
      // A call that will not be sent needs no turn.
      const open = circuits.outcomeWhileOpen(version.id);
      if (open) return open;
      const book = await rules.current();
      return concurrency.run(algorithm.id, book.concurrencyOf(algorithm.id), () =>
        circuits.run(version.id, send),
      );
    },
  };
}
