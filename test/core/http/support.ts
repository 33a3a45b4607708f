import { connect, type Socket } from 'node:net';
import { createHttpServer, type HttpServerOptions } from '../../../core/http/server.ts';
import type { MountedRoute } from '../../../core/http/routing/mounted-route.ts';
import { httpMetrics } from '../../../core/http/request-log.ts';
import type { Route } from '../../../core/http/routing/route.ts';
import { ServerSettings, type ServerOptions } from '../../../core/http/server-settings.ts';
import { systemClock } from '../../../core/support/clock.ts';
import type { Logger } from '../../../core/telemetry/logger.ts';
import { createMetrics } from '../../../core/telemetry/prometheus.ts';

/** The defaults of every server setting, with a free port and what a test changes. */
export function serverSettings(changes: Partial<ServerOptions> = {}): ServerOptions {
  const defaults = Object.fromEntries(
    Object.entries(ServerSettings.settings).map(([key, { default: value }]) => [key, value]),
  );
  return { ...(defaults as unknown as ServerOptions), port: 0, ...changes };
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A logger that keeps its lines. */
export function memoryLogger(lines: LogLine[] = [], base: object = {}): Logger {
  const keep = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ ...base, ...fields, level, message });
  };
  return {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    child: (fields) => memoryLogger(lines, { ...base, ...fields }),
  };
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  readonly body: any;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly lines: LogLine[];
  readonly metrics: ReturnType<typeof createMetrics>;
  inFlight(): number;
  /** `path` is below `/api/v1` unless it begins with `//`, which stands for the root. */
  request(method: string, path: string, options?: RequestInit & { json?: unknown }): Promise<TestAnswer>;
  close(deadlineMs?: number): Promise<void>;
}

/** Serves routes as plugin `demo` on a free port. */
export async function startServer(
  routes: readonly Route[],
  {
    settings = {},
    mounted = [],
    ...more
  }: Partial<Omit<HttpServerOptions, 'settings'>> & {
    settings?: Partial<ServerOptions>;
    mounted?: readonly MountedRoute[];
  } = {},
): Promise<TestServer> {
  const lines: LogLine[] = [];
  const metrics = createMetrics(httpMetrics);
  const server = createHttpServer({
    settings: serverSettings(settings),
    routes: [...mounted, ...routes.map((route) => ({ plugin: 'demo', route, deps: {} }))],
    verifiers: [],
    deciders: [],
    middlewares: [],
    logger: memoryLogger(lines),
    requestLevel: 'info',
    metrics,
    clock: systemClock,
    ready: () => true,
    ...more,
  });
  const { url, port } = await server.listen();
  return {
    url,
    port,
    lines,
    metrics,
    inFlight: () => server.inFlight,
    request: (method, path, options) => ask(url, method, path, options),
    close: (deadlineMs = 0) => server.close(deadlineMs),
  };
}

async function ask(
  url: string,
  method: string,
  path: string,
  { json, ...init }: RequestInit & { json?: unknown } = {},
): Promise<TestAnswer> {
  const target = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { ...type, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url + target, { ...init, ...body, method, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** Sends bytes as they are and answers all that comes back until the server closes or `ms` have passed. */
export function sendRaw(port: number, bytes: string | Buffer, ms = 2000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(finish, ms);
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', finish).on('error', finish);
    socket.write(bytes);
  });
}

/** Opens a socket that a test drives by hand. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
  });
}

/** Milliseconds until the other side closes. */
export function lifetime(socket: Socket): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    socket.on('close', () => resolve(performance.now() - began)).on('error', () => undefined);
  });
}
