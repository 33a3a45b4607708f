import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../../../core/support/package-root.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import type { Engine } from '../../../core/index.ts';
import { placed, type Place } from './cores.ts';
import { nodeFlags } from './node-flags.ts';
import { ended } from './program.ts';

/** The built service as a process of its own, started as `npm start` does. */
export interface Service {
  readonly port: number;
  readonly pid: number;
  readonly apiUrl: string;
  /** Stops it as an operator does; the database stays. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly place?: Place;
  /** Environment beside the database. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further words for `vitrine start`. */
  readonly args?: readonly string[];
}

const LOOK_MS = 5;
const COMMAND = join(packageRoot, 'dist', 'core', 'cli', 'main.js');

/** Starts the service on a database and waits until it says where it serves. */
export async function startService(store: Scratch, options: ServiceOptions = {}): Promise<Service> {
  const { place = 'server', env = {}, args = [] } = options;
  const words = [...nodeFlags, COMMAND, 'start', ...args];
  const [command, all] = placed(place, process.execPath, words);
  const logFile = join(store.dataDir, 'service.log');
  const log = openSync(logFile, 'w');
  const child = spawn(command, all, {
    cwd: store.dataDir,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      // One caller makes all calls here: counted like any other, and not held up by it.
      GATEWAY_RATE_LIMIT: '1000000',
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const port = await announcedPort(child, logFile);
  return {
    port,
    pid: child.pid!,
    apiUrl: `http://127.0.0.1:${port}/api/v1`,
    stop: () => ended(child, () => child.kill('SIGTERM')),
  };
}

/** Reads it from the file: a pipe would have to be emptied, and would cost time beside what is measured. */
async function announcedPort(child: ChildProcess, logFile: string): Promise<number> {
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const said = /serves at http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
    if (said) return Number(said[1]);
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${text.slice(-2000)}`);
    await pause(LOOK_MS);
  }
}

/** Runs work with an empty database that is removed afterwards, whatever happens. */
export async function withStore<T>(engine: Engine, work: (store: Scratch) => Promise<T>): Promise<T> {
  const store = await makeScratch(engine);
  try {
    return await work(store);
  } finally {
    await store.remove();
  }
}
