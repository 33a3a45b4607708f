import { Problem, token } from '../../../core/index.ts';
import type { Job, Verdict } from './protocol.ts';
import { AlgorithmWorker } from './worker.ts';

export interface PoolLimits {
  /** Workers at most. */
  readonly size: number;
  /** Memory of one worker as a whole, MiB. */
  readonly memoryMb: number;
  /** A worker without work is ended after this long. */
  readonly idleMs: number;
  /** Jobs that may wait for a worker. */
  readonly queueLimit: number;
}

export interface JobLimits {
  /** From asking to answer, waiting included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Task {
  readonly job: Job;
  readonly settle: (verdict: Verdict) => void;
  worker?: AlgorithmWorker;
}

/** Runs jobs on a few workers: started when needed, replaced when they die, ended when idle. */
export class AlgorithmPool {
  readonly #limits: PoolLimits;
  readonly #workers = new Set<AlgorithmWorker>();
  readonly #idle = new Map<AlgorithmWorker, NodeJS.Timeout>();
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Task>();
  #stopped = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** Workers alive. */
  get workers(): number {
    return this.#workers.size;
  }

  /** Runs a job; whatever happens to it is a verdict, never an exception. */
  run(job: Job, limits: JobLimits): Promise<Verdict> {
    if (this.#stopped) return Promise.resolve({ kind: 'stopped' });
    if (limits.signal.aborted) return Promise.resolve(givenUp(limits.signal));
    if (this.#waiting.length >= this.#limits.queueLimit) {
      return Promise.resolve({ kind: 'busy', waiting: this.#waiting.length });
    }
    return new Promise((resolve) => this.#accept(job, limits, resolve));
  }

  /** Ends every worker; what runs or waits is answered `stopped`. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const task of this.#waiting.splice(0)) task.settle({ kind: 'stopped' });
    for (const task of this.#running) task.settle({ kind: 'stopped' });
    await Promise.all([...this.#workers].map((worker) => this.#drop(worker)));
  }

  #accept(job: Job, { timeoutMs, signal }: JobLimits, resolve: (verdict: Verdict) => void): void {
    const onAbort = () => this.#giveUp(task, givenUp(signal));
    const deadline = setTimeout(() => this.#giveUp(task, { kind: 'timeout' }), timeoutMs);
    const task: Task = {
      job,
      settle: (verdict) => {
        clearTimeout(deadline);
        signal.removeEventListener('abort', onAbort);
        resolve(verdict);
      },
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(task);
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#waiting.length > 0 && !this.#stopped) {
      const worker = this.#freeWorker();
      if (!worker) return;
      void this.#start(this.#waiting.shift()!, worker);
    }
  }

  #freeWorker(): AlgorithmWorker | undefined {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (!worker.dead) return worker;
      this.#workers.delete(worker);
    }
    if (this.#workers.size >= this.#limits.size) return undefined;
    const worker = new AlgorithmWorker(this.#limits.memoryMb);
    this.#workers.add(worker);
    return worker;
  }

  async #start(task: Task, worker: AlgorithmWorker): Promise<void> {
    task.worker = worker;
    this.#running.add(task);
    const verdict = await worker.run(task.job);
    this.#running.delete(task);
    task.settle(verdict);
    this.#release(worker);
    this.#dispatch();
  }

  #release(worker: AlgorithmWorker): void {
    if (this.#stopped) return;
    if (worker.dead || worker.spent) void this.#drop(worker);
    else this.#idle.set(worker, setTimeout(() => void this.#drop(worker), this.#limits.idleMs).unref());
  }

  /** The caller has its verdict at once; a worker at work cannot be interrupted otherwise than by ending it. */
  #giveUp(task: Task, verdict: Verdict): void {
    task.settle(verdict);
    const place = this.#waiting.indexOf(task);
    if (place >= 0) this.#waiting.splice(place, 1);
    else if (task.worker) void task.worker.close();
  }

  async #drop(worker: AlgorithmWorker): Promise<void> {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    await worker.close();
    this.#workers.delete(worker);
    this.#dispatch();
  }
}

/** By whom: the service says why it stops, a client just goes. */
function givenUp({ reason }: AbortSignal): Verdict {
  return { kind: reason instanceof Problem ? 'stopped' : 'aborted' };
}

export const ALGORITHM_POOL = token<AlgorithmPool>('samples:algorithm-pool');
