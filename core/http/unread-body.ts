import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestTimeout } from '../errors/core-problems.ts';
import type { StepContext } from './state.ts';

/** Node reads and discards bodies up to this many bytes, so that the connection can be reused. */
const SMALL = 65_536;
const LINGER_MS = 1000;

/**
 * Sets `Connection: close` when the server starts or stops, or when the answer is sent before most of the body has
 * arrived.
 */
export function closeConnection(ctx: StepContext, isNotReady: boolean): void {
  const isUnread = leavesBodyUnread(ctx);
  if (isUnread || isNotReady) ctx.set('Connection', 'close');
  if (isUnread && ctx.method !== 'HEAD') lingerOver(ctx);
}

/** Whether a request announces a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function leavesBodyUnread({ req, status }: StepContext): boolean {
  if (req.complete || req.readableEnded || !hasBody(req)) return false;
  return status === RequestTimeout.status || Number(req.headers['content-length'] ?? Infinity) > SMALL;
}

/**
 * Sends the answer at once but ends it a moment later, and discards what still arrives: closing a connection with unread
 * bytes makes the operating system send a reset, which can destroy the answer before the client has read it.
 */
function lingerOver(ctx: StepContext): void {
  const { req, body } = ctx;
  if (typeof body !== 'string') return;
  ctx.body = Readable.from(slowly(body, req));
  ctx.length = Buffer.byteLength(body);
}

async function* slowly(body: string, req: IncomingMessage): AsyncGenerator<string> {
  yield body;
  const over = new AbortController();
  const end = (): void => over.abort();
  req.once('end', end).once('close', end).once('error', end).resume();
  await pause(LINGER_MS, undefined, { signal: over.signal }).catch(() => undefined);
}
