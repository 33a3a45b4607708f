import { Problem, type Logger } from '../../core/index.ts';
import type { Configuration } from './configuration.ts';

/** Brings the stored token under the key in use. One that cannot be read is no reason not to start. */
export async function resealToken({
  configuration,
  logger,
}: {
  readonly configuration: Configuration;
  readonly logger: Logger;
}): Promise<void> {
  try {
    if (await configuration.reseal()) {
      logger.info({}, 'The access token of the code-hosting server was encrypted anew under SECRET_KEY.');
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    logger.warn({}, error.message);
  }
}
