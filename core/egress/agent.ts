import { Agent, Pool } from 'undici';
import { guardedConnector, type Lookup } from './guard/connector.ts';
import type { Guard } from './guard/guard.ts';
import { destinationOf } from './guard/target.ts';

const MAX_HEADER_BYTES = 16_384;
const IDLE_CONNECTION_MS = 4_000;
const LONGEST_IDLE_CONNECTION_MS = 60_000;

/**
 * Creates an HTTP client whose connections all pass one guard: a pool for each origin, with keep-alive and as many
 * connections as there are concurrent requests, closed with its last connection. The admission of calls bounds the number
 * of requests; the deadline of an exchange replaces all time-outs but that of connecting.
 */
export function createAgent(guard: Guard, lookup: Lookup): Agent {
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connect: guardedConnector(destinationOf(new URL(origin)), guard, lookup),
        connections: null,
        pipelining: 1,
        maxHeaderSize: MAX_HEADER_BYTES,
        keepAliveTimeout: IDLE_CONNECTION_MS,
        keepAliveMaxTimeout: LONGEST_IDLE_CONNECTION_MS,
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  });
}
