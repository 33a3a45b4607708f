import {
  isId,
  isoTime,
  newId,
  token,
  type Author,
  type Clock,
  type Connection,
  type Database,
  type Transaction,
} from '../../../core/index.ts';
import { lockedAlgorithm } from '../algorithms.ts';
import type { Callables } from '../callables.ts';
import type { CatalogueChanges, Done } from '../changes.ts';
import {
  ExampleNotFound,
  SchemaTooCostly,
  TooManyExamples,
  type AlgorithmVersion,
  type CallableVersion,
  type NewExample,
} from '../contract.ts';
import { ExampleRow, VersionRow } from '../models.ts';
import { misfits, refuseUnfit } from './fit.ts';
import type { ExampleChanges } from './schemas.ts';

export const MAX_EXAMPLES = 50;

type Content = Pick<ExampleRow, 'input_data' | 'params' | 'output_data' | 'tolerance'>;
type VersionIds = Pick<AlgorithmVersion, 'id' | 'algorithm_id'>;

/** An example that the present version would not accept, and the first reason. */
export interface UnfitExample {
  readonly id: string;
  readonly name: string;
  readonly message: string;
}

/** Creates, changes and deletes examples of versions. Of the examples of a version one is the default. */
export class Examples {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #callables: Callables;
  readonly #changes: CatalogueChanges;

  constructor(deps: { database: Database; clock: Clock; callables: Callables; changes: CatalogueChanges }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#callables = deps.callables;
    this.#changes = deps.changes;
  }

  /** The examples of a version, oldest first. */
  async list(versionId: string): Promise<readonly ExampleRow[]> {
    return await examplesOf(versionId, this.#database.knex);
  }

  /** The examples of all versions of an algorithm, oldest first. */
  async listAll(algorithm_id: string): Promise<readonly ExampleRow[]> {
    return await ExampleRow.query(this.#database.knex).where({ algorithm_id }).orderBy(['created_at', 'id']);
  }

  /** Throws `ExampleNotFound`. */
  async find(versionId: string, id: string): Promise<ExampleRow> {
    return await exampleOf(versionId, id, this.#database.knex);
  }

  /** Creates an example; the first one is the default. Throws 404, 409 and 422 problems. */
  async create(ids: VersionIds, input: NewExample, by: Author, callId?: string): Promise<ExampleRow> {
    const { name, description = '', input_data, params = {}, output_data = null, tolerance = null } = input;
    const content = { input_data, params, output_data, tolerance };
    return await this.#change(
      ids,
      (version) => refuseUnfit(version, content, callId),
      async (trx) => {
        const others = await examplesOf(ids.id, trx);
        if (others.length >= MAX_EXAMPLES)
          throw TooManyExamples(`The version has ${others.length} examples, and may have ${MAX_EXAMPLES}.`);
        const now = this.#clock.now();
        const times = { created_at: isoTime(now), updated_at: isoTime(now) };
        const is_default = others.length === 0 || input.is_default === true;
        if (is_default) await clearDefault(ids.id, trx);
        const about = {
          id: newId(now),
          algorithm_id: ids.algorithm_id,
          version_id: ids.id,
          name,
          description,
        };
        const row = { ...about, ...content, is_default, misfit: null, ...times };
        const created = await ExampleRow.query(trx).insertAndFetch(row);
        await this.#record(trx, by, 'create', created, { after: shown(created) });
        return { result: created, isChanged: true };
      },
    );
  }

  /** Changes the given fields, if they differ. Throws 404 and 422 problems. */
  async update(ids: VersionIds, id: string, changes: ExampleChanges, by: Author): Promise<ExampleRow> {
    const isOther = (row: ExampleRow) => row.differsFrom(contentAfter(row, changes));
    return await this.#change(
      ids,
      async (version) => {
        const row = await this.find(ids.id, id);
        // What is stored may be sent back, also when the version does not accept it any more.
        if (isOther(row)) await refuseUnfit(version, contentAfter(row, changes));
        return row;
      },
      async (trx, checked) => {
        const row = await exampleOf(ids.id, id, trx);
        if (row.differsFrom(contentOf(checked))) return undefined;
        const { name = row.name, description = row.description } = changes;
        const is_default = await chooseDefault(row, changes.is_default, trx);
        const misfit = isOther(row) ? null : row.misfit;
        const fields = { name, description, ...contentAfter(row, changes), is_default, misfit };
        if (!row.differsFrom(fields)) return { result: row, isChanged: false };
        const before = shown(row);
        const changed = await row
          .$query(trx)
          .patchAndFetch({ ...fields, updated_at: isoTime(this.#clock.now()) });
        await this.#record(trx, by, 'update', changed, { before, after: shown(changed) });
        return { result: changed, isChanged: true };
      },
    );
  }

  /** Deletes an example. When it was the default, the oldest remaining one becomes the default. Throws 404 problems. */
  async remove({ id: versionId, algorithm_id }: VersionIds, id: string, by: Author): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await lockedAlgorithm(algorithm_id, trx);
      const row = await exampleOf(versionId, id, trx);
      await chooseDefault(row, false, trx);
      await row.$query(trx).delete();
      await this.#record(trx, by, 'delete', row, { before: shown(row) });
      this.#changes.publish(trx, algorithm_id);
    });
    this.#changes.changed(algorithm_id);
  }

  async #record(
    trx: Transaction,
    by: Author,
    verb: 'create' | 'update' | 'delete',
    { id, name }: ExampleRow,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    await this.#changes.record(trx, by, verb, { kind: 'example', id, name, ...states });
  }

  /** Checks the examples of a version that was changed, and answers those that it would not accept. */
  async recheck(ids: VersionIds): Promise<readonly UnfitExample[]> {
    const rows = await this.list(ids.id);
    if (rows.length === 0) return [];
    const judged = await this.#change(
      ids,
      (version) => reasonsAgainst(version, rows),
      async (trx, unfit) => {
        let isChanged = false;
        for (const row of await examplesOf(ids.id, trx)) {
          const checked = rows.find(({ id }) => id === row.id);
          const misfit = unfit.get(row.id) ?? null;
          // One that was created or changed meanwhile was checked by the request that did so.
          if (!checked || row.misfit === misfit || row.differsFrom(contentOf(checked))) continue;
          await row.$query(trx).patch({ misfit });
          isChanged = true;
        }
        return { result: await examplesOf(ids.id, trx), isChanged };
      },
    );
    return judged.flatMap(({ id, name, misfit }) => (misfit === null ? [] : [{ id, name, message: misfit }]));
  }

  /**
   * Checks against the version and then writes. The check is outside of the transaction, which must not wait for a costly
   * schema; both are done again when the version was changed in between, or where `write` returns nothing.
   */
  async #change<C, T>(
    { id, algorithm_id }: VersionIds,
    check: (version: CallableVersion) => Promise<C>,
    write: (trx: Transaction, checked: C) => Promise<Done<T> | undefined>,
  ): Promise<T> {
    for (;;) {
      const callable = await this.#callables.fresh(algorithm_id, id);
      const checked = await check(callable);
      const done = await this.#database.transaction(async (trx) => {
        await lockedAlgorithm(algorithm_id, trx);
        const { updated_at } = callable.version;
        if (!(await VersionRow.query(trx).findById(id).where({ updated_at }))) return undefined;
        const written = await write(trx, checked);
        if (written?.isChanged) this.#changes.publish(trx, algorithm_id);
        return written;
      });
      if (done === undefined) continue;
      if (done.isChanged) this.#changes.changed(algorithm_id);
      return done.result;
    }
  }
}

/** The first reason why a version would not accept each of these examples, by their id. */
async function reasonsAgainst(
  version: CallableVersion,
  rows: readonly ExampleRow[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  for (const row of rows) {
    try {
      const [first] = await misfits(version, row);
      if (first) reasons.set(row.id, `${first.pointer} ${first.message}`);
    } catch (error) {
      if (!SchemaTooCostly.is(error)) throw error;
      reasons.set(row.id, error.message);
    }
  }
  return reasons;
}

/** An example as the audit trail keeps it. */
function shown(row: ExampleRow) {
  const { name, description, version_id, is_default, input_data, params, output_data, tolerance } = row;
  return { name, description, version_id, is_default, input_data, params, output_data, tolerance };
}

function contentOf({ input_data, params, output_data, tolerance }: ExampleRow): Content {
  return { input_data, params, output_data, tolerance };
}

function contentAfter(row: ExampleRow, changes: ExampleChanges): Content {
  const { input_data = row.input_data, params = row.params } = changes;
  const { output_data = row.output_data, tolerance = row.tolerance } = changes;
  return { input_data, params, output_data, tolerance };
}

async function examplesOf(version_id: string, connection: Connection): Promise<ExampleRow[]> {
  return await ExampleRow.query(connection).where({ version_id }).orderBy(['created_at', 'id']);
}

async function exampleOf(version_id: string, id: string, connection: Connection): Promise<ExampleRow> {
  const known = isId(id) ? ExampleRow.query(connection).findById(id) : undefined;
  const row = await known?.where({ version_id });
  if (row === undefined)
    throw ExampleNotFound(`The version ${version_id} has no example with the id "${id}".`);
  return row;
}

async function clearDefault(version_id: string, trx: Transaction): Promise<void> {
  await ExampleRow.query(trx).where({ version_id, is_default: true }).patch({ is_default: false });
}

/** Says whether an example is the default from now on, and moves the mark of another one. The only one keeps it. */
async function chooseDefault(
  { id, version_id, is_default }: ExampleRow,
  wanted: boolean | undefined,
  trx: Transaction,
): Promise<boolean> {
  if (wanted === undefined || wanted === is_default) return is_default;
  const successor = wanted ? id : (await examplesOf(version_id, trx)).find((other) => other.id !== id)?.id;
  if (successor === undefined) return is_default;
  await clearDefault(version_id, trx);
  await ExampleRow.query(trx).findById(successor).patch({ is_default: true });
  return wanted;
}

export const EXAMPLES = token<Examples>('catalogue:examples');
