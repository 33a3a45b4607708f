import pino from 'pino';
import pretty from 'pino-pretty';
import type { Logger } from './logger.ts';
import { redacted } from './redact.ts';

export interface LoggerOptions {
  readonly level: string;
  /** How lines are written: `json` by default; `auto` is `pretty` where standard error is a terminal. */
  readonly format?: 'auto' | 'json' | 'pretty';
  /** Standard error by default. */
  readonly destination?: pino.DestinationStream;
}

/** Coloured lines for people where `format` says so: time, level, plugin, sentence and then the other fields. */
const PRETTY: pretty.PrettyOptions = {
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: 'plugin',
  messageFormat: '{if plugin}{plugin}: {end}{msg}',
};

/**
 * Lines are flushed at this many characters, or after this many milliseconds. Not many more: the stream copies what it
 * holds with each line, to count its bytes. Lines beyond `maxLength` that cannot be written are lost.
 */
const BUFFER = { minLength: 2_000, periodicFlush: 100, maxLength: 16 * 1024 * 1024 };

type Destination = ReturnType<typeof pino.destination>;

let shared: Destination | undefined;

/** Resolves when all lines so far are written or cannot be. Await it before an exit: a write that first fails during the exit is retried for ever. */
export function logWritten(): Promise<void> {
  return new Promise((resolve) => {
    if (shared) shared.flush(() => resolve());
    else resolve();
  });
}

/**
 * Standard error, one stream for all loggers of the process. It is buffered, because a write for each line would take a
 * tenth of the time of a request. Pino flushes it at exit.
 */
function standardError(): Destination {
  shared ??= openStandardError();
  return shared;
}

function openStandardError(): Destination {
  const stream = pino.destination({ dest: 2, sync: false, ...BUFFER });
  const flushSync = stream.flushSync.bind(stream);
  // A log on a full disk must not end the service, and an exit must not wait until there is room.
  stream.on('error', () => (stream.flushSync = () => undefined));
  stream.on('write', () => (stream.flushSync = flushSync));
  // If the reader, such as `head`, has closed the pipe, this flush fails once; the one at exit would be retried for ever.
  process.once('beforeExit', () => stream.flush());
  return stream;
}

function streamOf({ format = 'json', destination }: LoggerOptions): pino.DestinationStream {
  const isPretty = format === 'pretty' || (format === 'auto' && !destination && process.stderr.isTTY);
  if (isPretty) return pretty({ ...PRETTY, destination: destination ?? 2, sync: true });
  return destination ?? standardError();
}

function describedError(error: unknown): unknown {
  return error instanceof Error ? redacted(pino.stdSerializers.err(error)) : error;
}

/** A log on pino, in JSON lines with ISO times or for people. Values under secret names are masked at any depth. */
export function createLogger(given: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level: given.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redacted },
    serializers: { err: describedError, error: describedError },
  };
  return redacting(pino(options, streamOf(given)));
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
