import type { CallGuard } from '../invocation/contract.ts';
import type { Circuits } from './circuits/circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { KnownRules } from './rules/known-rules.ts';
import type { CanaryWatch } from './traffic/canary-watch.ts';

export interface CallGuardDeps {
  readonly circuits: Circuits;
  readonly concurrency: Concurrency;
  readonly rules: KnownRules;
  readonly canaries: CanaryWatch;
}

/** Stands between the gateway and the endpoints: no call to one that is down, and not too many to any. */
export function createCallGuard({ circuits, concurrency, rules, canaries }: CallGuardDeps): CallGuard {
  return {
    name: 'gateway',
    around: async (call, send) => {
      if (call.context.door !== 'gateway') return send();
      const { algorithm, version } = call.callable;
      // A call that will not be sent needs no turn.
      const open = circuits.outcomeWhileOpen(version.id);
      if (open) return open;
      const book = await rules.current();
      const outcome = await concurrency.run(algorithm.id, book.concurrencyOf(algorithm.id), () =>
        circuits.run(version.id, send),
      );
      if (!outcome.ok) {
        canaries.failed(call.context, book.routeOf(algorithm.id), version.id, outcome.code);
      }
      return outcome;
    },
  };
}
