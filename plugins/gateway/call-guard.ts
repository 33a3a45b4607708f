import type { Clock } from '../../core/index.ts';
import {
  ConcurrencyLimited,
  type CallContext,
  type CallGuard,
  type ReceivedCall,
} from '../invocation/contract.ts';
import type { VersionCircuits } from './circuits/version-circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { GatewaySettings } from './config.ts';
import { giveBackAll, takeAll, type Allowances } from './limits/allowances.ts';
import { limitHeaders } from './limits/rate-limit-headers.ts';
import type { Refusals } from './refusals.ts';
import { callerOf, type Caller } from './rules/caller.ts';
import type { RuleCache } from './rules/rule-cache.ts';
import type { Routing } from './traffic/routing.ts';

export interface CallGuardDeps {
  readonly circuits: VersionCircuits;
  readonly concurrency: Concurrency;
  readonly rules: RuleCache;
  readonly allowances: Allowances;
  readonly routing: Routing;
  readonly refusals: Refusals;
  readonly settings: Pick<GatewaySettings, 'guards'>;
  readonly clock: Clock;
}

/**
 * Makes the guard that applies block rules, rate limits, limits of concurrency and circuit breakers to calls: to those of
 * every channel, or to those of the gateway's own path only. Routes choose versions on that path only.
 */
export function createCallGuard(deps: CallGuardDeps): CallGuard {
  const { circuits, concurrency, rules, allowances, routing, refusals, clock } = deps;
  const isGuarded = ({ channel }: CallContext): boolean =>
    deps.settings.guards === 'all' || isOwnPath(channel);

  return {
    name: 'gateway',

    receive: async (call) => {
      if (!isGuarded(call.context)) return;
      const caller = callerIn(call);
      const book = await rules.current();
      const block = book.blockOfCaller(caller, clock.now());
      if (block) throw await refusals.blocked(call, block);
      // What is known to be used up is refused before the checks, which would cost time.
      const known = book.limitsOfCaller(caller).map((limit) => ({ limit, grant: allowances.known(limit) }));
      Object.assign(call.answerHeaders, limitHeaders(known));
      const usedUp = known.find(({ grant }) => !grant.allowed);
      if (usedUp) throw await refusals.rateLimited(call, usedUp);
    },

    chooseVersion: async (call) => {
      if (!isOwnPath(call.context.channel)) return undefined;
      const { algorithm_id, version_id } = call.request;
      const route = (await rules.current()).routeOf(algorithm_id);
      const choice = await routing.choose(route, callerIn(call), version_id);
      const role = choice?.route?.roleOf(choice.versionId);
      if (!choice || role === undefined) return choice;
      return { versionId: choice.versionId, headers: { 'X-Vitrine-Route': role } };
    },

    admit: async (call) => {
      if (!isGuarded(call.context)) return undefined;
      const book = await rules.current();
      const block = book.blockOfAlgorithm(call.callable.algorithm.id, clock.now());
      if (block) throw await refusals.blocked(call, block);
      const taken = await takeAll(allowances, book.limitsOf(callerIn(call)));
      Object.assign(call.answerHeaders, limitHeaders(taken));
      const last = taken.at(-1);
      if (last && !last.grant.allowed) throw await refusals.rateLimited(call, last);
      return async (refusal) => {
        // Given back before the refusal is counted, which may take a moment.
        Object.assign(call.answerHeaders, limitHeaders(giveBackAll(allowances, taken)));
        if (ConcurrencyLimited.is(refusal)) await refusals.count(call, refusal);
      };
    },

    around: async (call, send) => {
      const { callable, context } = call;
      if (!isGuarded(context)) return send();
      const { algorithm, version } = callable;
      // Checked first, because a call that is not sent needs no slot of the bulkhead.
      const open = circuits.outcomeWhileOpen(version);
      if (open) return open;
      const book = await rules.current();
      const limit = book.concurrencyPolicyOf(algorithm.id)?.concurrency;
      return concurrency.run(callable, limit, () => circuits.run(version, send), context.signal);
    },
  };
}

/** Whether a call came through `/gateway/call`. */
function isOwnPath(channel: CallContext['channel']): boolean {
  return channel === 'gateway';
}

function callerIn({ principal, request, context }: ReceivedCall): Caller {
  return callerOf(principal, context.address, request.algorithm_id);
}
