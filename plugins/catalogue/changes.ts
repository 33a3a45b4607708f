import { token, type EventBus, type Invalidation, type Transaction } from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  algorithmChanged,
  algorithmDeleted,
  type AlgorithmAccess,
} from './contract.ts';

/** Publishes changes: invalidates caches with the commit, and emits events after it. */
export class CatalogueChanges {
  readonly #invalidation: Invalidation;
  readonly #events: EventBus;

  constructor(deps: { invalidation: Invalidation; events: EventBus }) {
    this.#invalidation = deps.invalidation;
    this.#events = deps.events;
  }

  publish(trx: Transaction, algorithmId: string): void {
    this.#invalidation.publish(trx, ALGORITHM_CHANGED_TOPIC, algorithmId);
  }

  changed(algorithmId: string): void {
    this.#events.emit(algorithmChanged, { algorithm_id: algorithmId });
  }

  deleted(algorithmId: string, access: AlgorithmAccess): void {
    this.#events.emit(algorithmDeleted, { algorithm_id: algorithmId, access });
  }
}

export const CHANGES = token<CatalogueChanges>('catalogue:changes');
