import { token, type Clock, type Database, type Logger } from '../../../core/index.ts';
import type { CallRow } from '../recording/call-row.ts';
import { PAYLOAD_BYTES, withinBytes, type Sized } from '../recording/payload-bytes.ts';
import type { Recorder } from '../recording/recorder.ts';
import { Instances } from './instances.ts';
import { closing, interrupted, OPEN_CALL_COLUMNS } from './open-calls.ts';

/** Between looks. */
const EVERY_MS = 2_000;
/** So many looks without a beat: the instance is dead. */
const MISSED_LOOKS = 5;
/** Calls of a dead instance that are ended in one transaction, and the bytes of their inputs beyond one call. */
const ENDED_AT_ONCE = 100;
const ENDED_BYTES = 8_388_608;

/** Keeps calls that have not ended, and ends those whose process died. */
export interface Journal {
  /**
   * Makes it durable that a call begins. Throws `StoreUnavailable` when it does not become durable in time: the endpoint
   * must not be asked then.
   */
  begin(call: CallRow): Promise<void>;
  /** Shows that this instance lives, and ends what dead ones left behind. Throws when the store is away. */
  look(): Promise<void>;
  /** Looks now and then again and again. */
  start(): Promise<void>;
  /** For when no call is under way any more. */
  stop(): Promise<void>;
}

export const JOURNAL = token<Journal>('invocation:journal');

export interface JournalDeps {
  readonly database: Database;
  readonly recorder: Recorder;
  readonly settings: { readonly journal: 'end' | 'intent' };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly instance: string;
}

export function createJournal(deps: JournalDeps): Journal {
  const { database, recorder, clock, logger, instance } = deps;
  const isIntent = deps.settings.journal === 'intent';
  const instances = new Instances(database, instance, MISSED_LOOKS);
  const left = database.read<Sized>(
    `SELECT id, ${PAYLOAD_BYTES} AS size FROM invocation_open_calls WHERE instance = ? ORDER BY id LIMIT ${ENDED_AT_ONCE}`,
  );
  const leftUntil = database.read<CallRow>(
    `SELECT ${OPEN_CALL_COLUMNS} FROM invocation_open_calls WHERE instance = ? AND id <= ? ORDER BY id LIMIT ${ENDED_AT_ONCE}`,
  );
  /** A commit may have happened although it was not confirmed. Ids alone: an outage would keep the inputs for its whole length. */
  const notBegun = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;

  const end = async (dead: string): Promise<void> => {
    let ended = 0;
    for (;;) {
      const last = withinBytes(await left.all(dead), ENDED_BYTES).at(-1);
      if (last === undefined) break;
      const calls = await leftUntil.all(dead, last.id);
      // Another instance may have been faster.
      if (calls.length === 0) continue;
      await recorder.end(calls.map((call) => interrupted(call, clock.now())));
      ended += calls.length;
    }
    await instances.forget(dead);
    if (ended === 0) return;
    logger.warn(
      { instance: dead, calls: ended },
      'Ended the calls that an instance left behind when it died.',
    );
  };

  const takeBack = async (): Promise<void> => {
    const ids = [...notBegun];
    if (ids.length === 0) return;
    await database.write([], [closing(database.engine, ids)]);
    for (const id of ids) notBegun.delete(id);
  };

  /** Whether there is anything to look for later. */
  const look = async (): Promise<boolean> => {
    if (isIntent) await instances.beat();
    await takeBack();
    const { others, dead } = await instances.look();
    for (const id of dead) await end(id);
    return isIntent || others > 0;
  };

  const again = async (): Promise<void> => {
    let isNeeded = true;
    try {
      isNeeded = await look();
    } catch (error) {
      logger.warn({ err: error }, 'Calls that other instances left behind cannot be looked for now.');
    }
    if (isNeeded && !isStopped) timer = setTimeout(run, EVERY_MS).unref();
  };
  const run = (): void => void (looking = again());

  return {
    begin: async (call) => {
      try {
        await recorder.begin(call);
      } catch (error) {
        notBegun.add(call.id);
        throw error;
      }
    },
    look: async () => void (await look()),
    start: async () => {
      run();
      await looking;
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      if (!isIntent) return;
      await takeBack()
        .then(() => instances.forget(instance))
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'This instance could not say that it leaves.'),
        );
    },
  };
}
