import { Overloaded } from '../errors/problems.ts';
import type { RequestState, Step } from './state.ts';

/** A refusal after a longer wait would not count as prompt: promise P7 allows 500 ms. */
const LONGEST_WAIT_MS = 250;

interface Waiting {
  readonly state: RequestState;
  readonly proceed: () => void;
  readonly deadline: NodeJS.Timeout;
}

/**
 * Counts the requests in flight. Beyond the limit a request waits its turn, first come, first served, and is refused with
 * `Overloaded` when its turn did not come within 250 ms.
 */
export class Admission {
  readonly #limit: number;
  readonly #queue = new Set<Waiting>();
  /** One for all refusals: the stack trace of an error costs as much as the rest of a refusal. */
  readonly #refusal = Overloaded('The server works on as many requests as it can. Try again in a second.', {
    headers: { 'Retry-After': '1' },
  });
  #inFlight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves when the request may go on. Throws `Overloaded`. */
  async enter(state: RequestState): Promise<void> {
    if (this.#inFlight >= this.#limit) await this.#turnOf(state);
    else this.#inFlight += 1;
    state.isAdmitted = true;
  }

  /** Lets the next one in, unless the request is not counted. */
  leave(state: RequestState): void {
    if (!state.isAdmitted) return;
    state.isAdmitted = false;
    const [next] = this.#queue;
    if (!next) {
      this.#inFlight -= 1;
      return;
    }
    this.#remove(next);
    next.proceed();
  }

  /** Does not count an admitted request while it waits for its client, so that slow senders keep no others out. */
  async whileClientSends<T>(state: RequestState, work: () => Promise<T>): Promise<T> {
    if (!state.isAdmitted) return work();
    this.leave(state);
    const result = await work();
    await this.enter(state);
    return result;
  }

  #turnOf(state: RequestState): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.#remove(waiting);
        state.isRefused = true;
        reject(this.#refusal);
      };
      const waiting = { state, proceed: resolve, deadline: setTimeout(refuse, LONGEST_WAIT_MS) };
      this.#queue.add(waiting);
    });
  }

  #remove(waiting: Waiting): void {
    clearTimeout(waiting.deadline);
    this.#queue.delete(waiting);
  }
}

/** Admits every request but those to probes, whose paths are given. */
export function admit(admission: Admission, probes: ReadonlySet<string>): Step {
  return async ({ path, state }, next) => {
    if (probes.has(path)) return next();
    await admission.enter(state);
    try {
      await next();
    } finally {
      admission.leave(state);
    }
  };
}
