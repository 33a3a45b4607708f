import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Scratch } from '../../../core/testing.ts';

/** Where a process runs: servers on the first core, load and upstream on the second, or anywhere. */
export type Core = 'server' | 'load' | 'any';

const CORES = { server: '0', load: '1' } as const;
const canPin = availableParallelism() > 1 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function onCore(core: Core, args: readonly string[]): [string, string[]] {
  if (core === 'any' || !canPin) return [process.execPath, [...args]];
  return ['taskset', ['-c', CORES[core], process.execPath, ...args]];
}

/** A process of the benchmark. */
export interface Program {
  readonly port: number;
  readonly pid: number;
  /** Sends a message and waits for the answer; one at a time. */
  ask<T>(message: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** Starts one of `programs/` with none of Node's flags, and waits for the port that it tells. */
export async function startProgram(name: string, core: Core, args: readonly string[] = []): Promise<Program> {
  const file = fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url));
  const [command, words] = onCore(core, [file, ...args]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port } = await nextMessage<{ port: number }>(child, name);
  return {
    port,
    pid: child.pid!,
    ask: (message) => {
      const answer = nextMessage<never>(child, name);
      child.send(message as object);
      return answer;
    },
    stop: () => ended(child, () => child.disconnect()),
  };
}

/** Vitrine as a process of its own, started as `npm start` does. */
export interface Service {
  readonly port: number;
  readonly pid: number;
  /** The address without a path. */
  readonly url: string;
  /** Stops it as an operator does; the database stays. */
  stop(): Promise<void>;
}

/** What differs between services: the checkout that is run, the core, the environment, words for `vitrine start`. */
export interface ServiceOptions {
  readonly root: string;
  readonly core?: Core;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Starts the built service of a checkout on a database and waits until it says where it serves. */
export async function startService(store: Scratch, options: ServiceOptions): Promise<Service> {
  const { root, core = 'server', env = {}, args = [] } = options;
  const [command, words] = onCore(core, [...startWords(root), ...args]);
  const logFile = join(store.dataDir, 'service.log');
  const log = openSync(logFile, 'w');
  const child = spawn(command, words, {
    cwd: store.dataDir,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      // One account makes all calls: the limit counts them and refuses none.
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
    url: `http://127.0.0.1:${port}`,
    stop: () => ended(child, () => child.kill('SIGTERM')),
  };
}

/** The words of `npm start` behind `node`, with the entry file of that checkout. */
function startWords(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const [, ...words] = scripts.start.split(' ');
  return words.map((word) => (word.startsWith('dist/') ? join(root, word) : word));
}

async function announcedPort(child: ChildProcess, logFile: string): Promise<number> {
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const announced = /serves at http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
    if (announced) return Number(announced[1]);
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${text.slice(-2000)}`);
    await pause(5);
  }
}

function ended(child: ChildProcess, end: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    end();
  });
}

function nextMessage<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', onExit).once('error', reject);
    child.once('message', (message) => {
      child.off('exit', onExit).off('error', reject);
      resolve(message as T);
    });
  });
}
