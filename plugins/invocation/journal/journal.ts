import { token, type Clock, type Database, type Logger } from '../../../core/index.ts';
import type { PreparedCall } from '../contract.ts';
import type { PayloadReducer } from '../payload/reducer.ts';
import { type CallRow, runningRowOf } from '../recording/call-row.ts';
import type { Recorder, CallRecorder } from '../recording/recorder.ts';
import { Instances } from './instances.ts';
import { interrupted, OPEN_CALL_COLUMNS } from './open-calls.ts';

const CHECK_EVERY_MS = 2_000;
/** After this many checks without a new heartbeat an instance is dead. */
const MISSED_CHECKS = 5;

/** Records the open calls of dead instances as interrupted. */
export interface Journal {
  /** Writes a heartbeat and ends the open calls of dead instances. Throws when the database is away. */
  check(): Promise<void>;
  /** Checks now, and then every two seconds for as long as an instance may have open calls. */
  start(): Promise<void>;
  /** Stops the checks. No call of this instance may be in flight. */
  stop(): Promise<void>;
}

export const JOURNAL = token<Journal>('invocation:journal');

export interface JournalDeps {
  readonly database: Database;
  readonly recorder: Pick<Recorder, 'storeInterrupted'>;
  readonly settings: { readonly journal: 'end' | 'intent' };
  readonly clock: Clock;
  readonly logger: Logger;
  /** The id of this instance. */
  readonly instance: string;
}

/** Makes the journal of an instance. */
export function createJournal({
  database,
  recorder,
  settings,
  clock,
  logger,
  instance,
}: JournalDeps): Journal {
  const isIntent = settings.journal === 'intent';
  const instances = new Instances(database, instance, MISSED_CHECKS);
  // One at a time, because an input may have megabytes.
  const left = database.read<CallRow>(
    `SELECT ${OPEN_CALL_COLUMNS} FROM invocation_open_calls WHERE instance = ? ORDER BY id LIMIT 1`,
  );
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;
  let isStopped = false;

  const endCallsOf = async (dead: string): Promise<void> => {
    let calls = 0;
    for (let call = await left.first(dead); call; call = await left.first(dead)) {
      await recorder.storeInterrupted([interrupted(call, clock.now())]);
      calls += 1;
    }
    await instances.delete(dead);
    if (calls > 0) logger.warn({ instance: dead, calls }, 'Ended the open calls of a dead instance.');
  };

  /** Returns whether another check is needed. */
  const check = async (): Promise<boolean> => {
    if (isIntent) await instances.beat();
    const { others, dead } = await instances.check();
    for (const id of dead) await endCallsOf(id);
    return isIntent || others > 0;
  };

  const run = async (): Promise<void> => {
    const isNeeded = await check().catch((error: unknown) => {
      logger.warn({ err: error }, 'The open calls of other instances could not be read.');
      return true;
    });
    if (isNeeded && !isStopped) timer = setTimeout(() => void (checking = run()), CHECK_EVERY_MS).unref();
  };

  return {
    check: async () => void (await check()),
    start: () => (checking = run()),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await checking;
      if (!isIntent) return;
      await instances
        .leave()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'The row of this instance could not be deleted.'),
        );
    },
  };
}

/** Makes the function that records the beginning of a call, reduced by its payload policy. */
export function beginning({
  recorder,
  payloads,
}: {
  readonly recorder: CallRecorder;
  readonly payloads: PayloadReducer;
}): (call: PreparedCall) => Promise<void> {
  return (call) => recorder.begin(payloads.reduced(runningRowOf(call), call.payloadPolicy));
}
