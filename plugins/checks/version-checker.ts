import {
  Bulkhead,
  Overloaded,
  token,
  type Author,
  type Clock,
  type EventBus,
  type Logger,
  type Metrics,
} from '../../core/index.ts';
import type { Catalogue, Example, ExampledVersion } from '../catalogue/contract.ts';
import type { CheckStore, StoredCheck } from './check-store.ts';
import { versionBroke, versionMended } from './contract.ts';
import { checkSeconds, checksTotal } from './metrics.ts';
import { NothingToCheck } from './problems.ts';
import type { ExampleRunner } from './run-examples.ts';
import type { CheckRunAnswer } from './schemas.ts';

/** Versions that one process checks at once: a slow endpoint does not hold up all others, and callers hardly notice. */
export const CHECKS_AT_ONCE = 2;

export interface VersionCheckerDeps {
  readonly catalogue: Catalogue;
  readonly runner: ExampleRunner;
  readonly store: CheckStore;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

interface RunningCheck {
  /** Of the version when the check began. */
  readonly revision: string;
  readonly run: Promise<CheckRunAnswer>;
}

/** Checks versions, a few at once in this process. */
export class VersionChecker {
  readonly #deps: VersionCheckerDeps;
  readonly #bulkhead: Bulkhead;
  /** By the id of the version. */
  readonly #running = new Map<string, RunningCheck>();

  constructor(deps: VersionCheckerDeps) {
    this.#deps = deps;
    this.#bulkhead = new Bulkhead({
      limit: CHECKS_AT_ONCE,
      // The schedule waits with as many as may run, and as many again may be asked for by hand.
      queueLimit: 2 * CHECKS_AT_ONCE,
      refuse: () =>
        Overloaded('Many versions are being checked. Try again in a moment.', {
          headers: { 'Retry-After': '5' },
        }),
    });
  }

  /**
   * Runs the examples of a version, stores what came of it, and tells when it broke or works again. While a check of the
   * version runs, its result is shared, so that the endpoint is asked by one check at a time.
   */
  async check(version: ExampledVersion, signal: AbortSignal, by?: Author): Promise<CheckRunAnswer> {
    const { version_id, revision } = version;
    for (let running; (running = this.#running.get(version_id));) {
      // A check that is given up has no result, and the version or its examples may have changed since it began.
      const run = await running.run.catch(() => undefined);
      if (run && running.revision === revision) return run;
    }
    const run = this.#checkAlone(version, signal, by).finally(() => this.#running.delete(version_id));
    this.#running.set(version_id, { revision, run });
    return await run;
  }

  async #checkAlone(version: ExampledVersion, signal: AbortSignal, by?: Author): Promise<CheckRunAnswer> {
    const { metrics } = this.#deps;
    try {
      const stored = await this.#bulkhead.run(() => this.#check(version, signal, by), signal);
      metrics
        .counter(checksTotal.name)
        .labels(stored.run.passed ? 'passed' : 'failed')
        .inc();
      metrics.histogram(checkSeconds.name).observe(stored.run.seconds);
      this.#tell(stored);
      return stored.run;
    } catch (error) {
      metrics.counter(checksTotal.name).labels('given_up').inc();
      throw error;
    }
  }

  async #check(version: ExampledVersion, signal: AbortSignal, by?: Author): Promise<StoredCheck> {
    const { catalogue, runner, store, clock } = this.#deps;
    const { algorithm_id, version_id, revision } = version;
    const startedAt = clock.now();
    const began = clock.elapsed();
    const examples = await runner.run(version, inOrder(await catalogue.examples(version_id)), signal);
    if (examples.length === 0) throw NothingToCheck('The examples of the version were deleted just now.');
    return await store.store(
      {
        algorithm_id,
        version_id,
        revision,
        startedAt,
        seconds: Math.round(clock.elapsed() - began) / 1000,
        passed: examples.every(({ outcome }) => outcome !== 'failed'),
        examples,
      },
      by,
    );
  }

  #tell({ now, before }: StoredCheck): void {
    const { events, logger } = this.#deps;
    const { algorithm_id, version_id, since, failed_runs } = now;
    const ids = { algorithm_id, version_id };
    if (now.is_reported && !before?.is_reported) {
      events.emit(versionBroke, { ...ids, since: since!, failed_runs });
      logger.warn({ ...ids, failed_runs }, 'A version fails its checks.');
    } else if (before?.is_reported && !now.is_reported) {
      events.emit(versionMended, { ...ids, failed_runs: before.failed_runs });
      logger.info(ids, 'A version passes its checks again.');
    }
  }
}

/** Those with an expected output first, since they say more, in case that there is no time for all. */
function inOrder(examples: readonly Example[]): readonly Example[] {
  const fitting = examples.filter(({ fits }) => fits);
  const expects = ({ output_data }: Example): boolean => output_data !== null && output_data !== undefined;
  return [...fitting.filter(expects), ...fitting.filter((example) => !expects(example))];
}

export const VERSION_CHECKER = token<VersionChecker>('checks:version-checker');
