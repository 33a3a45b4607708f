import { isDeepStrictEqual } from 'node:util';
import {
  folded,
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Author,
  type Clock,
  type Database,
  type Transaction,
} from '../../core/index.ts';
import { lockedAlgorithm } from './algorithms.ts';
import type { CatalogueChanges, Done } from './changes.ts';
import { TooManyVersions, VersionLabelTaken, VersionNotFound, type AlgorithmVersion } from './contract.ts';
import { AlgorithmRow, ExampleRow, VersionRow } from './models.ts';
import type { CatalogueReader } from './reader.ts';
import { orNull, versionOf } from './records.ts';
import type { NewVersionInput, VersionChanges } from './schemas.ts';
import type { VersionRules } from './version-rules.ts';

/** More than anyone maintains by hand; all versions of an algorithm still fit into one answer. */
export const MOST_VERSIONS = 200;

/** The key by which labels are unique. */
export function labelKey(label: string): string {
  return folded(label.trim());
}

type Schemas = Pick<AlgorithmVersion, 'input_schema' | 'output_schema'>;

function hasSchemas({ input_schema, output_schema }: Schemas, others: Schemas): boolean {
  return isDeepStrictEqual({ input_schema, output_schema }, others);
}

/** The changes to fields that differ from those of a version. */
function differing(changes: VersionChanges, version: AlgorithmVersion): VersionChanges {
  const isKept = (name: string) =>
    isDeepStrictEqual(changes[name as keyof VersionChanges], version[name as keyof VersionChanges]);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !isKept(name)));
}

/** The id of the newest other version of the same algorithm; null when there is none. */
async function newestBeside(
  { id, algorithm_id }: Pick<VersionRow, 'id' | 'algorithm_id'>,
  trx: Transaction,
): Promise<string | null> {
  const others = VersionRow.query(trx).where({ algorithm_id }).whereNot({ id });
  const newestFirst = [
    { column: 'created_at', order: 'desc' as const },
    { column: 'id', order: 'desc' as const },
  ];
  return (await others.orderBy(newestFirst).first())?.id ?? null;
}

/** Whether a version says already that its schema takes too long, and is paused until then or longer. */
function isMarked(
  version: Pick<AlgorithmVersion, 'schema_too_costly_since' | 'schema_paused_until'>,
  end: string | null,
): boolean {
  const { schema_too_costly_since: since, schema_paused_until: until } = version;
  return since !== null && (end === null || (until !== null && end <= until));
}

async function setDefault(
  algorithm: AlgorithmRow,
  default_version_id: string | null,
  trx: Transaction,
): Promise<string | null> {
  await AlgorithmRow.query(trx).findById(algorithm.id).patch({ default_version_id });
  return default_version_id;
}

export interface VersionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly reader: CatalogueReader;
  readonly rules: VersionRules;
  readonly changes: CatalogueChanges;
  /** Versions that an algorithm may have; 200 by default. */
  readonly most?: number;
}

/** Creates, changes and deletes versions. The lock on the algorithm ensures that one is always the default. */
export class Versions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #reader: CatalogueReader;
  readonly #rules: VersionRules;
  readonly #changes: CatalogueChanges;
  readonly #most: number;

  constructor(deps: VersionsDeps) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#reader = deps.reader;
    this.#rules = deps.rules;
    this.#changes = deps.changes;
    this.#most = deps.most ?? MOST_VERSIONS;
  }

  /** Creates a version. The first one is always the default. Throws 404, 409 and 422 problems. */
  async create(
    algorithmId: string,
    input: NewVersionInput & { readonly id?: string },
    by: Author,
  ): Promise<AlgorithmVersion> {
    await this.#reader.algorithm(algorithmId);
    await this.#rules.check(input);
    const now = isoTime(this.#clock.now());
    const row = {
      id: input.id ?? newId(this.#clock.now()),
      algorithm_id: algorithmId,
      version: input.version,
      version_key: labelKey(input.version),
      url: input.url,
      params: orNull(input.params),
      input_schema: orNull(input.input_schema),
      output_schema: orNull(input.output_schema),
      schema_too_costly_since: null,
      schema_paused_until: null,
      created_at: now,
      updated_at: now,
    };
    return await this.#change(
      algorithmId,
      input.version,
      async (trx, algorithm): Promise<Done<AlgorithmVersion>> => {
        await this.#refuseTooMany(algorithmId, trx);
        await VersionRow.query(trx).insert(row);
        const isDefault = algorithm.default_version_id === null || input.is_default === true;
        if (isDefault) await algorithm.$query(trx).patch({ default_version_id: row.id });
        const result = versionOf(row, isDefault ? row.id : algorithm.default_version_id);
        await this.#record(trx, by, 'create', result, { after: result });
        return { result, isChanged: true };
      },
    );
  }

  /** Changes the given fields, if they differ. Throws 404, 409 and 422 problems. */
  async update(
    algorithmId: string,
    versionId: string,
    changes: VersionChanges,
    by: Author,
  ): Promise<AlgorithmVersion> {
    const { version: before } = await this.#reader.version(algorithmId, versionId);
    // What is stored may be sent back, also where the rules have become stricter.
    await this.#rules.check(differing(changes, before));
    return await this.#change(algorithmId, changes.version ?? before.version, async (trx, algorithm) => {
      const row = await this.#find(algorithmId, versionId, trx);
      const { version = row.version, url = row.url } = changes;
      const kept = <T extends object>(to: T | null | undefined, from: T | null) =>
        to === undefined ? from : orNull(to);
      const schemas = {
        input_schema: kept(changes.input_schema, row.input_schema),
        output_schema: kept(changes.output_schema, row.output_schema),
      };
      const fields = {
        version,
        version_key: labelKey(version),
        url,
        params: kept(changes.params, row.params),
        ...schemas,
        schema_too_costly_since: hasSchemas(row, schemas) ? row.schema_too_costly_since : null,
        schema_paused_until: hasSchemas(row, schemas) ? row.schema_paused_until : null,
      };
      const defaultId = await this.#chooseDefault(algorithm, versionId, changes.is_default, trx);
      if (defaultId === algorithm.default_version_id && !row.differsFrom(fields)) {
        return { result: versionOf(row, defaultId), isChanged: false };
      }
      const changed = { ...fields, updated_at: isoTime(this.#clock.now()) };
      const was = versionOf(row, algorithm.default_version_id);
      const result = versionOf({ ...row, ...changed }, defaultId);
      await row.$query(trx).patch(changed);
      await this.#record(trx, by, 'update', result, { before: was, after: result });
      return { result, isChanged: true };
    });
  }

  /** Deletes a version. When it was the default, the newest remaining one becomes the default. Throws 404 problems. */
  async remove(algorithmId: string, versionId: string, by: Author): Promise<void> {
    await this.#reader.version(algorithmId, versionId);
    await this.#change(algorithmId, '', async (trx, algorithm) => {
      const row = await this.#find(algorithmId, versionId, trx);
      await ExampleRow.query(trx).delete().where({ version_id: versionId });
      await row.$query(trx).delete();
      const before = versionOf(row, algorithm.default_version_id);
      await this.#record(trx, by, 'delete', before, { before });
      if (algorithm.default_version_id === versionId) {
        await setDefault(algorithm, await newestBeside(row, trx), trx);
      }
      return { result: undefined, isChanged: true };
    });
  }

  /**
   * Stores when a schema first took too long and when its last pause ends, unless the version was changed meanwhile. Each
   * process pauses schemas by itself; only a later end is stored, or two processes would replace each other's with every call.
   */
  async markCostly(version: AlgorithmVersion, pausedUntil: number | undefined): Promise<void> {
    const { id, algorithm_id, updated_at } = version;
    const end = pausedUntil === undefined ? null : isoTime(pausedUntil);
    if (isMarked(version, end)) return;
    await this.#database.transaction(async (trx) => {
      const row = await VersionRow.query(trx).findById(id).where({ updated_at }).forUpdate();
      if (row === undefined || isMarked(row, end)) return;
      await row.$query(trx).patch({
        schema_too_costly_since: row.schema_too_costly_since ?? isoTime(this.#clock.now()),
        schema_paused_until: end ?? row.schema_paused_until,
      });
      this.#changes.publish(trx, algorithm_id);
    });
  }

  async #record(
    trx: Transaction,
    by: Author,
    verb: 'create' | 'update' | 'delete',
    { id, version: name }: AlgorithmVersion,
    states: { readonly before?: AlgorithmVersion; readonly after?: AlgorithmVersion },
  ): Promise<void> {
    await this.#changes.record(trx, by, verb, { kind: 'version', id, name, ...states });
  }

  async #change<T>(
    algorithmId: string,
    label: string,
    work: (trx: Transaction, algorithm: AlgorithmRow) => Promise<Done<T>>,
  ): Promise<T> {
    let done: Done<T>;
    try {
      done = await this.#database.transaction(async (trx) => {
        const { result, isChanged } = await work(trx, await lockedAlgorithm(algorithmId, trx));
        if (isChanged) this.#changes.publish(trx, algorithmId);
        return { result, isChanged };
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw VersionLabelTaken(`The algorithm has a version labelled "${label}" already.`, {
        errors: [{ pointer: '/body/version', message: 'must be unique within the algorithm.' }],
      });
    }
    if (done.isChanged) this.#changes.changed(algorithmId);
    return done.result;
  }

  /** Returns the id of the default version. The only version stays the default, whatever is wanted. */
  async #chooseDefault(
    algorithm: AlgorithmRow,
    versionId: string,
    wanted: boolean | undefined,
    trx: Transaction,
  ): Promise<string | null> {
    const { id, default_version_id } = algorithm;
    if (wanted === undefined || wanted === (default_version_id === versionId)) return default_version_id;
    const successor = wanted ? versionId : await newestBeside({ id: versionId, algorithm_id: id }, trx);
    if (successor === null) return default_version_id;
    return setDefault(algorithm, successor, trx);
  }

  async #refuseTooMany(algorithmId: string, trx: Transaction): Promise<void> {
    const count = await VersionRow.query(trx).where({ algorithm_id: algorithmId }).resultSize();
    if (count >= this.#most)
      throw TooManyVersions(`The algorithm has ${count} versions, and may have ${this.#most}.`);
  }

  async #find(algorithmId: string, versionId: string, trx: Transaction): Promise<VersionRow> {
    const known = isId(versionId) ? VersionRow.query(trx).findById(versionId) : undefined;
    const row = await known?.where({ algorithm_id: algorithmId });
    if (row === undefined)
      throw VersionNotFound(`The algorithm ${algorithmId} has no version with the id "${versionId}".`);
    return row;
  }
}

export const VERSIONS = token<Versions>('catalogue:versions');
