import { Bulkhead, Problem, token } from '../../../core/index.ts';
import type { Job, Verdict } from './protocol.ts';
import { AlgorithmWorker } from './worker.ts';

/** Worker processes of a service: a second one, so that a slow algorithm does not hold up all others. */
export const WORKERS = 2;

export interface PoolLimits {
  /** Workers at most. */
  readonly size: number;
  /** Memory of one worker as a whole, MiB. */
  readonly memoryMb: number;
  /** A worker without work is ended after this long; milliseconds. */
  readonly idleMs: number;
  /** Jobs that may wait for a worker. */
  readonly queueLimit: number;
}

export interface JobLimits {
  /** From asking to answer, waiting included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs jobs on a few workers: started when needed, replaced when they die, ended when idle. */
export class AlgorithmPool {
  readonly #limits: PoolLimits;
  readonly #bulkhead: Bulkhead;
  readonly #workers = new Set<AlgorithmWorker>();
  readonly #idle = new Map<AlgorithmWorker, NodeJS.Timeout>();
  /** Of jobs that run or wait; each aborts with the verdict. */
  readonly #jobs = new Set<AbortController>();
  #stopped = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#bulkhead = new Bulkhead({
      limit: limits.size,
      queueLimit: limits.queueLimit,
      refuse: () => new Error('Too many jobs wait for a worker.'),
    });
  }

  /** Workers alive. */
  get workers(): number {
    return this.#workers.size;
  }

  /** Runs a job; whatever happens to it is a verdict, never an exception. */
  async run(job: Job, { timeoutMs, signal }: JobLimits): Promise<Verdict> {
    if (this.#stopped) return { kind: 'stopped' };
    if (signal.aborted) return givenUp(signal);
    if (this.#bulkhead.isFull) return { kind: 'busy', waiting: this.#limits.queueLimit };
    const ending = new AbortController();
    const giveUp = (verdict: Verdict): void => ending.abort(verdict);
    const onAbort = (): void => giveUp(givenUp(signal));
    const deadline = setTimeout(() => giveUp({ kind: 'timeout' }), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#jobs.add(ending);
    try {
      return await this.#bulkhead.run(() => this.#work(job, ending.signal), ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return ending.signal.reason as Verdict;
      throw error;
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', onAbort);
      this.#jobs.delete(ending);
    }
  }

  /** Ends every worker; what runs or waits is answered `stopped`. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const ending of this.#jobs) ending.abort({ kind: 'stopped' } satisfies Verdict);
    await Promise.all([...this.#workers].map((worker) => this.#end(worker)));
  }

  /** A worker at work cannot be interrupted otherwise than by ending it. */
  async #work(job: Job, ending: AbortSignal): Promise<Verdict> {
    const worker = this.#take();
    const endWorker = (): void => void worker.close();
    ending.addEventListener('abort', endWorker, { once: true });
    const verdict = await worker.run(job);
    ending.removeEventListener('abort', endWorker);
    await this.#giveBack(worker);
    return ending.aborted ? (ending.reason as Verdict) : verdict;
  }

  #take(): AlgorithmWorker {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (!worker.dead) return worker;
      this.#workers.delete(worker);
    }
    const worker = new AlgorithmWorker(this.#limits.memoryMb);
    this.#workers.add(worker);
    return worker;
  }

  async #giveBack(worker: AlgorithmWorker): Promise<void> {
    if (this.#stopped || worker.dead || worker.spent) return this.#end(worker);
    this.#idle.set(worker, setTimeout(() => void this.#end(worker), this.#limits.idleMs).unref());
  }

  async #end(worker: AlgorithmWorker): Promise<void> {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    await worker.close();
    this.#workers.delete(worker);
  }
}

/** The service gives a reason when it stops, and a client that leaves gives none. */
function givenUp({ reason }: AbortSignal): Verdict {
  return { kind: reason instanceof Problem ? 'stopped' : 'aborted' };
}

export const ALGORITHM_POOL = token<AlgorithmPool>('samples:algorithm-pool');
