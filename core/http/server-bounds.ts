/** Bounds of the server that are no settings. Times are in milliseconds, memory is in bytes. */
export interface ServerBounds {
  /** How long the headers of a request may take to arrive. */
  readonly headersTimeoutMs: number;
  /** How long the body of a login or registration may take to arrive. */
  readonly anonymousBodyTimeoutMs: number;
  /** How often Node looks for connections that send too slowly. */
  readonly checkIntervalMs: number;
  /** Bodies that may be arriving at once; large ones that are worked on may take four times as much. */
  readonly bodyMemory: number;
  /** How long a client may take to read an answer. */
  readonly answerTimeoutMs: number;
  /** Answers that may wait for clients to read them. */
  readonly answerMemory: number;
}

/** How long the headers of a request may take to arrive, which fit into a few packets; a balancer in front waits longer. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** How long a client may take to read an answer: one of 8 MiB arrives within it at 1.2 Mbit/s. */
export const ANSWER_TIMEOUT_MS = 60_000;

/** How many bodies of the largest size may be arriving at once. */
const LARGEST_BODIES = 4;

/** The bounds that follow from the largest size of a body. */
export function serverBounds(limits: {
  readonly body_limit: number;
  readonly large_body_limit: number;
}): ServerBounds {
  const largestBody = Math.max(limits.body_limit, limits.large_body_limit);
  return {
    headersTimeoutMs: HEADERS_TIMEOUT_MS,
    // A name and a password fit into one packet.
    anonymousBodyTimeoutMs: 10_000,
    // Node's default of 30 s would let a slow client stay for twice its deadline.
    checkIntervalMs: 2000,
    bodyMemory: LARGEST_BODIES * largestBody,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    // Thirty answers of 8 MiB fit into a container of 512 MiB; more where bodies may be larger, since the answer repeats them.
    answerMemory: Math.max(268_435_456, LARGEST_BODIES * largestBody),
  };
}
