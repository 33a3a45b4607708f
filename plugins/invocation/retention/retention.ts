import { setTimeout as pause } from 'node:timers/promises';
import { token, type Clock, type Database, type Logger, type Metrics } from '../../../core/index.ts';
import type { InvocationLimits } from '../config.ts';
import type { MonthPartitions } from '../partitions/month-partitions.ts';
import { Batches } from './batches.ts';
import { HOLD_AGAIN_MS, Lease } from './lease.ts';
import { hasLimit, limitsOf } from './limits.ts';
import type { Kept } from './marks.ts';
import { rowsDeleted } from './metrics.ts';
import type { RetentionSettings } from './settings.ts';
import { WholePartitions } from './whole-partitions.ts';

/** A transaction every so often, so that calls hardly wait for the writer. */
const PAUSE_MS = 50;

/** What a run deleted: records, and payloads of records that stay. */
export type RetentionReport = Record<Kept, number>;

/** Deletes what is kept no longer, and makes the partitions that make it easy. */
export interface Retention {
  /** Whether there is ever anything to do. */
  readonly isNeeded: boolean;
  /**
   * One run, which drops whole partitions at once and deletes the rest in small transactions with pauses; `undefined` when
   * another instance runs.
   */
  run(): Promise<RetentionReport | undefined>;
  /** Resolves when the run that is under way, if any, has ended after its current transaction. */
  stop(): Promise<void>;
}

export const RETENTION = token<Retention>('invocation:retention');

export interface RetentionDeps {
  readonly database: Database;
  readonly partitions: MonthPartitions;
  readonly settings: RetentionSettings & Pick<InvocationLimits, 'timeout_ms'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells this instance from others. */
  readonly holder: string;
}

export function createRetention(deps: RetentionDeps): Retention {
  const { database, settings, clock, logger } = deps;
  const limits = limitsOf(settings);
  const isLimited = hasLimit(limits.records) || hasLimit(limits.payloads);
  const whole = new WholePartitions(database);
  const lease = new Lease(database, clock, deps.holder);
  const counter = deps.metrics.counter(rowsDeleted.name);
  const stopping = new AbortController();
  let heldAt = -Infinity;
  let running: Promise<RetentionReport | undefined> | undefined;

  const hold = async (): Promise<boolean> => {
    if (clock.elapsed() - heldAt < HOLD_AGAIN_MS) return true;
    const isOurs = await lease.hold();
    heldAt = isOurs ? clock.elapsed() : -Infinity;
    return isOurs;
  };

  const goOn = async (): Promise<boolean> => !stopping.signal.aborted && (await hold());
  const batches = new Batches({ ...deps, goOn });

  /** What cannot be dropped now is deleted in batches. */
  const dropWhole = async (): Promise<number> => {
    let dropped = 0;
    try {
      while (await goOn()) {
        const rows = await whole.drop(limits.records, clock.now());
        if (rows === undefined) break;
        counter.inc({ kind: 'records' }, rows);
        dropped += rows;
      }
    } catch (error) {
      logger.warn(
        { err: error },
        'Partitions of old records could not be dropped; the next run tries again.',
      );
    }
    return dropped;
  };

  const deleteOld = async (kept: Kept): Promise<number> => {
    if (!hasLimit(limits[kept])) return 0;
    let deleted = kept === 'records' ? await dropWhole() : 0;
    for await (const batch of batches[kept](limits[kept])) {
      await database.write([], batch.changes);
      counter.inc({ kind: kept }, batch.rows);
      deleted += batch.rows;
      await pause(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    return deleted;
  };

  const run = async (): Promise<RetentionReport | undefined> => {
    if (!(await goOn())) return undefined;
    const began = clock.elapsed();
    try {
      await deps.partitions.makeAhead();
      const report = { records: await deleteOld('records'), payloads: await deleteOld('payloads') };
      const elapsed_ms = Math.round(clock.elapsed() - began);
      if (isLimited) {
        logger.info({ ...report, elapsed_ms }, 'Deleted records and payloads that are kept no longer.');
      }
      return report;
    } finally {
      heldAt = -Infinity;
      await lease.release();
    }
  };

  return {
    isNeeded: isLimited || database.engine === 'postgres',
    run: () => (running ??= run().finally(() => (running = undefined))),
    stop: async () => {
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}
