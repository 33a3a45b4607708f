import { setTimeout as pause } from 'node:timers/promises';
import {
  CLOCK,
  DATABASE,
  job,
  LOGGER,
  token,
  type Clock,
  type Database,
  type Logger,
  type Metrics,
} from '../../../core/index.ts';
import type { InvocationSettings, RetentionSettings } from '../config.ts';
import { rowsDeleted } from '../metrics.ts';
import { makeMonthsAhead } from '../partitions/month-partitions.ts';
import { Batches } from './batches.ts';
import { hasLimit, limitsOf } from './limits.ts';
import type { RetentionKind } from './marks.ts';
import { WholePartitions } from './whole-partitions.ts';

/** The pause between two transactions, so that calls hardly wait for the writer. */
const PAUSE_MS = 50;

/** How many records a run deleted, and how many payloads of other records. */
export type RetentionReport = Record<RetentionKind, number>;

/** Deletes records and payloads beyond their limits. */
export interface Retention {
  /**
   * Runs once: drops whole partitions, and deletes the rest in small transactions with pauses. Ends after the current
   * transaction when the signal aborts.
   */
  run(signal?: AbortSignal): Promise<RetentionReport>;
}

export const RETENTION = token<Retention>('invocation:retention');

export const retentionJob = job({
  name: 'retention',
  summary: 'Deletes records and payloads that are kept no longer, and makes the coming months of records',
  every: '10m',
  // The first run after a limit was set may have millions of records to delete.
  deadline: '1d',
  deps: { retention: RETENTION, database: DATABASE, clock: CLOCK, logger: LOGGER },
  run: async ({ signal }, { retention, ...base }) => {
    await makeMonthsAhead(base);
    await retention.run(signal);
  },
});

export interface RetentionDeps {
  readonly database: Database;
  readonly settings: RetentionSettings & Pick<InvocationSettings, 'timeout_ms'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createRetention(deps: RetentionDeps): Retention {
  const { database, settings, clock, logger } = deps;
  const limits = limitsOf(settings);
  const whole = new WholePartitions(database);
  const batches = new Batches(deps);
  const counter = deps.metrics.counter(rowsDeleted.name);

  /** Drops whole partitions. Records of partitions that cannot be dropped now are deleted in batches. */
  const dropWhole = async (signal: AbortSignal): Promise<number> => {
    let dropped = 0;
    try {
      while (!signal.aborted) {
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

  const deleteOld = async (kind: RetentionKind, signal: AbortSignal): Promise<number> => {
    if (!hasLimit(limits[kind])) return 0;
    let deleted = kind === 'records' ? await dropWhole(signal) : 0;
    for await (const { rows, changes } of batches[kind](limits[kind], signal)) {
      await database.write([], changes);
      counter.inc({ kind }, rows);
      deleted += rows;
      await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return deleted;
  };

  return {
    run: async (signal = new AbortController().signal) => {
      const began = clock.elapsed();
      const report = {
        records: await deleteOld('records', signal),
        payloads: await deleteOld('payloads', signal),
      };
      if (report.records + report.payloads > 0) {
        const elapsed_ms = Math.round(clock.elapsed() - began);
        logger.info({ ...report, elapsed_ms }, 'Deleted records and payloads that are kept no longer.');
      }
      return report;
    },
  };
}
