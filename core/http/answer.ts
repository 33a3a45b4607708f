import type { Readable } from 'node:stream';
import type { Operation } from './routing/operation.ts';
import { Reply } from './routing/route.ts';

/** What goes out, before the headers that every answer has. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string | Buffer | Readable;
}

/** An answer whose body is there as a whole. */
export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

/** An answer whose body is text. */
export interface TextAnswer extends WholeAnswer {
  readonly body: string;
}

export function isWhole(answer: Answer): answer is WholeAnswer {
  return typeof answer.body === 'string' || Buffer.isBuffer(answer.body);
}

const noHeaders: Readonly<Record<string, string>> = Object.freeze({});

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
