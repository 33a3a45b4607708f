import { startProgram, type Core } from './processes.ts';

/** The bytes of a request. */
export function requestBytes(method: string, path: string, token?: string, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** What to send, where, and how. */
export interface LoadOrder {
  readonly port: number;
  /** Of the process that serves the port. */
  readonly pid: number;
  /** The bytes of the requests, head and body, sent in turn. */
  readonly requests: readonly string[];
  /** Text that every good answer contains. */
  readonly expect?: string | undefined;
  /** Connections that stay open; without `perSecond` each sends its next request when it has its answer. */
  readonly connections: number;
  readonly seconds: number;
  /** Requests that fall due per second, whether or not answers come. */
  readonly perSecond?: number | undefined;
}

/** A process that serves a port. */
export type Server = Pick<LoadOrder, 'port' | 'pid'>;

/** Of an order, what belongs to the server that is measured. */
export type Subject = Pick<LoadOrder, 'port' | 'pid' | 'requests' | 'expect'>;

/** Asks a server for one path again and again. */
export function gets({ port, pid }: Server, path: string, token?: string): Subject {
  return { port, pid, requests: [requestBytes('GET', path, token)] };
}

/** Times in milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What came back. */
export interface LoadReport {
  /** Good answers per second. */
  readonly perSecond: number;
  /** Counts by status, or by `wrong body`, `lost`, `unsent` and `no answer`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly good: Times;
  readonly refused: Times;
  /** Microseconds of processor time that the server spent on each answer. */
  readonly cost: number;
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Starts the process that makes load. */
export async function startLoad(core: Core = 'load') {
  const program = await startProgram('load', core);
  return {
    run: (order: LoadOrder) => program.ask<LoadReport>(order),
    stop: () => program.stop(),
  };
}

/** Whether a bad answer spoils the figure. */
export function isVoid({ answers }: LoadReport): boolean {
  return Object.keys(answers).some((kind) => kind !== '200') || !answers['200'];
}
