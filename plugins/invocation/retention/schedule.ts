import { randomSecret, token, type Logger } from '../../../core/index.ts';
import type { Retention } from './retention.ts';

/** Runs the retention again and again. */
export interface RetentionSchedule {
  start(): void;
  stop(): Promise<void>;
}

export const RETENTION_SCHEDULE = token<RetentionSchedule>('invocation:retention-schedule');

/** Runs at irregular times, so that instances which start together do not ask together for ever. */
export function createSchedule(deps: {
  readonly retention: Retention;
  readonly intervalMs: number;
  readonly logger: Logger;
}): RetentionSchedule {
  const { retention, intervalMs, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const later = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void run(), intervalMs * (0.5 + randomSecret(1)[0]! / 256)).unref();
  };
  const run = async (): Promise<void> => {
    try {
      await retention.run();
    } catch (error) {
      logger.warn({ err: error }, 'A retention run broke off; the next one goes on.');
    }
    later();
  };
  return {
    start: () => {
      if (retention.isNeeded) later();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await retention.stop();
    },
  };
}
