import type { Readable } from 'node:stream';
import { refusedAnswer, tooLarge } from './failures.ts';
import { SMALL_ANSWER_BYTES, type LargeAnswers } from './large-answers.ts';

const FIRST_CAPACITY_BYTES = 4096;

/** Limits for reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Bytes that `Content-Length` announced, which the HTTP parser enforces. */
  readonly announced: number | undefined;
  /** The URL of the answer. */
  readonly source: string;
  readonly large: LargeAnswers;
  /** Aborts the wait for memory. */
  readonly signal: AbortSignal;
}

/**
 * Reads a body to its end and counts its bytes. Chunks are copied into one buffer as they arrive, because separate
 * chunks of single bytes would take a hundred times the memory of the body. Throws `OutboundError` beyond the limit, and
 * errors of the connection.
 */
export async function readBody(body: Readable, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, announced, source, large, signal } = limits;
  const mostBytes = announced ?? maxBytes;
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let release: (() => void) | undefined;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const needed = length + chunk.length;
      if (needed > maxBytes) throw refusedAnswer(tooLarge(maxBytes));
      if (needed > SMALL_ANSWER_BYTES) release ??= await large.reserve(source, mostBytes, signal);
      // Usually the first chunk is the whole body.
      bytes = length === 0 ? chunk : withRoomFor(bytes, needed, mostBytes);
      if (length > 0) chunk.copy(bytes, length);
      length = needed;
    }
    return bytes.subarray(0, length);
  } finally {
    release?.();
  }
}

function withRoomFor(bytes: Buffer, neededBytes: number, mostBytes: number): Buffer {
  if (neededBytes <= bytes.length) return bytes;
  const capacity = Math.min(mostBytes, Math.max(neededBytes, 2 * bytes.length, FIRST_CAPACITY_BYTES));
  const larger = Buffer.allocUnsafe(capacity);
  bytes.copy(larger);
  return larger;
}
