import {
  StoreUnavailable,
  UniqueViolation,
  type BatchInsert,
  type Clock,
  type Database,
  type EventBus,
  type Logger,
  type SqlValue,
} from '../../../../core/index.ts';
import { quiet } from '../../../support/quiet.ts';
import { createMetrics } from '../../../../core/telemetry/prometheus.ts';
import { recordMetrics } from '../../../../plugins/invocation/recording/metrics.ts';
import { createRecorder, type Recorder } from '../../../../plugins/invocation/recording/recorder.ts';
import type { RecordHook } from '../../../../plugins/invocation/contract.ts';

/** A store in memory that is away, or breaks after a commit, when the test says so. */
export class FakeStore {
  /** Record ids, in the order in which they were committed. */
  readonly stored: SqlValue[] = [];
  /** Sizes of the batches of records. */
  readonly sizes: number[] = [];
  /** Rows of record hooks, by table. */
  readonly rows: Record<string, number> = {};
  isAway = false;
  /** While it is away. */
  description = 'The database does not answer.';
  /** The next write commits, and its answer is lost. */
  breaksAfterCommit = false;
  attempts = 0;
  pings = 0;

  #demand(): void {
    if (this.isAway) throw StoreUnavailable(this.description);
  }

  async #write(batch: readonly BatchInsert[]): Promise<void> {
    const calls = batch.find(({ table }) => table === 'invocation_calls')?.rows ?? [];
    if (calls.length > 0) this.attempts += 1;
    this.#demand();
    const ids = calls.map(([id]) => id!);
    if (ids.some((id) => this.stored.includes(id))) throw new UniqueViolation('duplicate id', {});
    this.stored.push(...ids);
    if (ids.length > 0) this.sizes.push(ids.length);
    for (const { table, rows } of batch) this.rows[table] = (this.rows[table] ?? 0) + rows.length;
    if (this.breaksAfterCommit) {
      this.breaksAfterCommit = false;
      throw StoreUnavailable('The connection broke.');
    }
  }

  readonly database = {
    engine: 'sqlite',
    write: (batch: readonly BatchInsert[]) => this.#write(batch),
    ping: async () => {
      this.pings += 1;
      this.#demand();
    },
    read: () => ({
      first: async (id: SqlValue) => {
        this.#demand();
        return this.stored.includes(id) ? { id } : undefined;
      },
    }),
  } as unknown as Database;
}

/** A recorder on a fake store. A record that is not stored within 1.2 s goes to the spool. */
export function recorderOn(
  store: FakeStore,
  dataDirectory: string,
  more: {
    hooks?: readonly RecordHook[];
    clock?: Clock;
    events?: unknown[];
    logger?: Logger;
    limitMs?: number;
  } = {},
): Recorder {
  const { hooks = [], events = [] } = more;
  return createRecorder({
    database: store.database,
    hooks,
    events: { emit: (_type, payload) => void events.push(payload) } as EventBus,
    metrics: createMetrics(recordMetrics),
    clock: more.clock ?? { now: () => 0, elapsed: () => performance.now() },
    logger: more.logger ?? quiet,
    dataDirectory,
    limitMs: more.limitMs ?? 1_200,
  });
}
