import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Crash, Job, Report } from './protocol.ts';

const extension = extname(import.meta.url);
const ENTRY = fileURLToPath(new URL(`./entry${extension}`, import.meta.url));

/** Compiled code needs no loader, TypeScript source does. */
const LOADER = extension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [];

/**
 * One process that runs one job at a time. A process, not a thread: a thread that runs out of memory in one large
 * allocation takes the whole service down, and memory outside of its heap has no limit.
 */
export class AlgorithmWorker {
  readonly #process: ChildProcess;
  #settle: ((verdict: Answer | Crash) => void) | undefined;
  #crash: Crash | undefined;
  #spent = false;
  readonly #ended: Promise<void>;

  constructor(memoryMb: number) {
    this.#process = start(memoryMb);
    this.#process.on('message', (report: Report) => this.#answer(report));
    this.#process.on('error', (error) => this.#end({ kind: 'crashed', detail: error.message }));
    this.#ended = new Promise((resolve) => {
      this.#process.on('close', (code, signal) => {
        this.#end(crashOf(code, signal));
        resolve();
      });
    });
  }

  get dead(): boolean {
    return this.#crash !== undefined;
  }

  /** Whether it should make room for a fresh one. */
  get spent(): boolean {
    return this.#spent;
  }

  /** Never rejects: a worker that dies is a verdict too. */
  run(job: Job): Promise<Answer | Crash> {
    return new Promise((resolve) => {
      if (this.#crash) return resolve(this.#crash);
      this.#settle = resolve;
      this.#process.send(job, (error) => error && this.#end({ kind: 'crashed', detail: error.message }));
    });
  }

  /** Ends the process, whatever it is doing. */
  async close(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #answer({ answer, spent }: Report): void {
    this.#spent = spent;
    this.#settle?.(answer);
    this.#settle = undefined;
  }

  #end(crash: Crash): void {
    this.#crash ??= crash;
    this.#settle?.(this.#crash);
    this.#settle = undefined;
  }
}

/** Half of the memory for the heap, the rest for buffers. No environment: what is secret there is not for algorithms. */
function start(memoryMb: number): ChildProcess {
  const child = fork(ENTRY, [String(memoryMb)], {
    execArgv: [...LOADER, `--max-old-space-size=${Math.floor(memoryMb / 2)}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}

/** V8 aborts on a full heap; the watchdog, or the system's own, kills for memory as a whole. */
function crashOf(code: number | null, signal: NodeJS.Signals | null): Crash {
  if (signal === 'SIGABRT' || signal === 'SIGKILL') return { kind: 'out-of-memory' };
  return { kind: 'crashed', detail: `The worker ended with ${signal ?? `exit code ${code}`}.` };
}
