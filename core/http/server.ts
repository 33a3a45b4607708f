import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { PermissionDecider } from '../auth/permission.ts';
import type { CredentialVerifier } from '../auth/verifier.ts';
import { NotReady } from '../errors/core-problems.ts';
import type { Clock } from '../support/clock.ts';
import { setDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracing.ts';
import type { RequestLevel } from '../telemetry/settings.ts';
import { createAdmission } from './admission.ts';
import { createApp } from './app.ts';
import { answerClientError, refuseTunnel } from './client-errors.ts';
import { Connections } from './connections.ts';
import type { HttpMiddleware } from './middlewares.ts';
import { publicAddress } from './public-url.ts';
import { RequestLog } from './request-log.ts';
import { mountRoutes } from './routing/mount.ts';
import type { MountedRoute } from './routing/mounted-route.ts';
import { createOperationTable } from './routing/operation-table.ts';
import { serveOperation } from './routing/serve.ts';
import { serverBounds, type ServerBounds } from './server-bounds.ts';
import type { ServerOptions } from './server-settings.ts';
import { SlowReaders } from './slow-readers.ts';
import { cannotListen } from './taken-port.ts';

/** Long enough for a busy client to send its next request and receive `Connection: close`. */
const IDLE_GRACE_MS = 150;

/** Long enough to record an aborted call and to answer it. */
const ANSWER_GRACE_MS = 2000;

export interface HttpServerOptions {
  readonly settings: ServerOptions;
  /** What a test wants to be different. */
  readonly bounds?: Partial<ServerBounds> | undefined;
  readonly routes: readonly MountedRoute[];
  readonly verifiers: readonly CredentialVerifier[];
  readonly deciders: readonly PermissionDecider[];
  /** Outermost first. */
  readonly middlewares: readonly HttpMiddleware[];
  readonly logger: Logger;
  /** The level of the line of each request. */
  readonly requestLevel: RequestLevel;
  /** Must declare `httpMetrics`. */
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Where traces are sent. */
  readonly tracer?: Tracer | undefined;
  /** False while the service starts or stops; answers then carry `Connection: close`. */
  ready(): boolean;
}

export interface HttpServer {
  /** Throws `StartupError` when the server cannot listen on the address. */
  listen(): Promise<{ url: string; port: number }>;
  /**
   * Stops accepting connections, ends streams of events, and lets requests in flight finish. At the deadline it aborts their
   * signals; 2 s later it closes the connections that remain. May be called twice.
   */
  close(deadlineMs: number): Promise<void>;
  /** The number of requests in progress. */
  readonly inFlight: number;
}

/** Compiles the routes and builds the server; throws `StartupError` when they do not fit together. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { settings, clock, verifiers, deciders } = options;
  const admission = createAdmission(settings.max_in_flight, settings.max_connections);
  const bounds = { ...serverBounds(settings), ...options.bounds };
  const address = publicAddress(settings) ?? '';
  let closing: Promise<void> | undefined;
  const stopping = new AbortController();
  const app = createApp({
    settings,
    operations: createOperationTable(
      mountRoutes(options.routes, { ...settings, ...bounds }),
      (operation) => serveOperation(operation, { verifiers, deciders, admission, publicAddress: address }),
      {
        basePath: settings.base_path,
        publicAddress: address,
        isCrossOrigin: settings.cors_origins.length > 0,
      },
    ),
    admission,
    middlewares: options.middlewares,
    logger: options.logger,
    log: new RequestLog({ logger: options.logger, level: options.requestLevel }, options.metrics, clock),
    tracer: options.tracer,
    stopping: stopping.signal,
    isNotReady: () => closing !== undefined || !options.ready(),
  });
  const server = nodeServer(app.callback(), settings, bounds);
  const connections = new Connections(server, settings.max_connections);
  const slowReaders = new SlowReaders(
    connections,
    { deadlineMs: bounds.answerTimeoutMs, memory: bounds.answerMemory },
    clock,
  );
  return {
    listen: () => listen(server, settings),
    close: (deadlineMs) => {
      stopping.abort();
      return (closing ??= close(server, { slowReaders, connections }, deadlineMs));
    },
    get inFlight() {
      return admission.running;
    },
  };
}

function nodeServer(listener: RequestListener, settings: ServerOptions, bounds: ServerBounds): Server {
  const server = createServer(
    {
      // Node refuses a time-out for the headers that exceeds the one for the whole request.
      headersTimeout: Math.min(bounds.headersTimeoutMs, settings.request_timeout_ms),
      requestTimeout: settings.request_timeout_ms,
      keepAliveTimeout: settings.keep_alive_ms,
      connectionsCheckingInterval: bounds.checkIntervalMs,
      // Node's own refusal has no content; `refuseAmbiguous` refuses requests without a host.
      requireHostHeader: false,
    },
    listener,
  );
  // By default Node silently drops fields after the 2,000th. The limit on their total size is enough.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', listener);
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  return server;
}

function listen(server: Server, settings: ServerOptions): Promise<{ url: string; port: number }> {
  const { host, port, max_connections } = settings;
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, host, port));
    server.once('error', refuse);
    // Node accepts one connection in each iteration of its loop; the operating system drops those beyond its backlog.
    server.listen({ host, port, backlog: max_connections }, () => {
      server.off('error', refuse);
      const actual = (server.address() as AddressInfo).port;
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: publicAddress(settings) ?? `http://${name}:${actual}`, port: actual });
    });
  });
}

/**
 * Node's own `close` drops idle connections at once, and with them requests that clients are just sending. Here answers
 * carry `Connection: close` first, and only connections that stay idle for `IDLE_GRACE_MS` are dropped.
 */
function close(
  server: Server,
  { slowReaders, connections }: { slowReaders: SlowReaders; connections: Connections },
  deadlineMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = (): void => {
      server.closeIdleConnections();
      connections.closeUnused();
    };
    const cancels = [
      setDeadline(Math.min(IDLE_GRACE_MS, deadlineMs), closeIdle),
      setDeadline(deadlineMs, () => connections.abortAll(stopped())),
      setDeadline(deadlineMs + Math.min(ANSWER_GRACE_MS, deadlineMs), () => server.closeAllConnections()),
    ];
    NetServer.prototype.close.call(server, () => {
      for (const cancel of cancels) cancel();
      slowReaders.stop();
      server.close(() => resolve());
    });
  });
}

function stopped() {
  return NotReady('The service stopped before it was done with this request.');
}
