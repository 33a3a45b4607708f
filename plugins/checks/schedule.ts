import { isoTime, job, Problem, token, type Clock, type Logger } from '../../core/index.ts';
import type { Catalogue, ExampledVersion } from '../catalogue/contract.ts';
import type { CheckStore } from './check-store.ts';
import type { ChecksSettings } from './config.ts';
import { whyUncheckable } from './schemas.ts';
import { CHECKS_AT_ONCE, type VersionChecker } from './version-checker.ts';

/** After this long a run begins no further check; the next run goes on with those that wait longest. */
const BUDGET_MS = 600_000;

export interface ScheduleDeps {
  readonly catalogue: Catalogue;
  readonly checker: VersionChecker;
  readonly store: CheckStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: ChecksSettings;
}

/** A version, and when it was last checked as it is now; empty when it was not. */
interface Known {
  readonly version: ExampledVersion;
  readonly checkedAt: string;
}

/** Says which versions are to be checked, and has them checked. */
export class Schedule {
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Checks the versions that are due: those that changed since, or whose last check is old enough; the oldest first. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#deps;
    const known = await this.#refreshed();
    if (!settings.scheduled) return;
    const end = clock.elapsed() + BUDGET_MS;
    const due = this.#due(known).values();
    const work = async (): Promise<void> => {
      for (const version of due) {
        if (signal.aborted || clock.elapsed() > end) return;
        await this.#check(version, signal);
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  }

  /** Forgets what is known of versions of an algorithm that changed since they were checked, or went. */
  async refresh(algorithmId: string): Promise<void> {
    await this.#refreshed(algorithmId);
  }

  /** As `refresh`, of all algorithms or of one. Returns what has examples with what is known of it. */
  async #refreshed(algorithmId?: string): Promise<readonly Known[]> {
    const { catalogue, store } = this.#deps;
    // Before the versions, so that none that is checked meanwhile is taken for one that is gone.
    const rows = await store.states(algorithmId);
    const versions = await catalogue.exampledVersions(algorithmId);
    const existing = new Set(versions.map(({ version_id }) => version_id));
    const known = new Map(
      rows.flatMap((row) => (row.state === 'unchecked' ? [] : [[row.version_id, row] as const])),
    );
    const isUpToDate = (version: ExampledVersion): boolean =>
      known.get(version.version_id)?.revision === version.revision && whyUncheckable(version) === undefined;
    await store.remove(rows.filter(({ version_id }) => !existing.has(version_id)));
    await store.forgetStates(
      versions.filter((version) => known.has(version.version_id) && !isUpToDate(version)),
    );
    return versions.map((version) => ({
      version,
      checkedAt: isUpToDate(version) ? known.get(version.version_id)!.checked_at : '',
    }));
  }

  #due(known: readonly Known[]): readonly ExampledVersion[] {
    const { clock, settings } = this.#deps;
    const latest = isoTime(clock.now() - settings.interval_s * 1000);
    return known
      .filter(({ version, checkedAt }) => checkedAt <= latest && whyUncheckable(version) === undefined)
      .toSorted((a, b) => (a.checkedAt < b.checkedAt ? -1 : 1))
      .map(({ version }) => version);
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
