import { join } from 'node:path';
import {
  token,
  type Clock,
  type Database,
  type EventBus,
  type Logger,
  type Metrics,
  type WorkerPlace,
} from '../../../core/index.ts';
import type { CallRow } from './call-row.ts';
import { callRecorded, type RecordCompanion } from '../contract.ts';
import type { InFlight } from '../calling/in-flight.ts';
import { openCallsProbe } from '../journal/open-calls.ts';
import { callDuration, callsTotal } from '../metrics.ts';
import { Backlog } from './backlog.ts';
import { DurableWriter } from './durable-writer.ts';
import { GroupCommit } from './group-commit.ts';
import { HeldRecords } from './held-records.ts';
import { batchSize, recordsWaiting } from './metrics.ts';
import { Spool } from './spool.ts';
import { isAway, storeAway, StoreWatch } from './store-watch.ts';

/** Makes records of calls durable. */
export interface Recorder {
  /** Throws `StoreUnavailable` when the store is known, or now found, to be away. */
  demandStore(): void | Promise<void>;
  /** Resolves when the record is durable. Throws `StoreUnavailable` when it is set aside and will be stored later. */
  record(call: CallRow): Promise<void>;
  /** Resolves when it is durable that the call begins. Throws `StoreUnavailable` when it does not in time. */
  begin(call: CallRow): Promise<void>;
  /** Stores how calls ended that a dead process had begun. Throws `StoreUnavailable`. */
  end(calls: readonly CallRow[]): Promise<void>;
  /** Stores what was set aside before the last stop. */
  start(): Promise<void>;
  /** For a stop: from now on each record has a second to be stored, and is set aside then. */
  hurry(): void;
  /** Resolves soon, when every record handed in was stored or set aside, on the disk if it takes any. */
  stop(): Promise<void>;
  readonly state: {
    readonly isAway: boolean;
    /** Why the database takes no records, while it takes none. */
    readonly reason: string | undefined;
    readonly waiting: number;
    /** Batches set aside on the disk. */
    readonly spooled: number;
    /** Records set aside in memory, since the disk did not take them. */
    readonly held: number;
    /** What is wrong with the disk, by its code, while batches on it cannot be read or removed. */
    readonly fault: string | undefined;
  };
}

export const RECORDER = token<Recorder>('invocation:recorder');

export interface RecorderDeps {
  readonly database: Database;
  readonly companions: readonly RecordCompanion[];
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dataDirectory: string;
  readonly inFlight: Pick<InFlight, 'current'>;
  readonly worker: Pick<WorkerPlace, 'count'>;
  /** How much is held in memory when the disk takes no records either, in characters. */
  readonly mostHeldCharacters?: number | undefined;
  /** Under which calls are written before they end; absent when they are not. */
  readonly instance?: string | undefined;
  /** How long to wait between attempts to write; about 5 s in all by default. */
  readonly pausesMs?: readonly number[];
  /** How long a store that does not answer is waited for, counted from when it was first found away; 5 s by default. */
  readonly patienceMs?: number | undefined;
}

/** Puts the parts together: queue, writer, spool and watch. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { database, companions, events, clock, logger } = deps;
  const sizes = deps.metrics.histogram(batchSize.name);
  const depth = deps.metrics.gauge(recordsWaiting.name);
  const count = counterOf(deps.metrics);
  // Nothing of a call that could not begin is set aside, whose replay would tell whether its table takes it.
  const probesOfCalls = deps.instance === undefined ? [] : openCallsProbe(database.engine);
  const watch = new StoreWatch({
    ask: () => database.ping(),
    probe: async () => {
      try {
        await database.write([probe(clock.now())], probesOfCalls);
        await backlog.replay();
      } catch (error) {
        // The disk may have room again before the database does.
        await backlog.rescue();
        throw error;
      }
    },
    patienceMs: deps.patienceMs,
    clock,
    logger,
  });
  const backlog: Backlog = new Backlog({
    spool: new Spool(join(deps.dataDirectory, 'spool', 'calls')),
    held: new HeldRecords(deps.mostHeldCharacters),
    store: (calls) => writer.store(calls),
    watch,
    logger,
  });
  const writer: DurableWriter = new DurableWriter({
    database,
    companions,
    backlog,
    watch,
    clock,
    logger,
    instance: deps.instance,
    pausesMs: deps.pausesMs,
    patienceMs: deps.patienceMs,
    onStored: (calls) => {
      sizes.observe(calls.length);
      count(calls);
      for (const call of calls) events.emit(callRecorded, factOf(call));
    },
  });
  const queue = new GroupCommit({
    makeDurable: (calls) => writer.write(calls),
    isPoison: (error) => !isAway(error),
    worthwhile: () => worthwhile(deps),
    clock,
  });
  // Set when it is read, for while the store stands still nothing else happens. The types of prom-client lack it.
  Object.assign(depth, { collect: () => depth.set(queue.depth) });
  return {
    demandStore: () => watch.demand(),
    record: (call) => queue.add(call),
    begin: (call) =>
      queue.add(call).catch((error: unknown) => {
        throw isAway(error) ? storeAway(error) : error;
      }),
    end: (calls) => writer.store(calls),
    start: async () => {
      try {
        await backlog.replay();
      } catch (error) {
        watch.lost(error);
      }
    },
    hurry: () => writer.hurry(),
    stop: async () => {
      writer.hurry();
      await queue.idle();
      writer.stop();
      watch.stop();
      await backlog.finish();
    },
    get state() {
      const { spooled, held, fault } = backlog;
      return { isAway: watch.isAway, reason: watch.reason, waiting: queue.depth, spooled, held, fault };
    },
  };
}

/**
 * Of the calls that this process works on: were all of them in one batch, none would be worked on during its commit, so
 * it is a third of them; unless other workers use the cores meanwhile. Nobody joins a call that is alone.
 */
function worthwhile({ inFlight: { current }, worker }: RecorderDeps): number {
  return worker.count > 1 || current < 2 ? current : Math.max(2, current / 3);
}

/** A write that changes nothing that matters: it proves that the store takes writes. */
function probe(now: number) {
  return {
    table: 'invocation_probes',
    columns: { name: 'text', probed_at: 'integer' },
    rows: [['recorder', now]],
    onConflict: { key: ['name'], set: ['probed_at'] },
  } as const;
}

function factOf(call: CallRow) {
  return {
    call_id: call.id,
    user_id: call.user_id,
    algorithm_id: call.algorithm_id,
    version_id: call.version_id,
    status: call.status,
  };
}

function counterOf(metrics: Metrics): (calls: readonly CallRow[]) => void {
  const total = metrics.counter(callsTotal.name);
  const duration = metrics.histogram(callDuration.name);
  const succeeded = total.labels('success');
  const failed = total.labels('failed');
  return (calls) => {
    let successes = 0;
    for (const { status, response_time } of calls) {
      if (status === 'success') successes += 1;
      duration.observe(response_time);
    }
    succeeded.inc(successes);
    failed.inc(calls.length - successes);
  };
}
