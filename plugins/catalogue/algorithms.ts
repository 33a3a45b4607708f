import {
  isId,
  isoTime,
  newId,
  token,
  type Clock,
  type Database,
  type Transaction,
} from '../../core/index.ts';
import type { CatalogueChanges } from './changes.ts';
import type { AccessPolicy, Algorithm } from './contract.ts';
import { AlgorithmRow, VersionRow } from './models.ts';
import { noAlgorithm } from './reader.ts';
import { algorithmOf } from './records.ts';
import type { AlgorithmChanges, NewAlgorithmInput } from './schemas.ts';
import { searchText } from './search.ts';

/** Locks the row of an algorithm until the transaction ends, and returns it. Throws `AlgorithmNotFound`. */
export async function lockedAlgorithm(id: string, trx: Transaction): Promise<AlgorithmRow> {
  const row = isId(id) ? await AlgorithmRow.locked(id, trx) : undefined;
  if (row === undefined) throw noAlgorithm(id);
  return row;
}

/** Creates, changes and deletes algorithms. */
export class Algorithms {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #changes: CatalogueChanges;
  readonly #policies: readonly AccessPolicy[];

  constructor(deps: {
    database: Database;
    clock: Clock;
    changes: CatalogueChanges;
    policies: readonly AccessPolicy[];
  }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#changes = deps.changes;
    this.#policies = deps.policies;
  }

  async create(input: NewAlgorithmInput & { readonly id?: string }): Promise<Algorithm> {
    const now = isoTime(this.#clock.now());
    const { name, description, type, status = 'active', access = 'open' } = input;
    const times = { created_at: now, updated_at: now };
    const algorithm: Algorithm = {
      id: input.id ?? newId(this.#clock.now()),
      name,
      description,
      type,
      status,
      access,
      ...times,
    };
    await this.#database.transaction(async (trx) => {
      await AlgorithmRow.query(trx).insert({
        ...algorithm,
        default_version_id: null,
        search_text: searchText(algorithm),
      });
      this.#changes.publish(trx, algorithm.id);
    });
    this.#changes.changed(algorithm.id);
    return algorithm;
  }

  /** Changes the given fields, if they differ. Throws `AlgorithmNotFound`. */
  async update(id: string, changes: AlgorithmChanges): Promise<Algorithm> {
    const { algorithm, isChanged } = await this.#database.transaction(async (trx) => {
      const row = await lockedAlgorithm(id, trx);
      const { name = row.name, description = row.description, type = row.type } = changes;
      const { status = row.status, access = row.access } = changes;
      const fields = { name, description, type, status, access };
      if (!row.differsFrom(fields)) return { algorithm: algorithmOf(row), isChanged: false };
      const changed = { ...fields, updated_at: isoTime(this.#clock.now()) };
      await row.$query(trx).patch({ ...changed, search_text: searchText(fields) });
      this.#changes.publish(trx, id);
      return { algorithm: algorithmOf({ ...row, ...changed }), isChanged: true };
    });
    if (isChanged) this.#changes.changed(id);
    return algorithm;
  }

  /** Deletes an algorithm with its versions and grants. Throws `AlgorithmNotFound`. */
  async remove(id: string): Promise<void> {
    const access = await this.#database.transaction(async (trx) => {
      const row = await lockedAlgorithm(id, trx);
      await VersionRow.query(trx).delete().where({ algorithm_id: id });
      for (const policy of this.#policies) await policy.takeBack?.(trx, id);
      await row.$query(trx).delete();
      this.#changes.publish(trx, id);
      return row.access;
    });
    this.#changes.deleted(id, access);
  }
}

export const ALGORITHMS = token<Algorithms>('catalogue:algorithms');
