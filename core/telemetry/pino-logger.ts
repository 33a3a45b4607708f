import pino from 'pino';
import type { Logger } from './logger.ts';
import { redacted } from './redact.ts';

export interface LoggerOptions {
  readonly level: string;
  /** By default the standard error. */
  readonly destination?: pino.DestinationStream;
  /** Fields of every line. */
  readonly base?: Readonly<Record<string, unknown>>;
}

/** Characters that are written without waiting for more, and the milliseconds that fewer of them wait. */
const BUFFER = { minLength: 16_000, periodicFlush: 100 };

let shared: pino.DestinationStream | undefined;

/**
 * The standard error, one stream for all loggers of the process. Lines are written together, because a write for each
 * line would cost a request a tenth of its time. Pino writes what is left at exit.
 */
function standardError(): pino.DestinationStream {
  shared ??= pino.destination({ dest: 2, sync: false, ...BUFFER });
  return shared;
}

function describedError(error: unknown): unknown {
  return error instanceof Error ? redacted(pino.stdSerializers.err(error)) : error;
}

/** A log of JSON lines with ISO times, on pino. What stands under a secret name is masked at any depth. */
export function createLogger({ level, destination, base = {} }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: redacted(base),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redacted },
    serializers: { err: describedError, error: describedError },
  };
  return redacting(pino(options, destination ?? standardError()));
}

/** Pino applies its formatters to the fields of lines, but not to those of children. */
function redacting(logger: pino.Logger): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => redacting(logger.child(redacted(fields))),
  };
}
