import type { CallGuard, CallOutcome, PreparedCall } from '../invocation/contract.ts';
import type { VersionCircuits } from './circuits/version-circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { KnownRules } from './rules/known-rules.ts';
import type { RuleBook } from './rules/rule-book.ts';
import type { CanaryWatch } from './traffic/canary-watch.ts';

export interface CallGuardDeps {
  readonly circuits: VersionCircuits;
  readonly concurrency: Concurrency;
  readonly rules: KnownRules;
  readonly canaries: CanaryWatch;
}

/**
 * Stands between the gateway and the endpoints: no call to one that is down, and not too many to any. Waits for nothing
 * that is there already, for each turn costs every call.
 */
export function createCallGuard({ circuits, concurrency, rules, canaries }: CallGuardDeps): CallGuard {
  type Send = () => Promise<CallOutcome>;

  const inItsTurn = (
    book: RuleBook,
    { callable, context }: PreparedCall,
    send: Send,
  ): Promise<CallOutcome> => {
    const { algorithm, version } = callable;
    const limit = book.concurrencyPolicyOf(algorithm.id)?.concurrency;
    const asked = concurrency.run(callable, limit, () => circuits.run(version, send));
    const route = book.routeOf(algorithm.id);
    if (!route) return asked;
    return asked.then((outcome) => {
      if (!outcome.ok) canaries.failed(context, route, version.id, outcome.code);
      return outcome;
    });
  };

  return {
    name: 'gateway',
    around: (call, send) => {
      if (call.context.door !== 'gateway') return send();
      // A call that will not be sent needs no turn.
      const open = circuits.outcomeWhileOpen(call.callable.version);
      if (open) return Promise.resolve(open);
      const book = rules.current();
      return book instanceof Promise
        ? book.then((known) => inItsTurn(known, call, send))
        : inItsTurn(book, call, send);
    },
  };
}
