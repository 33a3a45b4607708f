import type { EventBus, Signals } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, algorithmChanged, algorithmDeleted } from './contract.ts';

/** Tells of changes after their commit: first whoever remembers, then whoever listens. */
export class CatalogueChanges {
  readonly #signals: Signals;
  readonly #events: EventBus;

  constructor(deps: { signals: Signals; events: EventBus }) {
    this.#signals = deps.signals;
    this.#events = deps.events;
  }

  async changed(algorithmId: string): Promise<void> {
    await this.#signals.publish(ALGORITHM_CHANGED_TOPIC, algorithmId);
    this.#events.emit(algorithmChanged, { algorithm_id: algorithmId });
  }

  async deleted(algorithmId: string): Promise<void> {
    await this.#signals.publish(ALGORITHM_CHANGED_TOPIC, algorithmId);
    this.#events.emit(algorithmDeleted, { algorithm_id: algorithmId });
  }
}
