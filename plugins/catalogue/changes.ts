import { token, type EventBus, type Signals, type Transaction } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, algorithmChanged, algorithmDeleted } from './contract.ts';

/** Tells of changes: caches with the commit, listeners after it. */
export class CatalogueChanges {
  readonly #signals: Signals;
  readonly #events: EventBus;

  constructor(deps: { signals: Signals; events: EventBus }) {
    this.#signals = deps.signals;
    this.#events = deps.events;
  }

  publish(trx: Transaction, algorithmId: string): void {
    this.#signals.publish(trx, ALGORITHM_CHANGED_TOPIC, algorithmId);
  }

  changed(algorithmId: string): void {
    this.#events.emit(algorithmChanged, { algorithm_id: algorithmId });
  }

  deleted(algorithmId: string): void {
    this.#events.emit(algorithmDeleted, { algorithm_id: algorithmId });
  }
}

export const CHANGES = token<CatalogueChanges>('catalogue:changes');
