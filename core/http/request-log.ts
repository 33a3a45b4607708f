import type { Clock } from '../support/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricDeclaration, Metrics } from '../telemetry/metrics.ts';
import type { RequestLevel } from '../telemetry/settings.ts';
import { LogLimiter } from '../telemetry/log-limiter.ts';
import { Problem } from '../errors/problem.ts';
import { Overloaded } from '../errors/core-problems.ts';
import { traceIdIn } from '../telemetry/tracing.ts';
import { CLIENT_CLOSED_REQUEST, isClosed, type RequestState, type StepContext } from './state.ts';

const REFUSED = 'http_server_refused_requests_total';
const DURATION = 'http_server_request_duration_seconds';

/** The metrics of the HTTP server. */
export const httpMetrics: readonly MetricDeclaration[] = [
  {
    kind: 'histogram',
    name: DURATION,
    help: 'Time from the first byte of a request to its answer, by method, route template and status.',
    labels: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  {
    kind: 'counter',
    name: REFUSED,
    help: 'Requests that were answered 503 because too many were being worked on.',
  },
];

/** Characters of a path in the log. */
const LONGEST_PATH = 500;

/** Writes a log line and a metric observation for each request; requests that admission refuses share one line a second. */
export class RequestLog {
  readonly #logger: Logger;
  readonly #level: RequestLevel;
  readonly #durations: ReturnType<Metrics['histogram']>;
  readonly clock: Clock;
  readonly #refusedTotal: { inc(): void };
  readonly #refusals: LogLimiter;

  /** `level`: that of the lines of requests; those of probes are never above `debug`. */
  constructor(
    { logger, level }: { readonly logger: Logger; readonly level: RequestLevel },
    metrics: Metrics,
    clock: Clock,
  ) {
    this.#logger = logger;
    this.#level = level;
    this.#durations = metrics.histogram(DURATION);
    this.clock = clock;
    this.#refusedTotal = metrics.counter(REFUSED);
    this.#refusals = new LogLimiter(clock);
  }

  /** Logs and measures a request that is about to be answered. `started` is in monotonic milliseconds. */
  answered(ctx: StepContext, started: number): void {
    const { request, operation, user, traceparent } = ctx.state;
    const status = isClosed(ctx) ? CLIENT_CLOSED_REQUEST : ctx.status;
    const milliseconds = this.clock.elapsed() - started;
    const method = METHODS.includes(request.method) ? request.method : 'other';
    const route = operation?.template ?? 'none';
    this.#durations.observe({ method, route, status }, milliseconds / 1000);
    if (this.#level === 'silent') return;
    const line = {
      method,
      route,
      status,
      request_id: request.id,
      ms: Math.round(milliseconds * 100) / 100,
      address: request.ip,
      // Without the query, where clients send what they search for, and secrets by mistake.
      path: request.path.slice(0, LONGEST_PATH),
      user: user?.userId,
      trace_id: traceparent && traceIdIn(traceparent),
    };
    this.#logger[operation?.probe ? 'debug' : this.#level](line, 'request');
  }

  /** Logs the cause of a 5xx, which the client does not see, with the plugin that it came from. */
  failed({ request, operation }: RequestState, error: unknown): void {
    if (Overloaded.is(error)) return this.#refused(error);
    const fields = {
      request_id: request.id,
      plugin: operation?.plugin ?? 'core',
      route: operation?.template,
    };
    if (!(error instanceof Problem)) {
      this.#logger.error({ ...fields, err: error }, 'request failed unexpectedly');
    } else if (error.status >= 500) {
      this.#logger.warn({ ...fields, code: error.code, err: error.cause }, error.message);
    }
  }

  #refused({ message, code }: Problem): void {
    this.#refusedTotal.inc();
    const refused = this.#refusals.add();
    if (refused > 0) this.#logger.warn({ code, refused }, message);
  }
}

/** Methods with a label of their own in metrics and traces. All others share one, because clients can invent any number. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
