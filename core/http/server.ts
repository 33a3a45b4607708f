import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { PermissionDecider } from '../auth/permission.ts';
import type { CredentialVerifier } from '../auth/verifier.ts';
import { NotReady } from '../errors/problems.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Clock } from '../support/clock.ts';
import { setDeadline } from '../support/deadline.ts';
import { LoopLoad } from '../support/loop-load.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BodyReader } from './body-reader.ts';
import { clientAddress } from './client-address.ts';
import { answerClientError, refuseTunnel } from './client-error.ts';
import { Connections } from './connection-signal.ts';
import { Cors } from './cors.ts';
import { InFlight } from './in-flight.ts';
import { mountRoutes } from './routing/mount.ts';
import type { MountedRoute } from './routing/mounted-route.ts';
import { OverloadGate } from './overload-gate.ts';
import { Pipeline } from './pipeline.ts';
import { RequestLog } from './request-log.ts';
import type { ServerOptions } from './server-settings.ts';
import { SlowReaders } from './slow-readers.ts';

/** Long enough for a busy client to send its next request and be told to leave. */
const IDLE_GRACE_MS = 150;

/** Long enough to record a call that was given up, and to say so. */
const ANSWER_GRACE_MS = 2000;

export interface HttpServerOptions {
  readonly settings: ServerOptions;
  readonly routes: readonly MountedRoute[];
  readonly verifiers: readonly CredentialVerifier[];
  readonly deciders: readonly PermissionDecider[];
  readonly logger: Logger;
  /** Must know `httpMetrics`. */
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** False while starting and stopping; clients are then told to open their next connection elsewhere. */
  ready(): boolean;
}

export interface HttpServer {
  /** Throws `StartupError` when the address cannot be had. */
  listen(): Promise<{ url: string; port: number }>;
  /**
   * Stops accepting, lets requests in flight finish until the deadline, then aborts their signals and lets them answer
   * for up to 2 s more, and cuts what is left. May be called twice.
   */
  close(deadlineMs: number): Promise<void>;
  /** Requests that are being worked on. */
  readonly inFlight: number;
}

/** Compiles the routes and builds the server; throws `StartupError` when they do not fit together. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { settings, clock } = options;
  const inFlight = new InFlight(
    { limit: settings.max_in_flight, limitWhenBusy: settings.max_in_flight_when_busy },
    new LoopLoad(clock),
    clock,
  );
  let closing: Promise<void> | undefined;
  const table = mountRoutes(options.routes, settings);
  const log = new RequestLog(options.logger, options.metrics, clock);
  const cors = new Cors(settings.cors_origins);
  const isLeaving = (): boolean => closing !== undefined || !options.ready();
  const gate = new OverloadGate({
    inFlight,
    probes: table.probes,
    cors,
    log,
    clock,
    headersTimeoutMs: headersTimeout(settings),
    isLeaving,
  });
  const pipeline = new Pipeline({
    table,
    basePath: settings.base_path,
    verifiers: options.verifiers,
    deciders: options.deciders,
    inFlight,
    bodies: new BodyReader(settings.body_memory),
    cors,
    log,
    clock,
    address: clientAddress(settings.trust_proxy),
    isLeaving,
  });
  const listener: RequestListener = (req, res) => {
    if (gate.refuses(req, res)) return;
    pipeline.run(req, res).catch((error: unknown) => {
      options.logger.error({ err: error }, 'An answer could not be sent.');
      res.destroy();
    });
  };
  const server = nodeServer(listener, settings);
  const connections = new Connections(server);
  server.on('connection', (socket: Socket) => gate.greet(socket, connections.count));
  const slowReaders = new SlowReaders(
    server,
    { deadlineMs: settings.response_timeout_ms, memory: settings.answer_memory },
    clock,
  );
  return {
    listen: () => listen(server, settings),
    close: (deadlineMs) => {
      closing ??= close(server, { slowReaders, connections }, deadlineMs);
      gate.stopWaiting();
      return closing;
    },
    get inFlight() {
      return inFlight.current;
    },
  };
}

function nodeServer(listener: RequestListener, settings: ServerOptions): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeout(settings),
      requestTimeout: settings.request_timeout_ms,
      keepAliveTimeout: settings.keep_alive_ms,
      connectionsCheckingInterval: settings.check_interval_ms,
    },
    listener,
  );
  server.maxConnections = settings.max_connections;
  server.on('checkExpectation', listener);
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  return server;
}

/** Node refuses a longer one than for the whole request, in which the headers have to arrive anyway. */
function headersTimeout({ headers_timeout_ms, request_timeout_ms }: ServerOptions): number {
  return Math.min(headers_timeout_ms, request_timeout_ms);
}

function listen(
  server: Server,
  { host, port, public_url, max_connections }: ServerOptions,
): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, host, port));
    server.once('error', refuse);
    // Node takes in one new connection in a turn of its loop; the kernel drops those that find no place to wait.
    server.listen({ host, port, backlog: max_connections }, () => {
      server.off('error', refuse);
      const actual = (server.address() as AddressInfo).port;
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: public_url || `http://${name}:${actual}`, port: actual });
    });
  });
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): StartupError {
  const reason =
    error.code === 'EADDRINUSE'
      ? 'the port is in use; stop what uses it, or set PORT'
      : `${error.message}; check HOST and PORT`;
  return new StartupError(`The server cannot listen on ${host} port ${port}: ${reason}.`, [], {
    cause: error,
  });
}

/**
 * Node's own `close` drops idle connections at once, and with them requests that clients are just sending. Here every
 * answer says `Connection: close` first, and only connections that stay idle for a moment are dropped.
 */
function close(
  server: Server,
  { slowReaders, connections }: { slowReaders: SlowReaders; connections: Connections },
  deadlineMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const callOff = setDeadline(Math.min(IDLE_GRACE_MS, deadlineMs), () => server.closeIdleConnections());
    const giveUp = setTimeout(() => connections.giveUp(stopped()), deadlineMs);
    const cutMs = deadlineMs + Math.min(ANSWER_GRACE_MS, deadlineMs);
    const cut = setTimeout(() => server.closeAllConnections(), cutMs);
    NetServer.prototype.close.call(server, () => {
      callOff();
      clearTimeout(giveUp);
      clearTimeout(cut);
      slowReaders.stop();
      server.close(() => resolve());
    });
  });
}

function stopped() {
  return NotReady('The service stopped before it was done with this request.');
}
