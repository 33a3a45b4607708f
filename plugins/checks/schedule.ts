import { isoTime, job, Problem, token, type Clock, type Logger, type Metrics } from '../../core/index.ts';
import type { Catalogue, ExampledVersion } from '../catalogue/contract.ts';
import type { CheckStore } from './check-store.ts';
import type { ChecksSettings } from './config.ts';
import { brokenVersions } from './metrics.ts';
import type { StateRow } from './models.ts';
import { whyUncheckable } from './reasons.ts';
import type { VersionChecker } from './version-checker.ts';

/** After this long a run begins no further check; the next run goes on with those that wait longest. */
const BUDGET_MS = 600_000;

export interface ScheduleDeps {
  readonly catalogue: Catalogue;
  readonly checker: VersionChecker;
  readonly store: CheckStore;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: ChecksSettings;
}

/** Says which versions are to be checked, and has them checked. */
export class Schedule {
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Checks the versions that are due: those that changed since, or whose last check is old enough; the oldest first. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, settings, store, metrics } = this.#deps;
    const versions = await this.refresh();
    if (settings.scheduled) {
      const end = clock.elapsed() + BUDGET_MS;
      const due = (await this.#due(versions)).values();
      const work = async (): Promise<void> => {
        for (const version of due) {
          if (signal.aborted || clock.elapsed() > end) return;
          await this.#check(version, signal);
        }
      };
      await Promise.all(Array.from({ length: settings.concurrency }, work));
    }
    metrics.gauge(brokenVersions.name).set((await store.inState('broken')).length);
  }

  /**
   * Forgets the states of versions that changed since they were checked or cannot be checked any more, of all algorithms or
   * of one. Returns what has examples.
   */
  async refresh(algorithmId?: string): Promise<readonly ExampledVersion[]> {
    const { catalogue, store } = this.#deps;
    // Before the versions, so that none that is checked meanwhile is taken for one that is gone.
    const rows = await store.states(algorithmId);
    const versions = await catalogue.exampledVersions(algorithmId);
    const byId = new Map(versions.map((version) => [version.version_id, version]));
    const isOutdated = ({ version_id, state, revision }: StateRow): boolean => {
      const version = byId.get(version_id);
      if (version === undefined || state === 'unchecked') return false;
      return version.revision !== revision || whyUncheckable(version) !== undefined;
    };
    await store.remove(rows.filter(({ version_id }) => !byId.has(version_id)));
    await store.forgetStates(rows.filter(isOutdated));
    return versions;
  }

  async #due(versions: readonly ExampledVersion[]): Promise<readonly ExampledVersion[]> {
    const { clock, settings, store } = this.#deps;
    const latest = isoTime(clock.now() - settings.interval_s * 1000);
    const rows = new Map((await store.states()).map((row) => [row.version_id, row]));
    const checkedAt = ({ version_id, revision }: ExampledVersion): string => {
      const row = rows.get(version_id);
      return row?.revision === revision && row.state !== 'unchecked' ? row.checked_at : '';
    };
    return versions
      .filter((version) => whyUncheckable(version) === undefined && checkedAt(version) <= latest)
      .toSorted((a, b) => (checkedAt(a) < checkedAt(b) ? -1 : 1));
  }

  /** What says nothing about the endpoint is left for the next run. */
  async #check(version: ExampledVersion, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.checker.check(version, signal);
    } catch (error) {
      if (signal.aborted) return;
      const level = error instanceof Problem ? 'debug' : 'error';
      this.#deps.logger[level]({ err: error, version_id: version.version_id }, 'A check was given up.');
    }
  }
}

export const SCHEDULE = token<Schedule>('checks:schedule');

/** Looks every minute for versions that are due. */
export const checkJob = job({
  name: 'check-versions',
  summary: 'Runs the examples of versions that changed or were not checked for checks.interval_s',
  every: '1m',
  deadline: '20m',
  deps: { schedule: SCHEDULE },
  run: ({ signal }, { schedule }) => schedule.run(signal),
});
