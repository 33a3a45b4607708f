import {
  newId,
  isoTime,
  token,
  type Audit,
  type Author,
  type Database,
  type Invalidation,
  type PreparedRead,
  type Transaction,
} from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type VersionCheck, type VersionChecks } from '../catalogue/contract.ts';
import { RunRow, StateRow } from './models.ts';
import type { CheckedIds } from './run-examples.ts';
import type { ExampleResult } from './example-result.ts';
import type { CheckRunAnswer } from './schemas.ts';

/** Almost a day of hourly checks: enough to see whether a version breaks now and then, or for good. */
const KEPT_RUNS = 20;

/** A check that ended. */
export interface EndedCheck extends CheckedIds {
  readonly revision: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly passed: boolean;
  readonly examples: readonly ExampleResult[];
}

/** What a check changed. */
export interface StoredCheck {
  readonly run: CheckRunAnswer;
  /** Now, and before the check. */
  readonly now: StateRow;
  readonly before: StateRow | undefined;
}

/** What is known of a version. */
export type KnownState = Pick<StateRow, 'version_id' | 'algorithm_id' | 'state' | 'checked_at' | 'revision'>;

export interface CheckStoreDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly audit: Audit;
  readonly settings: { readonly broken_after: number };
}

/** Stores what checks found: the state of each version, and the last checks of each. */
export class CheckStore implements VersionChecks {
  readonly #deps: CheckStoreDeps;
  // Without models, because all rows are read every minute.
  readonly #all: PreparedRead<KnownState>;
  readonly #ofAlgorithm: PreparedRead<KnownState>;
  readonly #inState: PreparedRead<Pick<KnownState, 'version_id'>>;

  constructor(deps: CheckStoreDeps) {
    this.#deps = deps;
    const { database } = deps;
    const states = 'SELECT version_id, algorithm_id, state, checked_at, revision FROM checks_states';
    this.#all = database.read(states);
    this.#ofAlgorithm = database.read(`${states} WHERE algorithm_id = ?`);
    this.#inState = database.read('SELECT version_id FROM checks_states WHERE state = ?');
  }

  async of(versionIds: readonly string[]): Promise<ReadonlyMap<string, VersionCheck>> {
    const { knex } = this.#deps.database;
    const rows = await StateRow.query(knex).whereIn('version_id', [...versionIds]);
    return new Map(rows.map(({ version_id, state, since }) => [version_id, { state, since }]));
  }

  async inState(state: 'working' | 'broken'): Promise<readonly string[]> {
    return (await this.#inState.all(state)).map(({ version_id }) => version_id);
  }

  /** The states of all versions that were ever checked, or of those of one algorithm. */
  async states(algorithmId?: string): Promise<readonly KnownState[]> {
    return await (algorithmId === undefined ? this.#all.all() : this.#ofAlgorithm.all(algorithmId));
  }

  async state(versionId: string): Promise<StateRow | undefined> {
    return await StateRow.query(this.#deps.database.knex).findById(versionId);
  }

  /** The last checks of a version, newest first. */
  async runs(version_id: string): Promise<CheckRunAnswer[]> {
    const rows = await RunRow.query(this.#deps.database.knex).where({ version_id }).orderBy('id', 'desc');
    return rows.map(answerOf);
  }

  /** Stores a check. `by` is who asked for it; without it the schedule did. */
  async store(check: EndedCheck, by: Author | undefined): Promise<StoredCheck> {
    const { database, audit } = this.#deps;
    return await database.transaction(async (trx) => {
      const before = await StateRow.query(trx).findById(check.version_id).forUpdate();
      const now = await this.#changeState(trx, check, before);
      const run = await RunRow.query(trx).insertAndFetch(rowOf(check, by));
      await deleteOldRuns(trx, check.version_id);
      if (by) {
        const target = { kind: 'version', id: check.version_id };
        await audit.record(trx, by, { action: 'version.check', target, after: { passed: check.passed } });
      }
      return { run: answerOf(run), now, before };
    });
  }

  /** Takes back what is known of versions that have changed since. */
  async forgetStates(rows: readonly CheckedIds[]): Promise<void> {
    await this.#change(rows, (trx, ids) =>
      StateRow.query(trx).whereIn('version_id', ids).patch({ state: 'unchecked', since: null }),
    );
  }

  /** Deletes everything about versions. */
  async remove(rows: readonly CheckedIds[]): Promise<void> {
    await this.#change(rows, async (trx, ids) => {
      await RunRow.query(trx).whereIn('version_id', ids).delete();
      await StateRow.query(trx).whereIn('version_id', ids).delete();
    });
  }

  async #change(
    rows: readonly CheckedIds[],
    write: (trx: Transaction, ids: string[]) => PromiseLike<unknown>,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.#deps.database.transaction(async (trx) => {
      await write(
        trx,
        rows.map(({ version_id }) => version_id),
      );
      for (const { algorithm_id } of rows) this.#publish(trx, algorithm_id);
    });
  }

  async #changeState(trx: Transaction, check: EndedCheck, before: StateRow | undefined): Promise<StateRow> {
    const { algorithm_id, version_id, revision, passed } = check;
    const state = passed ? 'working' : 'broken';
    const checked_at = isoTime(check.startedAt);
    const failed_runs = passed ? 0 : (before?.failed_runs ?? 0) + 1;
    const values = {
      algorithm_id,
      state,
      since: before?.state === state ? before.since : checked_at,
      checked_at,
      revision,
      failed_runs,
      is_reported: failed_runs >= this.#deps.settings.broken_after,
    } as const;
    const row = StateRow.fromJson({ version_id, ...values });
    await StateRow.query(trx).insert(row).onConflict('version_id').merge();
    if (before?.state !== state) this.#publish(trx, algorithm_id);
    return row;
  }

  #publish(trx: Transaction, algorithmId: string): void {
    this.#deps.invalidation.publish(trx, ALGORITHM_CHANGED_TOPIC, algorithmId);
  }
}

function rowOf({ algorithm_id, version_id, passed, startedAt, seconds, examples }: EndedCheck, by?: Author) {
  return {
    id: newId(startedAt),
    version_id,
    algorithm_id,
    passed,
    asked_by: by?.user_id ?? null,
    started_at: isoTime(startedAt),
    seconds,
    examples,
  };
}

function answerOf({ id, passed, asked_by, started_at, seconds, examples }: RunRow): CheckRunAnswer {
  return { id, passed, asked_by, started_at, seconds, examples: examples as ExampleResult[] };
}

async function deleteOldRuns(trx: Transaction, version_id: string): Promise<void> {
  const old = RunRow.query(trx).select('id').where({ version_id }).orderBy('id', 'desc').offset(KEPT_RUNS);
  // SQLite has no OFFSET without a LIMIT.
  const ids = (await old.limit(1000)).map(({ id }) => id);
  if (ids.length > 0) await RunRow.query(trx).whereIn('id', ids).delete();
}

export const CHECK_STORE = token<CheckStore>('checks:store');
