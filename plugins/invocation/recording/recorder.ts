import { join } from 'node:path';
import {
  Overloaded,
  token,
  type Clock,
  type Database,
  type EventBus,
  type Logger,
  type Metrics,
} from '../../../core/index.ts';
import { callRecorded, type RecordHook } from '../contract.ts';
import { Backlog } from './backlog.ts';
import type { CallRow } from './call-row.ts';
import { GroupCommit } from './group-commit.ts';
import { callCounter } from './metrics.ts';
import { RecordWriter } from './record-writer.ts';
import { Spool } from './spool.ts';
import { isAway } from './store-fault.ts';
import { StoreWatch } from './store-watch.ts';

/** A record that is not stored within this time goes to the spool. */
const LIMIT_MS = 5_000;
/** While more characters of records wait, no new call begins. */
const MAX_WAITING_CHARACTERS = 67_108_864;

/** Makes records of calls durable: a queue, a writer that takes batches from it, and a spool for what is not written. */
export interface Recorder {
  /** Throws `StoreUnavailable` while the database is away, and `Overloaded` while too many large records wait for it. */
  demandStore(): void | Promise<void>;
  /** Resolves when the record is durable. Throws `StoreUnavailable` when it is in the spool and will be stored later. */
  record(call: CallRow): Promise<void>;
  /** Resolves when it is durable that the call begins. Throws `StoreUnavailable` when it does not become durable in time. */
  begin(call: CallRow): Promise<void>;
  /** Stores how calls ended that a dead process had begun. Throws `StoreUnavailable`. */
  end(calls: readonly CallRow[]): Promise<void>;
  /** Stores what is in the spool since the last stop. */
  start(): Promise<void>;
  /** Keeps a stop short: from now on a record that is not stored within a second goes to the spool. */
  hurry(): void;
  /** Resolves when every record was stored or is in the spool. */
  stop(): Promise<void>;
  readonly state: RecorderState;
}

/** How the recorder is, for health checks and metrics. */
export interface RecorderState {
  readonly isAway: boolean;
  /** Why the database takes no records; `undefined` while it takes them. */
  readonly reason: string | undefined;
  /** Records that wait for a batch. */
  readonly waiting: number;
  /** Batches in the spool. */
  readonly spooled: number;
  /** The error code of the disk, when the spool could not be read or emptied. */
  readonly fault: string | undefined;
}

export const RECORDER = token<Recorder>('invocation:recorder');

export interface RecorderDeps {
  readonly database: Database;
  readonly hooks: readonly RecordHook[];
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dataDirectory: string;
  /** The id under which calls are written before they end; absent when they are only written at their end. */
  readonly instance?: string | undefined;
  /** How long a record is tried, in milliseconds; 5,000 by default. */
  readonly limitMs?: number | undefined;
}

/** Connects the queue, the writer, the spool and the watch. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { database, events, metrics, clock, logger, limitMs = LIMIT_MS } = deps;
  const watch = new StoreWatch({
    ask: () => database.ping(),
    probe: async () => {
      await database.write([probeRow(clock.now())]);
      await backlog.replay();
    },
    limitMs,
    clock,
    logger,
  });
  const backlog: Backlog = new Backlog({
    spool: new Spool(join(deps.dataDirectory, 'spool', 'calls')),
    store: (calls) => writer.store(calls),
    lost: (error) => watch.lost(error),
    logger,
  });
  const count = callCounter(metrics, () => queue.depth);
  const writer: RecordWriter = new RecordWriter({
    ...deps,
    backlog,
    watch,
    limitMs,
    onStored: (calls) => {
      count(calls);
      for (const call of calls) events.emit(callRecorded, factOf(call));
    },
  });
  const queue: GroupCommit = new GroupCommit({
    makeDurable: (calls) => writer.write(calls),
    isPoison: (error) => !isAway(error),
    clock,
  });
  const beginnings = new GroupCommit({
    makeDurable: (calls) => writer.begin(calls),
    isPoison: () => false,
    clock,
  });
  return {
    demandStore: () => {
      if (queue.characters > MAX_WAITING_CHARACTERS) throw tooManyWaiting();
      return watch.demand();
    },
    record: (call) => queue.add(call),
    begin: (call) => beginnings.add(call),
    end: (calls) => writer.store(calls),
    start: () => backlog.replay().catch((error: unknown) => watch.lost(error)),
    hurry: () => writer.hurry(),
    stop: async () => {
      writer.hurry();
      await queue.idle();
      watch.stop();
      await backlog.finish();
    },
    get state() {
      const { batches: spooled, fault } = backlog;
      return { isAway: watch.isAway, reason: watch.reason, waiting: queue.depth, spooled, fault };
    },
  };
}

/** A small row: writing it proves that the database takes writes. */
function probeRow(now: number) {
  return {
    table: 'invocation_probes',
    columns: { name: 'text', probed_at: 'integer' },
    rows: [['recorder', now]],
    onConflict: { key: ['name'], set: ['probed_at'] },
  } as const;
}

function factOf({ id, user_id, algorithm_id, version_id, status }: CallRow) {
  return { call_id: id, user_id, algorithm_id, version_id, status };
}

function tooManyWaiting(): Error {
  return Overloaded('Too many large outputs wait for their records. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
}
