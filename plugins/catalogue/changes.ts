import {
  token,
  type Audit,
  type Author,
  type EventBus,
  type Invalidation,
  type Transaction,
} from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  algorithmChanged,
  algorithmDeleted,
  type AlgorithmAccess,
} from './contract.ts';

/** What a change returns, and whether it changed anything: otherwise nothing is published. */
export interface Done<T> {
  readonly result: T;
  readonly isChanged: boolean;
}

interface ChangedRecord {
  readonly kind: 'algorithm' | 'version' | 'example';
  readonly id: string;
  readonly name: string;
  readonly before?: object;
  readonly after?: object;
}

/** Publishes changes: records them and invalidates caches with the commit, and emits events after it. */
export class CatalogueChanges {
  readonly #invalidation: Invalidation;
  readonly #events: EventBus;
  readonly #audit: Audit;

  constructor(deps: { invalidation: Invalidation; events: EventBus; audit: Audit }) {
    this.#audit = deps.audit;
    this.#invalidation = deps.invalidation;
    this.#events = deps.events;
  }

  publish(trx: Transaction, algorithmId: string): void {
    this.#invalidation.publish(trx, ALGORITHM_CHANGED_TOPIC, algorithmId);
  }

  /** Records who changed an algorithm, a version or an example, in the transaction of the change. */
  async record(
    trx: Transaction,
    by: Author,
    verb: 'create' | 'update' | 'delete',
    { kind, id, name, before, after }: ChangedRecord,
  ): Promise<void> {
    await this.#audit.record(trx, by, {
      action: `${kind}.${verb}`,
      target: { kind, id, name },
      before,
      after,
    });
  }

  changed(algorithmId: string): void {
    this.#events.emit(algorithmChanged, { algorithm_id: algorithmId });
  }

  deleted(algorithmId: string, access: AlgorithmAccess): void {
    this.#events.emit(algorithmDeleted, { algorithm_id: algorithmId, access });
  }
}

export const CHANGES = token<CatalogueChanges>('catalogue:changes');
