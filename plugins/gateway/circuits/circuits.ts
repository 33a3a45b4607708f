import { isoTime, token, type Clock, type Logger, type Metrics } from '../../../core/index.ts';
import type { CallOutcome } from '../../invocation/contract.ts';
import { BoundedMap } from '../bounded-map.ts';
import { circuitsOpened } from '../metrics.ts';
import { Circuit, type CircuitSettings } from './circuit.ts';

const MOST_CIRCUITS = 10_000;

export interface CircuitsDeps {
  readonly settings: CircuitSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** One circuit per endpoint, that is per version. Each instance learns for itself. */
export class Circuits {
  readonly #deps: CircuitsDeps;
  readonly #circuits = new BoundedMap<Circuit>(MOST_CIRCUITS, () => true);

  constructor(deps: CircuitsDeps) {
    this.#deps = deps;
  }

  /** When calls of a version may be tried again, in milliseconds since 1970; `undefined` when they may be now. */
  refusesUntil(versionId: string): number | undefined {
    return this.#circuits.find(versionId)?.refusesUntil();
  }

  /** Sends unless the circuit of the version is open; the outcome says so then. */
  run(versionId: string, send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    const circuit = this.#circuits.getOrMake(versionId, () => this.#make(versionId));
    return circuit.run(send) ?? Promise.resolve(this.#open(circuit.refusesUntil()));
  }

  /** The outcome of a call that was not sent because the circuit of its endpoint is open. */
  outcomeWhileOpen(versionId: string): CallOutcome | undefined {
    const until = this.refusesUntil(versionId);
    return until === undefined ? undefined : this.#open(until);
  }

  #open(until: number | undefined): CallOutcome {
    const when = isoTime(until ?? this.#deps.clock.now());
    return {
      ok: false,
      code: 'circuit_open',
      message: `The endpoint failed again and again and was not asked. It is tried again from ${when} on.`,
      seconds: 0,
    };
  }

  #make(versionId: string): Circuit {
    const { settings, clock, logger, metrics } = this.#deps;
    return new Circuit(settings, clock, (state) => {
      if (state === 'open') metrics.counter(circuitsOpened.name).inc();
      logger.warn({ version_id: versionId }, `The circuit of an endpoint is ${state}.`);
    });
  }
}

export const CIRCUITS = token<Circuits>('gateway:circuits');
