import { Pool } from 'undici';
import { guardedConnector, type Lookup } from './connector.ts';
import type { Guard } from './guard.ts';
import type { Target } from './target.ts';

const MAX_ORIGINS = 256;
const CONNECTIONS_PER_ORIGIN = 64;
const MAX_HEADER_BYTES = 16_384;
const IDLE_CONNECTION_MS = 4_000;
const LONGEST_IDLE_CONNECTION_MS = 60_000;

/** Keep-alive connections, a pool per origin, all of which passed one guard. */
export interface Pools {
  for(target: Target): Pool;
  close(): Promise<void>;
}

/** Makes an empty set of pools. The origin used longest ago makes room; idle connections close by themselves. */
export function createPools(guard: Guard, lookup: Lookup): Pools {
  const pools = new Map<string, Pool>();

  const open = (target: Target): Pool => {
    if (pools.size >= MAX_ORIGINS) retireOldest(pools);
    const pool = openPool(target, guard, lookup);
    pools.set(target.origin, pool);
    return pool;
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
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}

/** The deadline of the whole exchange stands in for the time-outs between headers and chunks. */
function openPool(target: Target, guard: Guard, lookup: Lookup): Pool {
  return new Pool(target.origin, {
    connect: guardedConnector(target, guard, lookup),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_CONNECTION_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Keeps the map in order of use; skipped while there is room enough. */
function renew(pools: Map<string, Pool>, origin: string, pool: Pool): void {
  pools.delete(origin);
  pools.set(origin, pool);
}

/** Lets the requests of the pool that was used longest ago end, and its connections with them. */
function retireOldest(pools: Map<string, Pool>): void {
  const oldest = pools.entries().next().value;
  if (oldest === undefined) return;
  pools.delete(oldest[0]);
  oldest[1].close().catch(() => undefined);
}
