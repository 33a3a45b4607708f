import pino from 'pino';
import type { Logger } from './logger.ts';
import { redacted } from './redact.ts';

export interface LoggerOptions {
  readonly level: string;
  /** Standard error by default. */
  readonly destination?: pino.DestinationStream;
  /** Fields of every line. */
  readonly base?: Readonly<Record<string, unknown>>;
}

/** Lines are flushed at this many characters, or after this many milliseconds. */
const BUFFER = { minLength: 16_000, periodicFlush: 100 };

let shared: pino.DestinationStream | undefined;

/**
 * Standard error, one stream for all loggers of the process. It is buffered, because a write for each line would take a
 * tenth of the time of a request. Pino flushes it at exit.
 */
function standardError(): pino.DestinationStream {
  shared ??= openStandardError();
  return shared;
}

function openStandardError(): pino.DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false, ...BUFFER });
  // A reader such as `head` may have left. This write finds out; the one at exit would be tried again for ever.
  process.once('beforeExit', () => stream.flush());
  return stream;
}

function describedError(error: unknown): unknown {
  return error instanceof Error ? redacted(pino.stdSerializers.err(error)) : error;
}

/** A log of JSON lines with ISO times, on pino. Values under secret names are masked at any depth. */
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

/** Masks secrets in the fields of child loggers, to which pino does not apply its formatters. */
function redacting(logger: pino.Logger): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => redacting(logger.child(redacted(fields))),
  };
}
