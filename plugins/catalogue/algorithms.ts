import {
  isId,
  isoTime,
  newId,
  token,
  ValidationFailed,
  type Author,
  type Clock,
  type Database,
  type Transaction,
} from '../../core/index.ts';
import type { CatalogueChanges } from './changes.ts';
import type { AccessPolicy, Algorithm, NewAlgorithm, SchemaFinding } from './contract.ts';
import { AlgorithmRow, ExampleRow, ReadmeRow, TagRow, VersionRow } from './models.ts';
import { noAlgorithm } from './reader.ts';
import { algorithmOf } from './records.ts';
import { MAX_README_BYTES, type AlgorithmChanges } from './schemas.ts';
import { searchColumns } from './search.ts';
import { keyed, withoutRepeated } from './tags.ts';

/** Locks the row of an algorithm until the transaction ends, and returns it. Throws `AlgorithmNotFound`. */
export async function lockedAlgorithm(id: string, trx: Transaction): Promise<AlgorithmRow> {
  const row = isId(id) ? await AlgorithmRow.locked(id, trx) : undefined;
  if (row === undefined) throw noAlgorithm(id);
  return row;
}

/** What is wrong with a readme beyond the schema of its field, which counts characters. */
export function faultsOfReadme(readme = ''): readonly SchemaFinding[] {
  const bytes = Buffer.byteLength(readme);
  if (bytes <= MAX_README_BYTES) return [];
  const message = `must be at most ${MAX_README_BYTES} bytes long, and has ${bytes}.`;
  return [{ pointer: '/body/readme', message }];
}

function refuseLong(readme: string | undefined): void {
  const errors = faultsOfReadme(readme);
  if (errors.length > 0) throw ValidationFailed('The readme is too long.', { errors });
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

  /** Throws `ValidationFailed` for a readme that is too long. */
  async create(input: NewAlgorithm, by: Author): Promise<Algorithm> {
    refuseLong(input.readme);
    const now = isoTime(this.#clock.now());
    const { name, description, type, status = 'active', access = 'open', readme = '' } = input;
    const times = { created_at: now, updated_at: now };
    const algorithm: Algorithm = {
      id: input.id ?? newId(this.#clock.now()),
      name,
      description,
      type,
      status,
      access,
      tags: withoutRepeated(input.tags ?? []),
      ...times,
    };
    await this.#database.transaction(async (trx) => {
      await AlgorithmRow.query(trx).insert({
        ...algorithm,
        default_version_id: null,
        ...searchColumns(algorithm),
      });
      await TagRow.store(algorithm.id, keyed(algorithm.tags), trx);
      await ReadmeRow.store(algorithm.id, readme, trx);
      const { id } = algorithm;
      await this.#changes.record(trx, by, 'create', {
        kind: 'algorithm',
        id,
        name,
        after: { ...algorithm, readme },
      });
      this.#changes.publish(trx, algorithm.id);
    });
    this.#changes.changed(algorithm.id);
    return algorithm;
  }

  /** Changes the given fields, if they differ. Throws `AlgorithmNotFound`, and `ValidationFailed` as `create` does. */
  async update(id: string, changes: AlgorithmChanges, by: Author): Promise<void> {
    refuseLong(changes.readme);
    const isChanged = await this.#database.transaction(async (trx) => {
      const row = await lockedAlgorithm(id, trx);
      const { name = row.name, description = row.description, type = row.type } = changes;
      const { status = row.status, access = row.access } = changes;
      const before = await ReadmeRow.of(id, trx);
      const { readme = before } = changes;
      const tags = changes.tags ? withoutRepeated(changes.tags) : row.tags;
      const fields = { name, description, type, status, access, tags };
      if (readme === before && !row.differsFrom(fields)) return false;
      const changed = { ...fields, updated_at: isoTime(this.#clock.now()) };
      await this.#changes.record(trx, by, 'update', {
        kind: 'algorithm',
        id,
        name,
        before: { ...algorithmOf(row), readme: before },
        after: { ...algorithmOf(row), ...changed, readme },
      });
      await row.$query(trx).patch({ ...changed, ...searchColumns(fields) });
      await TagRow.store(id, keyed(tags), trx);
      await ReadmeRow.store(id, readme, trx);
      this.#changes.publish(trx, id);
      return true;
    });
    if (isChanged) this.#changes.changed(id);
  }

  /** Deletes an algorithm with its versions and grants. Throws `AlgorithmNotFound`. */
  async remove(id: string, by: Author): Promise<void> {
    const access = await this.#database.transaction(async (trx) => {
      const row = await lockedAlgorithm(id, trx);
      await TagRow.store(id, [], trx);
      await ReadmeRow.store(id, '', trx);
      await ExampleRow.query(trx).delete().where({ algorithm_id: id });
      await VersionRow.query(trx).delete().where({ algorithm_id: id });
      for (const policy of this.#policies) await policy.takeBack?.(trx, id);
      await row.$query(trx).delete();
      await this.#changes.record(trx, by, 'delete', {
        kind: 'algorithm',
        id,
        name: row.name,
        before: algorithmOf(row),
      });
      this.#changes.publish(trx, id);
      return row.access;
    });
    this.#changes.deleted(id, access);
  }
}

export const ALGORITHMS = token<Algorithms>('catalogue:algorithms');
