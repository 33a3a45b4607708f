import { LRUCache } from 'lru-cache';
import { isoTime, token, type Author, type Clock, type Logger, type Metrics } from '../../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion, type Catalogue } from '../../catalogue/contract.ts';
import type { CallOutcome } from '../../invocation/contract.ts';
import { circuitsOpened } from '../metrics.ts';
import { changeRule, type RuleChangesDeps } from '../rules/rule-changes.ts';
import type { Circuit } from '../schemas.ts';
import { CircuitBreaker, type CircuitSettings } from './circuit-breaker.ts';

const MAX_CIRCUITS = 10_000;

/** The `Invalidation` topic for circuits that an administrator closes. */
const CIRCUIT_RESET_TOPIC = 'gateway:circuit-reset';

export interface VersionCircuitsDeps extends RuleChangesDeps {
  readonly settings: CircuitSettings;
  readonly catalogue: Pick<Catalogue, 'version' | 'callableByVersion'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The version of a circuit, as it was when the circuit was made. */
type Endpoint = Pick<AlgorithmVersion, 'id' | 'algorithm_id' | 'updated_at'>;

interface VersionCircuit {
  readonly endpoint: Endpoint;
  readonly breaker: CircuitBreaker;
}

/**
 * One circuit per version and instance. A changed version gets a new circuit, since the failures were those of another
 * URL or other parameters.
 */
export class VersionCircuits {
  readonly #deps: VersionCircuitsDeps;
  readonly #circuits = new LRUCache<string, VersionCircuit>({
    maxSize: MAX_CIRCUITS,
    sizeCalculation: () => 1,
  });

  constructor(deps: VersionCircuitsDeps) {
    this.#deps = deps;
    deps.invalidation.subscribe(
      ALGORITHM_CHANGED_TOPIC,
      (algorithmId) => void this.#dropChanged(algorithmId),
    );
    deps.invalidation.subscribe(CIRCUIT_RESET_TOPIC, (versionId) => {
      if (versionId !== undefined) this.#circuits.delete(versionId);
    });
  }

  /** The circuits of this instance that are not closed, the one that opened last first. */
  open(): Circuit[] {
    return [...this.#circuits.values()]
      .flatMap(({ endpoint, breaker }) => shown(endpoint, breaker) ?? [])
      .toSorted((one, other) => other.opened_at.localeCompare(one.opened_at));
  }

  /** Closes the circuit of a version on all instances, whether it is open here or not. Throws `VersionNotFound`. */
  async reset(versionId: string, by: Author): Promise<void> {
    const { version } = await this.#deps.catalogue.callableByVersion(versionId);
    const target = { kind: 'version', id: versionId, name: version.version };
    const change = { by, action: 'gateway_circuit.reset', target };
    await changeRule(this.#deps, CIRCUIT_RESET_TOPIC, async () => change);
  }

  /** When calls of a version may be sent again, in milliseconds since 1970; `undefined` when they may be sent now. */
  refusesUntil(versionId: string): number | undefined {
    return this.#circuits.get(versionId)?.breaker.refusesUntil();
  }

  /** Why calls of a version are refused: `The endpoint failed 5 times in a row, the last time with upstream_timeout`. */
  reasonOf(versionId: string): string {
    return reasonOf(this.#circuits.get(versionId)?.breaker);
  }

  /** Sends the call; the outcome is `circuit_open` when the circuit of the version is open. */
  run(endpoint: Endpoint, send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    const breaker = this.#of(endpoint);
    return breaker.run(send) ?? Promise.resolve(this.#refusal(breaker));
  }

  /** The outcome of a call while the circuit of its endpoint is open; `undefined` while it is closed. */
  outcomeWhileOpen(endpoint: Endpoint): CallOutcome | undefined {
    const breaker = this.#of(endpoint);
    return breaker.refusesUntil() === undefined ? undefined : this.#refusal(breaker);
  }

  /** The circuit of a version, a new one when the version changed. */
  #of({ id, algorithm_id, updated_at }: Endpoint): CircuitBreaker {
    const found = this.#circuits.get(id);
    if (found?.endpoint.updated_at === updated_at) return found.breaker;
    const { settings, clock, logger, metrics } = this.#deps;
    const breaker = new CircuitBreaker(settings, clock, (state) => {
      if (state === 'open') metrics.counter(circuitsOpened.name).inc();
      const { count, lastCode } = breaker.failures ?? {};
      logger.warn(
        { version_id: id, failures: count, last_error_code: lastCode },
        `The circuit of an endpoint is ${state}.`,
      );
    });
    this.#circuits.set(id, { endpoint: { id, algorithm_id, updated_at }, breaker });
    return breaker;
  }

  /**
   * Drops open circuits of versions that were changed or deleted, which would refuse the calls that the change may have made
   * possible. The invalidation does not always name the algorithm.
   */
  async #dropChanged(algorithmId: string | undefined): Promise<void> {
    const open = [...this.#circuits.values()].filter(({ breaker }) => breaker.failures);
    for (const circuit of open) {
      const { id, algorithm_id, updated_at } = circuit.endpoint;
      if (algorithmId !== undefined && algorithmId !== algorithm_id) continue;
      // Of a version that cannot be read the circuit is dropped as well: it opens again after as many failures.
      const version = await this.#deps.catalogue.version(algorithm_id, id).catch(() => undefined);
      // A call of the changed version may have got a circuit of its own meanwhile, whose failures count.
      if (version?.updated_at !== updated_at && this.#circuits.get(id) === circuit) this.#circuits.delete(id);
    }
  }

  #refusal(breaker: CircuitBreaker): CallOutcome {
    const when = isoTime(breaker.refusesUntil() ?? this.#deps.clock.now());
    const message = `${reasonOf(breaker)}, and was not asked. It is tried again from ${when} on.`;
    return { ok: false, code: 'circuit_open', message, seconds: 0 };
  }
}

function shown({ id, algorithm_id }: Endpoint, breaker: CircuitBreaker): Circuit | undefined {
  const { state, failures } = breaker;
  if (state === 'closed' || failures === undefined) return undefined;
  const retryAt = state === 'open' ? breaker.refusesUntil() : undefined;
  return {
    version_id: id,
    algorithm_id,
    state,
    failures: failures.count,
    last_error_code: failures.lastCode,
    opened_at: isoTime(failures.since),
    retry_at: retryAt === undefined ? null : isoTime(retryAt),
  };
}

function reasonOf(breaker: CircuitBreaker | undefined): string {
  if (!breaker?.failures) return 'The endpoint failed again and again';
  const { count, lastCode } = breaker.failures;
  const times = count === 1 ? 'once' : `${count} times in a row, the last time`;
  return `The endpoint failed ${times} with ${lastCode}`;
}

export const VERSION_CIRCUITS = token<VersionCircuits>('gateway:version-circuits');
