import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestTimeout } from '../errors/problems.ts';
import { hasBody } from './body-reader.ts';
import { DroppedBodies } from './dropped-bodies.ts';

/** Bodies up to this size are read and thrown away, so that the connection can be used again. */
const SMALL = 65_536;
const LINGER_MS = 1000;
const dropped = new DroppedBodies();

/** Whether the answer is given while so much of the body is still to come that the connection is better closed. */
export function leavesBodyUnread(req: IncomingMessage, status: number): boolean {
  if (req.complete || req.readableEnded || !hasBody(req)) return false;
  if (status === RequestTimeout.status) return true;
  const announced = Number(req.headers['content-length'] ?? Infinity);
  return announced > SMALL;
}

/**
 * Writes the body of an answer at once but closes a moment later, reading and dropping what still arrives: closing with
 * unread bytes makes the kernel send a reset, which can destroy the answer before the client sees it.
 */
export function answerAndHangUp(req: IncomingMessage, res: ServerResponse, body: string | Buffer): void {
  res.write(body);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.once('end', end).once('close', end).once('error', end);
  dropped.drop(req);
}
