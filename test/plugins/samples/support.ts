import { extname } from 'node:path';
import { AlgorithmPool, type PoolLimits } from '../../../plugins/samples/running/pool.ts';
import type { Job, Verdict } from '../../../plugins/samples/running/protocol.ts';

/** The module of a fixture: source or compiled, as this file is. */
export function fixture(name: string): URL {
  return new URL(`./fixtures/${name}${extname(import.meta.url)}`, import.meta.url);
}

export function job(name: string, more: Partial<Job> = {}): Job {
  return { module: fixture(name).href, input: {}, params: {}, maxOutputBytes: 1024 * 1024, ...more };
}

/** A pool of one worker, ended by whoever asked for it. */
export function poolOf(more: Partial<PoolLimits> = {}): AlgorithmPool {
  return new AlgorithmPool({ size: 1, memoryMb: 448, idleMs: 60_000, queueLimit: 8, ...more });
}

/** Runs a job with ample time. */
export function runIn(pool: AlgorithmPool, asked: Job, timeoutMs = 20_000): Promise<Verdict> {
  return pool.run(asked, { timeoutMs, signal: new AbortController().signal });
}
