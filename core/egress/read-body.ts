import type { Readable } from 'node:stream';
import type { Ending } from './ending.ts';
import { refusedAnswer, tooLarge } from './failures.ts';
import { SMALL_ANSWER_BYTES, type LargeAnswers } from './large-answers.ts';

const FIRST_CAPACITY_BYTES = 4096;

/** The limits for reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** The `Content-Length` of the answer in bytes, which the HTTP parser enforces. */
  readonly announced: number | undefined;
  /** Where the answer comes from: the URL. */
  readonly source: string;
  readonly large: LargeAnswers;
  /** Ends the wait for memory. */
  readonly ending: Ending;
}

/**
 * Reads a body to its end. Copies small chunks together as they arrive: the chunks of a peer that sends single bytes
 * would otherwise take a hundred times the memory of the body. Throws `OutboundError` beyond the limit, and rethrows
 * the error that ended the connection.
 */
export async function readBody(body: Readable, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, announced, source, large, ending } = limits;
  const mostBytes = announced ?? maxBytes;
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let release: (() => void) | undefined;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const needed = length + chunk.length;
      if (needed > maxBytes) throw refusedAnswer(tooLarge(maxBytes));
      if (needed > SMALL_ANSWER_BYTES) release ??= await large.reserve(source, mostBytes, ending);
      // Most bodies arrive in one chunk, which needs no copy.
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
