import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../core/index.ts';
import type { Scratch } from '../../../core/testing.ts';

/** Servers run on the first core, load and upstream on the second. */
const CORES = { server: ['taskset', '-c', '0'], load: ['taskset', '-c', '1'], any: [] } as const;

/** Where a process runs. */
export type Core = keyof typeof CORES;

/** A process of the benchmark. */
export interface Program {
  readonly port: number;
  readonly pid: number;
  /** Sends a message and waits for the answer; one at a time. */
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
}

/** Starts one of `programs/` with none of Node's flags, and waits for the port that it tells. */
export async function startProgram(name: string, core: Core, args: readonly string[] = []): Promise<Program> {
  const file = fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url));
  const child = start(core, [file, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port } = await nextMessage<{ port: number }>(child, name);
  return {
    port,
    pid: child.pid!,
    ask: (message) => {
      const answer = nextMessage<never>(child, name);
      child.send(message);
      return answer;
    },
    stop: () => stop(child),
  };
}

/** A built checkout, and the database on which its services run. */
export interface Installation {
  readonly root: string;
  readonly engine: Engine;
  readonly scratch: Scratch;
}

/** What differs between services: the core, the environment, words for `vitrine start`. */
export interface ServiceOptions {
  readonly core?: Core;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** For a catalogue that holds nothing but what is written into it. */
export const WITHOUT_SAMPLES: ServiceOptions = { env: { PLUGINS_DISABLED: 'samples' } };

/** Vitrine as a process of its own. */
export interface Service {
  readonly port: number;
  readonly pid: number;
  /** The address without a path. */
  readonly url: string;
  /** Stops it as an operator does; the database stays. */
  stop(): Promise<void>;
}

/** Starts the built service as `npm start` does, and waits until it says where it serves. */
export async function startService(
  { root, scratch: { dataDir, databaseUrl } }: Installation,
  { core = 'server', env = {}, args = [] }: ServiceOptions = {},
): Promise<Service> {
  const logFile = join(dataDir, 'service.log');
  const log = openSync(logFile, 'w');
  const child = start(core, [...startWords(root), ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      // One account makes all calls: the limit counts them and refuses none.
      GATEWAY_RATE_LIMIT: '1000000',
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const port = await announcedPort(child, logFile);
  return { port, pid: child.pid!, url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** The words of `npm start` behind `node`. */
function startWords(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(' ').slice(1);
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

function start(core: Core, words: readonly string[], options: SpawnOptions): ChildProcess {
  const [command, ...args] = [...CORES[core], process.execPath, ...words];
  return spawn(command!, args, options);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
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
