import { LRUCache } from 'lru-cache';
import { DAY_MS, isoDay, token, type Clock, type Invalidation } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type CallSums, type RecordedCalls } from './contract.ts';
import type { CatalogueReader } from './reader.ts';
import type { AlgorithmStats } from './schemas.ts';

const DAYS = 30;
/** How old the sums may be by which a list is sorted. */
const MAX_AGE_MS = 10_000;

type Sums = ReadonlyMap<string, CallSums>;

/** Figures of calls for lists, where a plugin keeps calls. */
export class CallFigures {
  readonly #calls: RecordedCalls | undefined;
  readonly #clock: Clock;
  /** One entry: the sums of all algorithms that were called. */
  readonly #sums: LRUCache<'all', Sums>;

  constructor(deps: {
    calls: readonly RecordedCalls[];
    reader: CatalogueReader;
    clock: Clock;
    invalidation: Invalidation;
  }) {
    [this.#calls] = deps.calls;
    this.#clock = deps.clock;
    this.#sums = new LRUCache<'all', Sums>({
      max: 1,
      ttl: MAX_AGE_MS,
      perf: { now: () => deps.clock.now() },
      ttlResolution: 0,
      fetchMethod: async () => this.#sumsOf(await deps.reader.matching({}, 'all')),
      ignoreFetchAbort: true,
    });
    deps.invalidation.subscribe(ALGORITHM_CHANGED_TOPIC, () => this.#sums.clear());
  }

  /** Sorts ids by `calls` or `success`, with a minus in descending order. What was never called is last by `success`. */
  async sorted(ids: readonly string[], sort: string): Promise<readonly string[]> {
    const sums = await this.#sums.forceFetch('all');
    const sign = sort.startsWith('-') ? -1 : 1;
    const never = sort.endsWith('success') ? sign * Infinity : 0;
    const keyed = ids.map((id) => {
      const of = sums.get(id);
      if (of === undefined) return { id, key: never };
      return { id, key: sort.endsWith('success') ? of.successes / of.calls : of.calls };
    });
    return keyed
      .sort((a, b) => (a.key === b.key ? compare(a.id, b.id) : compare(a.key, b.key)) * sign)
      .map(({ id }) => id);
  }

  /** The figures of each of these algorithms; `undefined` where no plugin keeps calls. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, AlgorithmStats> | undefined> {
    if (this.#calls === undefined) return undefined;
    const now = this.#clock.now();
    const days = Array.from({ length: DAYS }, (_, n) => isoDay(now - (DAYS - 1 - n) * DAY_MS));
    const [sums, daily] = await Promise.all([
      this.#sumsOf(ids),
      this.#calls.days(ids, days[0]!, days.at(-1)!),
    ]);
    const counts = new Map(daily.map(({ algorithm_id, day, calls }) => [`${algorithm_id} ${day}`, calls]));
    return new Map(
      ids.map((id) => [
        id,
        { ...rateOf(sums.get(id)), days: days.map((day) => counts.get(`${id} ${day}`) ?? 0) },
      ]),
    );
  }

  async #sumsOf(ids: readonly string[]): Promise<Sums> {
    const sums = (await this.#calls?.sums(ids)) ?? [];
    return new Map(sums.map((of) => [of.algorithm_id, of]));
  }
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The rate is in percent, with at most four decimals, and 0 where there is no call. */
function rateOf({ calls, successes }: Omit<CallSums, 'algorithm_id'> = { calls: 0, successes: 0 }) {
  return { calls, success_rate: calls === 0 ? 0 : Math.round((successes / calls) * 1_000_000) / 10_000 };
}

export const CALL_FIGURES = token<CallFigures>('catalogue:call-figures');
