import type Koa from 'koa';
import type { Readable } from 'node:stream';
import type { Operation } from './operation.ts';
import { Reply } from './route.ts';

/** What goes out, before the headers that every answer has. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string | Buffer | Readable;
}

/** An answer whose body is text. */
export interface TextAnswer extends Answer {
  readonly body: string;
}

const noHeaders: Readonly<Record<string, string>> = Object.freeze({});

const everyAnswer: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
];

/** The answer that a handler's result stands for. */
export function answerOf(result: unknown, operation: Operation): Answer {
  if (!(result instanceof Reply)) return jsonAnswer(200, noHeaders, result, operation);
  const { bytes, headers, status } = result;
  if (bytes === undefined) return jsonAnswer(status, headers, result.value, operation);
  return { status, headers, contentType: operation.contentType, body: bytes };
}

function jsonAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  value: unknown,
  operation: Operation,
): Answer {
  if (!operation.serialize)
    throw new Error(`${operation.operationId} answers a value, but declares raw content.`);
  return { status, headers, contentType: operation.contentType, body: operation.serialize(value) };
}

/**
 * Hands an answer to Koa. Nothing is cached, framed or sniffed unless the handler's own headers say otherwise: an
 * answer to somebody signed in must never be kept by a cache in between.
 */
export function send(ctx: Koa.Context, answer: Answer, requestId: string, lastOne: boolean): void {
  const { res } = ctx;
  if (res.headersSent || res.destroyed) {
    ctx.respond = false;
    return;
  }
  for (const [name, value] of everyAnswer) res.setHeader(name, value);
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Content-Type', answer.contentType);
  for (const name in answer.headers) res.setHeader(name, answer.headers[name]!);
  if (lastOne) res.setHeader('Connection', 'close');
  ctx.status = answer.status;
  ctx.body = answer.body;
}
