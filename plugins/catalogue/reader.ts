import { setImmediate } from 'node:timers/promises';
import { isId, token, type Database, type PreparedRead, type SqlValue } from '../../core/index.ts';
import {
  AlgorithmNotFound,
  VersionNotFound,
  type Algorithm,
  type AlgorithmVersion,
  type ExampledVersion,
} from './contract.ts';
import { algorithmOf, versionOf, type AlgorithmColumns, type VersionColumns } from './records.ts';
import type { AlgorithmFilter } from './schemas.ts';
import { amongIds, filtered, selecting, type ListedAlgorithms, type Selection } from './search.ts';

/** A row of the driver, with JSON as text. */
type RawVersion = { [K in keyof VersionColumns]: string | (null extends VersionColumns[K] ? null : never) };
type RawAlgorithm = Omit<AlgorithmColumns, 'tags'> & { readonly tags: string };
type RawPair = RawVersion & { [K in keyof RawAlgorithm as `algorithm_${K}`]: RawAlgorithm[K] };

const ALGORITHM =
  'id, name, description, type, status, access, default_version_id, tags, created_at, updated_at';
const VERSION =
  'id, algorithm_id, version, url, params, input_schema, output_schema, schema_too_costly_since, schema_paused_until, created_at, updated_at';
const prefixed = (columns: string, table: string, prefix = '') =>
  columns
    .split(', ')
    .map((column) => `${table}.${column} AS ${prefix}${column}`)
    .join(', ');

/** Versions with examples that are read without a pause. */
const VERSIONS_AT_ONCE = 500;

function parsed(raw: RawVersion): VersionColumns {
  const json = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    ...(raw as VersionColumns),
    params: json(raw.params),
    input_schema: json(raw.input_schema),
    output_schema: json(raw.output_schema),
  };
}

function parsedAlgorithm(raw: RawAlgorithm): AlgorithmColumns {
  return { ...raw, tags: JSON.parse(raw.tags) };
}

function pairOf(row: RawPair): AlgorithmWithVersion {
  const algorithm = Object.fromEntries(
    ALGORITHM.split(', ').map((column) => [column, row[`algorithm_${column}` as keyof RawPair]]),
  ) as unknown as RawAlgorithm;
  return {
    algorithm: algorithmOf(parsedAlgorithm(algorithm)),
    version: versionOf(parsed(row), algorithm.default_version_id),
  };
}

/** A filter, and which default versions it selects. */
export type ListedFilter = AlgorithmFilter & Pick<Selection, 'defaults'>;

export interface AlgorithmWithVersion {
  readonly algorithm: Algorithm;
  readonly version: AlgorithmVersion;
}

/** Reads the catalogue by hand-written statements, because every call reads it. */
export class CatalogueReader {
  readonly #database: Database;
  readonly #algorithm: PreparedRead<RawAlgorithm>;
  readonly #readme: PreparedRead<{ readme: string }>;
  readonly #versions: PreparedRead<RawVersion & { readonly default_version_id: string | null }>;
  readonly #pair: PreparedRead<RawPair>;
  readonly #default: PreparedRead<RawPair>;
  readonly #ofVersion: PreparedRead<{ algorithm_id: string }>;
  readonly #private: PreparedRead<{ id: string }>;
  readonly #count: PreparedRead<{ count: number }>;

  constructor(database: Database) {
    this.#database = database;
    this.#algorithm = database.read(`SELECT ${ALGORITHM} FROM catalogue_algorithms WHERE id = ?`);
    this.#readme = database.read('SELECT readme FROM catalogue_readmes WHERE algorithm_id = ?');
    // With the default, which may change between two statements: one of the versions is always marked.
    this.#versions = database.read(
      `SELECT ${prefixed(VERSION, 'v')}, a.default_version_id
       FROM catalogue_versions v JOIN catalogue_algorithms a ON a.id = v.algorithm_id
       WHERE v.algorithm_id = ? ORDER BY v.created_at DESC, v.id DESC`,
    );
    const pair = `SELECT ${prefixed(VERSION, 'v')}, ${prefixed(ALGORITHM, 'a', 'algorithm_')} FROM catalogue_versions v`;
    this.#pair = database.read(`${pair} JOIN catalogue_algorithms a ON a.id = v.algorithm_id WHERE v.id = ?`);
    this.#default = database.read(
      `${pair} JOIN catalogue_algorithms a ON a.default_version_id = v.id WHERE a.id = ?`,
    );
    this.#ofVersion = database.read('SELECT algorithm_id FROM catalogue_versions WHERE id = ?');
    this.#private = database.read("SELECT id FROM catalogue_algorithms WHERE access = 'private' ORDER BY id");
    this.#count = database.read('SELECT CAST(count(*) AS integer) AS count FROM catalogue_algorithms');
  }

  /** Throws `AlgorithmNotFound`. */
  async algorithm(id: string): Promise<Algorithm> {
    return algorithmOf(await this.#row(id));
  }

  /** An algorithm with its readme and its versions, newest first. Throws `AlgorithmNotFound`. */
  async algorithmAndVersions(
    id: string,
  ): Promise<{ algorithm: Algorithm; readme: string; versions: AlgorithmVersion[] }> {
    const row = await this.#row(id);
    const [text, versions] = await Promise.all([this.#readme.first(id), this.#versions.all(id)]);
    return {
      algorithm: algorithmOf(row),
      readme: text?.readme ?? '',
      versions: versions.map((version) => versionOf(parsed(version), version.default_version_id)),
    };
  }

  /** The id of the algorithm that has a version. */
  async algorithmOf(versionId: string): Promise<string | undefined> {
    const row = isId(versionId) ? await this.#ofVersion.first(versionId) : undefined;
    return row?.algorithm_id;
  }

  /** The ids of all private algorithms. */
  async privateIds(): Promise<readonly string[]> {
    return (await this.#private.all()).map(({ id }) => id);
  }

  /** A version with its algorithm, by the id of the version. */
  async pair(versionId: string): Promise<AlgorithmWithVersion | undefined> {
    const row = isId(versionId) ? await this.#pair.first(versionId) : undefined;
    return row && pairOf(row);
  }

  /** Throws `AlgorithmNotFound` or `VersionNotFound`. */
  async version(algorithmId: string, versionId: string): Promise<AlgorithmWithVersion> {
    const pair = await this.pair(versionId);
    if (pair?.algorithm.id === algorithmId) return pair;
    await this.#row(algorithmId);
    throw VersionNotFound(`The algorithm ${algorithmId} has no version with the id "${versionId}".`);
  }

  /** Throws `AlgorithmNotFound`, or `VersionNotFound` when the algorithm has no versions. */
  async defaultVersion(algorithmId: string): Promise<AlgorithmWithVersion> {
    const row = isId(algorithmId) ? await this.#default.first(algorithmId) : undefined;
    if (row) return pairOf(row);
    await this.#row(algorithmId);
    throw VersionNotFound(`The algorithm ${algorithmId} has no versions yet.`);
  }

  async count(): Promise<number> {
    return (await this.#count.first())?.count ?? 0;
  }

  async list(
    filter: ListedFilter,
    listed: ListedAlgorithms,
  ): Promise<{ algorithms: Algorithm[]; total: number }> {
    const { where, order, values } = filtered(filter, listed, this.#database.engine);
    const count = this.#database.read<{ count: number }>(
      `SELECT CAST(count(*) AS integer) AS count FROM catalogue_algorithms ${where}`,
    );
    const page = this.#database.read<RawAlgorithm>(
      `SELECT ${ALGORITHM} FROM catalogue_algorithms ${where} ${order} LIMIT ? OFFSET ?`,
    );
    const bounds: SqlValue[] = [filter.limit, filter.skip];
    const [total, rows] = await Promise.all([count.first(...values), page.all(...values, ...bounds)]);
    return { algorithms: rows.map((row) => algorithmOf(parsedAlgorithm(row))), total: total?.count ?? 0 };
  }

  /** The ids of all algorithms that match. */
  async matching(selection: Selection, listed: ListedAlgorithms): Promise<readonly string[]> {
    const { where, values } = selecting(selection, listed, this.#database.engine);
    const read = this.#database.read<{ id: string }>(`SELECT id FROM catalogue_algorithms ${where}`);
    return (await read.all(...values)).map(({ id }) => id);
  }

  /** The algorithms with these ids, in this order. */
  async inOrder(ids: readonly string[]): Promise<readonly Algorithm[]> {
    const { where, values } = amongIds(ids, 'all', this.#database.engine);
    const read = this.#database.read<RawAlgorithm>(`SELECT ${ALGORITHM} FROM catalogue_algorithms ${where}`);
    const rows = await read.all(...values);
    const found = new Map(rows.map((row) => [row.id, algorithmOf(parsedAlgorithm(row))]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** The default versions of those of these algorithms that have versions. */
  async defaultVersions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { where, values } = amongIds(ids, 'all', this.#database.engine);
    const read = this.#database.read<{ id: string; default_version_id: string }>(
      `SELECT id, default_version_id FROM catalogue_algorithms ${where} AND default_version_id IS NOT NULL`,
    );
    const rows = await read.all(...values);
    return new Map(rows.map(({ id, default_version_id }) => [id, default_version_id]));
  }

  /** The ids among these that exist and that a list may show. */
  async existing(ids: readonly string[], listed: ListedAlgorithms): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { where, values } = amongIds(ids, listed, this.#database.engine);
    const read = this.#database.read<{ id: string }>(`SELECT id FROM catalogue_algorithms ${where}`);
    return (await read.all(...values)).map(({ id }) => id);
  }

  /** The versions that have examples: all of them, or those of one algorithm. */
  async exampledVersions(algorithmId?: string): Promise<readonly ExampledVersion[]> {
    const read = this.#database.read<ExampledVersion>(
      `SELECT v.algorithm_id, e.version_id, a.status,
         MAX(v.updated_at) || '/' || MAX(e.updated_at) || '/' || COUNT(*) AS revision,
         CAST(SUM(CASE WHEN e.misfit IS NULL THEN 1 ELSE 0 END) AS integer) AS fitting,
         CAST(SUM(CASE WHEN e.misfit IS NULL AND e.output_data IS NOT NULL THEN 1 ELSE 0 END) AS integer) AS expecting
       FROM catalogue_examples e JOIN catalogue_versions v ON v.id = e.version_id
       JOIN catalogue_algorithms a ON a.id = v.algorithm_id
       WHERE e.version_id > ? ${algorithmId === undefined ? '' : 'AND e.algorithm_id = ?'}
       GROUP BY e.version_id, v.algorithm_id, a.status ORDER BY e.version_id LIMIT ${VERSIONS_AT_ONCE}`,
    );
    const all: ExampledVersion[] = [];
    for (let page = VERSIONS_AT_ONCE; page === VERSIONS_AT_ONCE;) {
      const found = await read.all(
        all.at(-1)?.version_id ?? '',
        ...(algorithmId === undefined ? [] : [algorithmId]),
      );
      page = found.length;
      all.push(...found);
      // SQLite reads on the main thread, where requests wait meanwhile.
      await setImmediate();
    }
    return all;
  }

  async #row(id: string): Promise<AlgorithmColumns> {
    const row = isId(id) ? await this.#algorithm.first(id) : undefined;
    if (row === undefined) throw noAlgorithm(id);
    return parsedAlgorithm(row);
  }
}

/** The problem for an algorithm that does not exist, or not for the caller: these must not differ. */
export function noAlgorithm(id: string): Error {
  return AlgorithmNotFound(`No algorithm has the id "${id}".`);
}

export const READER = token<CatalogueReader>('catalogue:reader');
