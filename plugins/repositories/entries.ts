import {
  containing,
  folded,
  isId,
  isoTime,
  newId,
  token,
  type Audit,
  type Author,
  type Clock,
  type Connection,
  type Database,
  type Engine,
  type Transaction,
} from '../../core/index.ts';
import type { HostedAt, HostedRepository, HostedUpdate, Repository } from './contract.ts';
import { RepositoryRow } from './models.ts';
import { RepositoryHosted, RepositoryNotFound } from './problems.ts';
import type { NewRepositoryInput, RepositoriesFilter, RepositoryChanges } from './schemas.ts';
import { checkSource } from './source-rules.ts';

type Fields = Pick<Repository, 'name' | 'description' | 'type' | 'repo_url' | 'branch' | 'local_path'> & {
  readonly algorithm_id: string | null;
};

type HostColumns = Pick<RepositoryRow, 'host' | 'host_server' | 'host_full_name' | 'host_identity'>;

const notHosted: HostColumns = { host: null, host_server: null, host_full_name: null, host_identity: null };

/** SQL for a list of ids that is passed as one parameter, in JSON. */
const GIVEN_IDS: Readonly<Record<Engine, string>> = {
  postgres: '(SELECT jsonb_array_elements_text(?::jsonb))',
  sqlite: '(SELECT value FROM json_each(?))',
};

/** The entries of the list of repositories. */
export class Entries {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #audit: Audit;

  constructor({ database, clock, audit }: { database: Database; clock: Clock; audit: Audit }) {
    this.#audit = audit;
    this.#database = database;
    this.#clock = clock;
  }

  /** Without the entries of the algorithms with the `hidden` ids. */
  async list(
    filter: RepositoriesFilter,
    hidden: readonly string[],
  ): Promise<{ repositories: Repository[]; total: number }> {
    const { q, type, status, algorithm_id, skip, limit } = filter;
    const { knex, engine } = this.#database;
    const matching = RepositoryRow.query(knex).where((where) => {
      if (hidden.length > 0)
        where.whereRaw(`(algorithm_id IS NULL OR algorithm_id NOT IN ${GIVEN_IDS[engine]})`, [
          JSON.stringify(hidden),
        ]);
      if (type !== undefined) where.where({ type });
      if (status !== undefined) where.where({ status });
      if (algorithm_id !== undefined) where.where({ algorithm_id });
      if (q !== undefined) where.whereRaw("search_text LIKE ? ESCAPE '!'", [containing(q)]);
    });
    const total = await matching.clone().resultSize();
    const newestFirst = [
      { column: 'created_at', order: 'desc' as const },
      { column: 'id', order: 'desc' as const },
    ];
    const page = matching.orderBy(newestFirst).offset(skip);
    const rows = await (limit === undefined ? page : page.limit(limit));
    return { repositories: rows.map(repositoryOf), total };
  }

  /** The ids of the algorithms to which entries are linked. */
  async linkedIds(): Promise<readonly string[]> {
    const linked = RepositoryRow.query(this.#database.knex).whereNotNull('algorithm_id');
    return (await linked.distinct('algorithm_id')).map(({ algorithm_id }) => algorithm_id!);
  }

  async get(id: string): Promise<Repository> {
    return repositoryOf(await find(id, this.#database.knex));
  }

  async create(input: NewRepositoryInput, by: Author): Promise<Repository> {
    checkSource(input);
    const { name, description = '', repo_url = '', local_path = '' } = input;
    const type = input.type || 'code';
    const branch = input.branch || 'main';
    return this.#insert(
      { name, description, type, repo_url, branch, local_path, algorithm_id: null },
      notHosted,
      by,
    );
  }

  async createHosted({ hosted, ...fields }: HostedRepository, by: Author): Promise<Repository> {
    const { host, server: host_server, fullName: host_full_name, identity: host_identity } = hosted;
    return this.#insert(
      { ...fields, type: 'code', local_path: '' },
      { host, host_server, host_full_name, host_identity },
      by,
    );
  }

  /** What is not named stays. Throws `RepositoryNotFound` and `RepositoryHosted`. */
  async update(id: string, changes: RepositoryChanges, by: Author): Promise<Repository> {
    checkSource(changes);
    return this.#database.transaction(async (trx) => {
      const row = await hold(id, trx);
      if (row.host !== null) refuseMoving(row, changes);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const fields = { ...repositoryOf(row), ...given } as Repository;
      const wanted = { ...fields, type: fields.type || 'code', branch: fields.branch || 'main' };
      if (!row.differsFrom(wanted)) return wanted;
      const changed = { ...wanted, updated_at: isoTime(this.#clock.now()) };
      await this.#record(trx, by, 'update', changed, { before: repositoryOf(row), after: changed });
      await row.$query(trx).patch({ ...changed, search_text: searchText(changed) });
      return changed;
    });
  }

  /** What the code host changed. Throws `RepositoryNotFound`. */
  async updateHosted(id: string, { fullName, ...changes }: HostedUpdate, by: Author): Promise<void> {
    await this.#database.transaction(async (trx) => {
      const row = await hold(id, trx);
      const wanted = { ...changes, host_full_name: fullName ?? row.host_full_name };
      if (!row.differsFrom(wanted)) return;
      const fields = { ...repositoryOf(row), ...wanted, updated_at: isoTime(this.#clock.now()) };
      await this.#record(trx, by, 'update', fields, { before: repositoryOf(row), after: fields });
      await row.$query(trx).patch({ ...fields, search_text: searchText(fields) });
    });
  }

  async findHosted(
    host: string,
    algorithmId: string,
  ): Promise<{ repository: Repository; hosted: HostedAt } | undefined> {
    const row = await RepositoryRow.query(this.#database.knex)
      .where({ host, algorithm_id: algorithmId })
      .orderBy('id', 'desc')
      .first();
    const hosted = row && hostedAt(row);
    return row && hosted ? { repository: repositoryOf(row), hosted } : undefined;
  }

  /** Where an entry is hosted, if it is. Throws `RepositoryNotFound`. */
  async hostedAt(id: string): Promise<HostedAt | undefined> {
    return hostedAt(await find(id, this.#database.knex));
  }

  async remove(id: string, by: Author): Promise<void> {
    await this.#database.transaction(async (trx) => {
      const row = await hold(id, trx);
      await row.$query(trx).delete();
      await this.#record(trx, by, 'delete', row, { before: repositoryOf(row) });
    });
  }

  /** An algorithm is gone; what was linked to it stays. */
  async unlink(algorithmId: string): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await RepositoryRow.query(trx).patch({ algorithm_id: null }).where({ algorithm_id: algorithmId });
    });
  }

  async #insert(fields: Fields, hosted: HostColumns, by: Author): Promise<Repository> {
    const now = this.#clock.now();
    const times = { created_at: isoTime(now), updated_at: isoTime(now) };
    const { host_full_name } = hosted;
    const repository: Repository = { id: newId(now), ...fields, status: 'active', host_full_name, ...times };
    await this.#database.transaction(async (trx) => {
      await RepositoryRow.query(trx).insert({
        ...repository,
        ...hosted,
        search_text: searchText(repository),
      });
      const after = { ...repository, ...(host_full_name !== null && hosted) };
      await this.#record(trx, by, 'create', repository, { after });
    });
    return repository;
  }

  async #record(
    trx: Transaction,
    by: Author,
    verb: 'create' | 'update' | 'delete',
    { id, name }: Pick<Repository, 'id' | 'name'>,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    const target = { kind: 'repository', id, name };
    await this.#audit.record(trx, by, { action: `repository.${verb}`, target, ...states });
  }
}

async function find(id: string, connection: Connection): Promise<RepositoryRow> {
  const row = isId(id) ? await RepositoryRow.query(connection).findById(id) : undefined;
  return row ?? notFound(id);
}

/** Reads an entry and locks its row until the transaction ends: changes of one entry come one after another. */
async function hold(id: string, trx: Transaction): Promise<RepositoryRow> {
  const row = isId(id) ? await RepositoryRow.query(trx).findById(id).forUpdate() : undefined;
  return row ?? notFound(id);
}

export function notFound(id: string): never {
  throw RepositoryNotFound(`No repository has the id "${id}".`);
}

function refuseMoving(
  row: RepositoryRow,
  { repo_url = row.repo_url, algorithm_id = row.algorithm_id }: RepositoryChanges,
): void {
  if (repo_url === row.repo_url && algorithm_id === row.algorithm_id) return;
  throw RepositoryHosted(
    `The repository "${row.name}" was made on the code-hosting server as ${row.host_full_name}: its address and its algorithm stay as they are.`,
  );
}

function repositoryOf(row: RepositoryRow): Repository {
  const { id, name, description, type, repo_url, branch, local_path } = row;
  const { algorithm_id, status, host_full_name, created_at, updated_at } = row;
  return {
    id,
    name,
    description,
    type,
    repo_url,
    branch,
    local_path,
    algorithm_id,
    status,
    host_full_name,
    created_at,
    updated_at,
  };
}

function hostedAt(row: RepositoryRow): HostedAt | undefined {
  const { host, host_server: server, host_full_name: fullName, host_identity: identity } = row;
  if (host === null || server === null || fullName === null || identity === null) return undefined;
  return { host, server, fullName, identity };
}

function searchText({ name, description }: Pick<Repository, 'name' | 'description'>): string {
  return folded(`${name}\n${description}`);
}

export const ENTRIES = token<Entries>('repositories:entries');
