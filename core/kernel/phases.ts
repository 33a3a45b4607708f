import type { Clock } from '../support/clock.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Runs work and logs how long it took, in one line. */
export async function timed<T>(
  { clock, logger }: { clock: Clock; logger: Logger },
  fields: object,
  sentence: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const began = clock.elapsed();
  const result = await work();
  logger.debug({ ...fields, ms: Math.round((clock.elapsed() - began) * 10) / 10 }, sentence);
  return result;
}
