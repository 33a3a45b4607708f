import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { placed, type Place } from './cores.ts';
import { nodeFlags } from './node-flags.ts';

/** A process of the benchmark that serves a port or answers questions. */
export interface Program {
  readonly port: number;
  readonly pid: number;
  /** Sends a message and waits for the answer; one at a time. */
  ask<T>(message: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** Starts one of `programs/` in a process of its own, and waits for the port that it tells; `flags` are Node's. */
export async function startProgram(
  name: string,
  place: Place,
  args: readonly string[] = [],
  flags = nodeFlags,
): Promise<Program> {
  const file = fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url));
  const [command, words] = placed(place, process.execPath, [...flags, file, ...args]);
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

/** Ends a process and waits for its end. */
export function ended(child: ChildProcess, end: () => void): Promise<void> {
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
