import {
  BoundedMap,
  isoTime,
  Problem,
  token,
  type Clock,
  type Logger,
  type Metrics,
  type Signals,
} from '../../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion, type Catalogue } from '../../catalogue/contract.ts';
import type { CallOutcome } from '../../invocation/contract.ts';
import { circuitsOpened } from '../metrics.ts';
import { Circuit, type CircuitSettings } from './circuit.ts';

const MOST_CIRCUITS = 10_000;

export interface CircuitsDeps {
  readonly settings: CircuitSettings;
  readonly catalogue: Pick<Catalogue, 'version'>;
  readonly signals: Signals;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What a circuit is about: a version as it was when its calls began to be watched. */
type Endpoint = Pick<AlgorithmVersion, 'id' | 'algorithm_id' | 'updated_at'>;

interface Watched {
  readonly endpoint: Endpoint;
  readonly circuit: Circuit;
}

/**
 * One circuit per endpoint, that is per version; one that was changed begins anew, for its failures were those of
 * another url or other parameters. Each instance learns for itself.
 */
export class Circuits {
  readonly #deps: CircuitsDeps;
  readonly #watched = new BoundedMap<Watched>(MOST_CIRCUITS, () => true);

  constructor(deps: CircuitsDeps) {
    this.#deps = deps;
    deps.signals.subscribe(ALGORITHM_CHANGED_TOPIC, (algorithmId) => this.#review(algorithmId));
  }

  /** When calls of a version may be tried again, in milliseconds since 1970; `undefined` when they may be now. */
  refusesUntil(versionId: string): number | undefined {
    return this.#watched.find(versionId)?.circuit.refusesUntil();
  }

  /** Why calls of a version are refused: `The endpoint failed 5 times in a row, the last time with upstream_timeout`. */
  reasonOf(versionId: string): string {
    return reasonOf(this.#watched.find(versionId)?.circuit);
  }

  /** Sends unless the circuit of the version is open; the outcome says so then. */
  run(endpoint: Endpoint, send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    const circuit = this.#circuitOf(endpoint) ?? this.#watch(endpoint);
    return circuit.run(send) ?? Promise.resolve(this.#refusal(circuit, circuit.refusesUntil()));
  }

  /** The outcome of a call that was not sent because the circuit of its endpoint is open. */
  outcomeWhileOpen(endpoint: Endpoint): CallOutcome | undefined {
    const circuit = this.#circuitOf(endpoint);
    const until = circuit?.refusesUntil();
    return circuit === undefined || until === undefined ? undefined : this.#refusal(circuit, until);
  }

  /** `undefined` when there is none, or that of the version before it was changed. */
  #circuitOf({ id, updated_at }: Endpoint): Circuit | undefined {
    const watched = this.#watched.find(id);
    return watched?.endpoint.updated_at === updated_at ? watched.circuit : undefined;
  }

  #watch({ id, algorithm_id, updated_at }: Endpoint): Circuit {
    const circuit = this.#make(id);
    this.#watched.set(id, { endpoint: { id, algorithm_id, updated_at }, circuit });
    return circuit;
  }

  /**
   * Open circuits keep calls away that would show that the version was changed, so they are looked after. What changed
   * is not always known: on SQLite often, when it was nothing of the catalogue.
   */
  #review(algorithmId: string | undefined): void {
    for (const watched of this.#watched.values()) {
      if (watched.circuit.failures === undefined) continue;
      if (algorithmId !== undefined && watched.endpoint.algorithm_id !== algorithmId) continue;
      void this.#forgetIfChanged(watched);
    }
  }

  async #forgetIfChanged(watched: Watched): Promise<void> {
    const { id } = watched.endpoint;
    if (!(await this.#isChanged(watched.endpoint)) || this.#watched.find(id) !== watched) return;
    this.#watched.delete(id);
    this.#deps.logger.info(
      { version_id: id },
      'The circuit of an endpoint begins anew: its version was changed.',
    );
  }

  async #isChanged({ id, algorithm_id, updated_at }: Endpoint): Promise<boolean> {
    const { catalogue, logger } = this.#deps;
    try {
      return (await catalogue.version(algorithm_id, id)).updated_at !== updated_at;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return true;
      logger.warn(
        { err: error, version_id: id },
        'Whether a version with an open circuit was changed could not be read.',
      );
      return false;
    }
  }

  #refusal(circuit: Circuit, until: number | undefined): CallOutcome {
    const when = isoTime(until ?? this.#deps.clock.now());
    const message = `${reasonOf(circuit)}, and was not asked. It is tried again from ${when} on.`;
    return { ok: false, code: 'circuit_open', message, seconds: 0 };
  }

  #make(versionId: string): Circuit {
    const { settings, clock, logger, metrics } = this.#deps;
    const circuit = new Circuit(settings, clock, (state) => {
      if (state === 'open') metrics.counter(circuitsOpened.name).inc();
      const { count, lastCode } = circuit.failures ?? {};
      logger.warn(
        { version_id: versionId, failures: count, last_error_code: lastCode },
        `The circuit of an endpoint is ${state}.`,
      );
    });
    return circuit;
  }
}

function reasonOf(circuit: Circuit | undefined): string {
  const failures = circuit?.failures;
  if (!failures) return 'The endpoint failed again and again';
  const { count, lastCode } = failures;
  const times = count === 1 ? 'once' : `${count} times in a row, the last time`;
  return `The endpoint failed ${times} with ${lastCode}`;
}

export const CIRCUITS = token<Circuits>('gateway:circuits');
