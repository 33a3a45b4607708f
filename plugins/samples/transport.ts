import { ValidationFailed, type Clock, type Logger } from '../../core/index.ts';
import type { CallOutcome, PreparedCall, Transport, TransportLimits } from '../invocation/contract.ts';
import type { SamplesSettings } from './config.ts';
import type { EmbeddedAlgorithm } from './contract.ts';
import { outcomeOf } from './outcomes.ts';
import type { AlgorithmPool } from './running/pool.ts';

const SCHEME = 'plugin';

export interface EmbeddedTransportDeps {
  readonly algorithms: readonly EmbeddedAlgorithm[];
  readonly pool: AlgorithmPool;
  readonly settings: SamplesSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reaches embedded algorithms under `plugin:<id>`. */
export class EmbeddedTransport implements Transport {
  readonly schemes = [SCHEME];
  readonly #modules: ReadonlyMap<string, string>;
  readonly #deps: EmbeddedTransportDeps;

  constructor(deps: EmbeddedTransportDeps) {
    this.#deps = deps;
    this.#modules = new Map(deps.algorithms.map(({ id, module }) => [id, module.href]));
  }

  check(url: URL): void {
    if (this.#moduleOf(url.href)) return;
    const known = [...this.#modules.keys()].map((id) => `${SCHEME}:${id}`).join(', ');
    const message = `No embedded algorithm has the address "${url.href}". There are: ${known || 'none'}.`;
    throw ValidationFailed(message, { errors: [{ pointer: '/body/url', message }] });
  }

  async send(call: PreparedCall, limits: TransportLimits): Promise<CallOutcome> {
    const url = call.callable.version.url;
    const module = this.#moduleOf(url);
    if (!module) return unknownAlgorithm(url);
    const { pool, clock, settings } = this.#deps;
    const started = clock.elapsed();
    const job = {
      module,
      input: call.request.input_data,
      params: call.params,
      maxOutputBytes: limits.maxOutputBytes,
    };
    const verdict = await pool.run(job, limits);
    if ('detail' in verdict)
      this.#deps.logger.error(
        // Its words may quote what it was given.
        { call_id: call.id, url, fault: call.payloadPolicy ? verdict.kind : verdict.detail },
        'An embedded algorithm failed.',
      );
    const seconds = (clock.elapsed() - started) / 1000;
    return outcomeOf(verdict, { seconds, memoryMb: settings.memory_mb, ...limits });
  }

  #moduleOf(url: string): string | undefined {
    return url.startsWith(`${SCHEME}:`) ? this.#modules.get(url.slice(SCHEME.length + 1)) : undefined;
  }
}

function unknownAlgorithm(url: string): CallOutcome {
  const message = `No enabled plugin brings the embedded algorithm "${url}". Enable its plugin or change the version's url.`;
  return { ok: false, code: 'upstream_unreachable', message, seconds: 0 };
}
