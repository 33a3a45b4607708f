import { NotReady } from '../errors/problems.ts';
import type { WorkerPlace } from '../kernel/worker-place.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Figures } from '../telemetry/figures.ts';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';

/** Set for workers by their supervisor. */
const SUPERVISED = 'VITRINE_SUPERVISED';

/** What a worker of that place is started with. */
export function supervised(place: WorkerPlace): Readonly<Record<string, string>> {
  return { [SUPERVISED]: JSON.stringify(place) };
}

/** The supervisor of this process, where it is a worker. */
export function ownSupervisor(): Supervisor | undefined {
  const place = process.env[SUPERVISED];
  return place === undefined ? undefined : new Supervisor(JSON.parse(place) as WorkerPlace);
}

/** Longer than the supervisor waits for a worker that hangs. */
const ANSWER_MS = 3_000;

/** The supervisor as one of its workers sees it. */
class Supervisor {
  readonly workerPlace: WorkerPlace;
  readonly #waiting = new Map<number, (metrics: string) => void>();
  #figures: (() => Promise<Figures>) | undefined;
  #questions = 0;

  constructor(workerPlace: WorkerPlace) {
    this.workerPlace = workerPlace;
    process.on('message', (message: SupervisorMessage) => void this.#hear(message));
  }

  /** Tells that this worker serves. From now on it is asked for its figures. */
  serves(lines: readonly string[], figures: () => Promise<Figures>): void {
    this.#figures = figures;
    this.#tell({ lines });
  }

  /** The metrics of all workers, as Prometheus reads them. Throws `NotReady` when the supervisor does not answer. */
  async metrics(): Promise<string> {
    const question = ++this.#questions;
    const answer = new Promise<string>((resolve) => this.#waiting.set(question, resolve));
    this.#tell({ ask: question });
    try {
      return await withDeadline(ANSWER_MS, answer, () => {
        throw NotReady('The supervisor of the worker processes does not answer.');
      });
    } finally {
      this.#waiting.delete(question);
    }
  }

  async #hear(message: SupervisorMessage): Promise<void> {
    if ('answerTo' in message) {
      this.#waiting.get(message.answerTo)?.(message.metrics);
    } else if (this.#figures) {
      this.#tell({ collection: message.collection, figures: await this.#figures() });
    }
  }

  /** A supervisor that is gone ends this process, so nobody needs to hear that it could not be told. */
  #tell(message: WorkerMessage): void {
    process.send?.(message, undefined, undefined, () => undefined);
  }
}
