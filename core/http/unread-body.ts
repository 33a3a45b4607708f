import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestTimeout } from '../errors/problems.ts';
import type { Step, StepContext } from './state.ts';

/** Bodies up to this size are read and thrown away by Node, so that the connection can be used again. */
const SMALL = 65_536;
const LINGER_MS = 1000;

/**
 * Tells the client to open its next connection elsewhere when the server stops, or when the answer is given while most of
 * the body is still to come.
 */
export function closeConnection(isLeaving: () => boolean): Step {
  return async (ctx, next) => {
    await next();
    const isUnread = leavesBodyUnread(ctx);
    if (isUnread || isLeaving()) ctx.set('Connection', 'close');
    if (isUnread && ctx.method !== 'HEAD') lingerOver(ctx);
  };
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
 * Sends the answer at once but ends it a moment later, while what still arrives is read and dropped: closing with unread
 * bytes makes the kernel send a reset, which can destroy the answer before the client sees it.
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
