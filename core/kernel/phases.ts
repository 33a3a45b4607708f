import { StartupError } from '../errors/startup-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Runs work and logs how long it took, one line each. */
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

/** Waits for work at most so long. Throws `StartupError` with the sentence when it takes longer. */
export async function within<T>(seconds: number, sentence: string, work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StartupError(sentence)), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
