import type { Knex } from 'knex';
import type { Logger } from '../telemetry/logger.ts';

/** Logs the messages of knex at debug level; failures reach operators as errors. */
export function knexLog(logger: Logger): Knex.Logger {
  const say = (message: unknown): void => logger.debug({ library: 'knex' }, String(message));
  return {
    warn: say,
    error: say,
    debug: say,
    deprecate: (method, alternative) => say(`${method} is deprecated: ${alternative}`),
  };
}
