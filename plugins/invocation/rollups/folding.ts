import { token, type Logger } from '../../../core/index.ts';
import type { CallRollups } from './call-rollups.ts';

const INTERVAL_MS = 5_000;

/** Folds the roll-ups of calls every few seconds, so that statistics read few rows. */
export interface RollupFolding {
  start(): void;
  /** Resolves when the fold that is under way, if any, has ended. */
  stop(): Promise<void>;
}

export const ROLLUP_FOLDING = token<RollupFolding>('invocation:rollup-folding');

export function createRollupFolding(deps: {
  readonly rollups: CallRollups;
  readonly logger: Logger;
}): RollupFolding {
  const { rollups, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const foldAll = async (): Promise<void> => {
    try {
      for (const rollup of Object.values(rollups)) await rollup.fold();
    } catch (error) {
      logger.debug({ err: error }, 'The sums of calls could not be folded; the next run folds them.');
    }
  };
  const run = (): void => {
    running ??= foldAll().finally(() => (running = undefined));
  };
  return {
    start: () => {
      timer = setInterval(run, INTERVAL_MS).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
