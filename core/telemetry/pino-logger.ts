import pino from 'pino';
import { isoTime, systemClock } from '../support/clock.ts';
import { GatheredLines, type LogDestination } from './gathered-lines.ts';
import type { Logger } from './logger.ts';
import { redacted } from './redact.ts';

export interface LoggerOptions {
  readonly level: string;
  /** By default the standard error, written in the background, within a tenth of a second, and flushed at exit. */
  readonly destination?: LogDestination;
  /** Fields of every line. */
  readonly base?: Readonly<Record<string, unknown>>;
}

let standardError: LogDestination | undefined;

/**
 * The standard error, one for all loggers of the process. Lines are written together, for a write for each would cost a
 * request a tenth of its time, but none waits longer than a tenth of a second, and what is left is written at exit.
 */
function gathered(): LogDestination {
  if (standardError) return standardError;
  const destination = pino.destination({ dest: 2, sync: true });
  const lines = new GatheredLines(destination);
  process.on('exit', () => {
    lines.flush();
    destination.flushSync();
  });
  return (standardError = lines);
}

let fieldMs = 0;
let field = '';

/** Lines of the same millisecond share their time: under load, writing it is a quarter of a line's cost. */
function timeField(): string {
  const now = systemClock.now();
  if (now !== fieldMs) {
    fieldMs = now;
    field = `,"time":"${isoTime(now)}"`;
  }
  return field;
}

function describedError(error: unknown): unknown {
  return error instanceof Error ? redacted(pino.stdSerializers.err(error)) : error;
}

/** A log of JSON lines with ISO times, on pino. What stands under a secret name is masked at any depth. */
export function createLogger({ level, destination, base = {} }: LoggerOptions): Logger {
  const root = pino(
    {
      level,
      base: redacted(base),
      timestamp: timeField,
      formatters: { level: (label) => ({ level: label }), log: redacted },
      serializers: { err: describedError, error: describedError },
    },
    destination ?? gathered(),
  );
  return new PinoLogger(root);
}

/** Pino masks the fields of lines, but not those of children; this does both. */
class PinoLogger implements Logger {
  readonly #pino: pino.Logger;

  constructor(logger: pino.Logger) {
    this.#pino = logger;
  }

  debug(fields: object, message: string): void {
    this.#pino.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.#pino.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.#pino.warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.#pino.error(fields, message);
  }

  child(fields: object): Logger {
    return new PinoLogger(this.#pino.child(redacted(fields)));
  }
}
