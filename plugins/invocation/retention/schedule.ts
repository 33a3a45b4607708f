import { randomSecret, token, type Logger } from '../../../core/index.ts';
import type { Retention } from './retention.ts';

const INTERVAL_MS = 600_000;

/** Runs the retention every ten minutes. */
export interface RetentionSchedule {
  start(): void;
  stop(): Promise<void>;
}

export const RETENTION_SCHEDULE = token<RetentionSchedule>('invocation:retention-schedule');

/** Half as long again or less by chance, so that instances which start together do not always run together. */
export function createSchedule(deps: {
  readonly retention: Retention;
  readonly logger: Logger;
}): RetentionSchedule {
  const { retention, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const later = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void run(), INTERVAL_MS * (0.5 + randomSecret(1)[0]! / 256)).unref();
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
