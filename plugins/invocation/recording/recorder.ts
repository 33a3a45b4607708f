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
import { callCounter, gaugeBacklog } from './metrics.ts';
import { RecordWriter } from './record-writer.ts';
import { Spool, SPOOL_FOLDER } from './spool.ts';
import { isAway } from './store-fault.ts';
import { StoreWatch } from './store-watch.ts';

/** A record that is not stored within this time goes to the spool; milliseconds. */
const LIMIT_MS = 5_000;
/** While more characters than this wait to be stored, new calls are refused. */
const MAX_WAITING_CHARACTERS = 67_108_864;

/** Makes records durable, with a queue, a writer that takes batches from it, and a spool for what it cannot store. */
export interface Recorder {
  /** Throws `StoreUnavailable` while the database is away, and `Overloaded` while too many large records wait. */
  demandStore(): void | Promise<void>;
  /** Resolves when the record is durable. Throws `StoreUnavailable` when it is in the spool and will be stored later. */
  record(call: CallRow): Promise<void>;
  /** Resolves when the open call is durable. Throws `StoreUnavailable` when that takes too long. */
  begin(call: CallRow): Promise<void>;
  /** Stores the records of open calls of a dead process. Throws `StoreUnavailable`. */
  storeInterrupted(calls: readonly CallRow[]): Promise<void>;
  /** Stores the batches that the last run left in the spool. */
  start(): Promise<void>;
  /** Shortens a stop: from now on a record that is not stored within a second goes to the spool. */
  hurry(): void;
  /** Resolves when every record is stored or in the spool. */
  stop(): Promise<void>;
  readonly state: RecorderState;
}

/** What a call needs of the recorder. */
export type CallRecorder = Pick<Recorder, 'demandStore' | 'record' | 'begin'>;

/** The state of the recorder, for health checks and metrics. */
export interface RecorderState {
  readonly isAway: boolean;
  /** Why the database takes no records; `undefined` while it takes them. */
  readonly reason: string | undefined;
  /** The number of records that wait for a batch. */
  readonly waiting: number;
  /** The number of batches in the spool. */
  readonly spooled: number;
  /** The error code of the disk when the spool could not be read or emptied. */
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
  /** The id of this instance for the journal; absent when calls are only written when they end. */
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
  const spool = new Spool(join(deps.dataDirectory, SPOOL_FOLDER));
  const backlog: Backlog = new Backlog({
    spool,
    store: (calls) => writer.store(calls),
    lost: (error) => watch.lost(error),
    logger,
  });
  const count = callCounter(metrics, () => queue.depth);
  gaugeBacklog(
    metrics,
    () => watch.isAway,
    () => spool.size(),
  );
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
    storeInterrupted: (calls) => writer.store(calls),
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

/** The upsert of a small row, which proves that the database takes writes. */
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
