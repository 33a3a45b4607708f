import { NotReady } from '../../core/errors/core-problems.ts';
import { withDeadline } from '../../core/support/deadline.ts';
import type { MetricsSnapshot } from '../../core/telemetry/metrics-snapshot.ts';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';

/** Marks workers of this supervisor, because a process may also be a cluster worker of another program, such as pm2. */
const SUPERVISED = 'VITRINE_SUPERVISED';

/** Environment variables of every worker. */
export const WORKER_ENVIRONMENT: Readonly<Record<string, string>> = { [SUPERVISED]: '1' };

/** The connection to the supervisor when this process is a worker. */
export function ownSupervisor(): Supervisor | undefined {
  return process.env[SUPERVISED] === undefined ? undefined : new Supervisor();
}

/** Longer than the supervisor waits for a worker that does not answer. */
const ANSWER_MS = 3_000;

/** The connection of a worker to its supervisor. */
class Supervisor {
  readonly #pending = new Map<number, (metrics: string) => void>();
  #snapshot: (() => Promise<MetricsSnapshot>) | undefined;
  #questions = 0;

  constructor() {
    process.on('message', (message: SupervisorMessage) => void this.#receive(message));
  }

  /** Reports that this worker serves, with the lines to print. After that the supervisor requests its metrics. */
  serves(lines: readonly string[], snapshot: () => Promise<MetricsSnapshot>): void {
    this.#snapshot = snapshot;
    this.#send({ lines });
  }

  /** The metrics of all workers in the text format of Prometheus. Throws `NotReady` when the supervisor does not answer. */
  async metrics(): Promise<string> {
    const question = ++this.#questions;
    const answer = new Promise<string>((resolve) => this.#pending.set(question, resolve));
    this.#send({ ask: question });
    try {
      return await withDeadline(ANSWER_MS, answer, () => {
        throw NotReady('The supervisor of the worker processes does not answer.');
      });
    } finally {
      this.#pending.delete(question);
    }
  }

  async #receive(message: SupervisorMessage): Promise<void> {
    if ('answerTo' in message) {
      this.#pending.get(message.answerTo)?.(message.metrics);
    } else if (this.#snapshot) {
      this.#send({ collection: message.collection, snapshot: await this.#snapshot() });
    }
  }

  /** Ignores failures, because this process ends with its supervisor. */
  #send(message: WorkerMessage): void {
    process.send?.(message, undefined, undefined, () => undefined);
  }
}
