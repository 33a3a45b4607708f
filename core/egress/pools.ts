import { Pool } from 'undici';
import { guardedConnector, type Lookup } from './connector.ts';
import type { Guard } from './guard.ts';
import { Lane } from './lane.ts';
import type { Target } from './target.ts';

const MAX_ORIGINS = 256;
const MAX_HEADER_BYTES = 16_384;
const IDLE_CONNECTION_MS = 4_000;
const LONGEST_IDLE_CONNECTION_MS = 60_000;

/** Keep-alive connections, a pool per origin and the lane that leads to it, all of which passed one guard. */
export interface Pools {
  for(target: Target): Lane;
  close(): Promise<void>;
}

/** Makes an empty set of pools. The origin used longest ago makes room; idle connections close by themselves. */
export function createPools(guard: Guard, lookup: Lookup): Pools {
  const pools = new Map<string, Lane>();

  const open = (target: Target): Lane => {
    if (pools.size >= MAX_ORIGINS) retireOldest(pools);
    const lane = new Lane(openPool(target, guard, lookup));
    pools.set(target.origin, lane);
    return lane;
  };

  return {
    for: (target) => {
      const known = pools.get(target.origin);
      if (known === undefined) return open(target);
      if (pools.size > MAX_ORIGINS / 2) renew(pools, target.origin, known);
      return known;
    },
    close: async () => {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((lane) => lane.destroy()));
    },
  };
}

/** As many connections as it is given requests; the deadline of an exchange stands in for all other time-outs. */
function openPool(target: Target, guard: Guard, lookup: Lookup): Pool {
  return new Pool(target.origin, {
    connect: guardedConnector(target, guard, lookup),
    connections: null,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_CONNECTION_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Keeps the map in order of use; skipped while there is room enough. */
function renew(pools: Map<string, Lane>, origin: string, lane: Lane): void {
  pools.delete(origin);
  pools.set(origin, lane);
}

/** Lets the requests of the pool that was used longest ago end, and its connections with them. */
function retireOldest(pools: Map<string, Lane>): void {
  const oldest = pools.entries().next().value;
  if (oldest === undefined) return;
  pools.delete(oldest[0]);
  oldest[1].close().catch(() => undefined);
}
