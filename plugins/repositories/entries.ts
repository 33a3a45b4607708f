import {
  containing,
  folded,
  isId,
  isoTime,
  newId,
  token,
  type Clock,
  type Connection,
  type Database,
  type Transaction,
} from '../../core/index.ts';
import type { HostedAt, HostedRepository, Repository } from './contract.ts';
import { RepositoryRow } from './models.ts';
import { RepositoryHosted, RepositoryNotFound } from './problems.ts';
import type { NewRepositoryInput, RepositoriesFilter, RepositoryChanges } from './schemas.ts';
import { checkSource } from './source-rules.ts';

type Fields = Pick<Repository, 'name' | 'description' | 'type' | 'repo_url' | 'branch' | 'local_path'> & {
  readonly algorithm_id: string | null;
};

const notHosted = { host: null, host_server: null, host_full_name: null };

/** The entries of the list of repositories. */
export class Entries {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  async list(filter: RepositoriesFilter): Promise<{ repositories: Repository[]; total: number }> {
    const { q, type, status, algorithm_id, skip, limit } = filter;
    const matching = RepositoryRow.query(this.#database.knex).where((where) => {
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

  async get(id: string): Promise<Repository> {
    return repositoryOf(await find(id, this.#database.knex));
  }

  async create(input: NewRepositoryInput): Promise<Repository> {
    checkSource(input);
    const { name, description = '', repo_url = '', local_path = '' } = input;
    const type = input.type || 'code';
    const branch = input.branch || 'main';
    return this.#insert(
      { name, description, type, repo_url, branch, local_path, algorithm_id: null },
      notHosted,
    );
  }

  async createHosted({ hosted, ...fields }: HostedRepository): Promise<Repository> {
    return this.#insert(
      { ...fields, type: 'code', local_path: '' },
      { host: hosted.host, host_server: hosted.server, host_full_name: hosted.fullName },
    );
  }

  /** What is not named stays. Throws `RepositoryNotFound` and `RepositoryHosted`. */
  async update(id: string, changes: RepositoryChanges): Promise<Repository> {
    checkSource(changes);
    return this.#database.transaction(async (trx) => {
      const row = await hold(id, trx);
      if (row.host !== null) refuseMoving(row, changes);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const fields = { ...repositoryOf(row), ...given } as Repository;
      const wanted = { ...fields, type: fields.type || 'code', branch: fields.branch || 'main' };
      if (!row.differsFrom(wanted)) return wanted;
      const changed = { ...wanted, updated_at: isoTime(this.#clock.now()) };
      await row.$query(trx).patch({ ...changed, search_text: searchText(changed) });
      return changed;
    });
  }

  async updateDescription(id: string, description: string): Promise<void> {
    await this.update(id, { description });
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

  async remove(id: string): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await (await hold(id, trx)).$query(trx).delete();
    });
  }

  /** An algorithm is gone; what was linked to it stays. */
  async unlink(algorithmId: string): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await RepositoryRow.query(trx).patch({ algorithm_id: null }).where({ algorithm_id: algorithmId });
    });
  }

  async #insert(
    fields: Fields,
    hosted: Pick<RepositoryRow, 'host' | 'host_server' | 'host_full_name'>,
  ): Promise<Repository> {
    const now = this.#clock.now();
    const times = { created_at: isoTime(now), updated_at: isoTime(now) };
    const repository: Repository = { id: newId(now), ...fields, status: 'active', ...times };
    await this.#database.transaction(async (trx) => {
      await RepositoryRow.query(trx).insert({
        ...repository,
        ...hosted,
        search_text: searchText(repository),
      });
    });
    return repository;
  }
}

async function find(id: string, connection: Connection): Promise<RepositoryRow> {
  const row = isId(id) ? await RepositoryRow.query(connection).findById(id) : undefined;
  return row ?? notFound(id);
}

/** Reads an entry and holds its row until the transaction ends: changes of one entry take turns. */
async function hold(id: string, trx: Transaction): Promise<RepositoryRow> {
  const row = isId(id) ? await RepositoryRow.query(trx).findById(id).forUpdate() : undefined;
  return row ?? notFound(id);
}

function notFound(id: string): never {
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
  const { algorithm_id, status, created_at, updated_at } = row;
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
    created_at,
    updated_at,
  };
}

function hostedAt({
  host,
  host_server: server,
  host_full_name: fullName,
}: RepositoryRow): HostedAt | undefined {
  return host === null || server === null || fullName === null ? undefined : { host, server, fullName };
}

function searchText({ name, description }: Pick<Repository, 'name' | 'description'>): string {
  return folded(`${name}\n${description}`);
}

export const ENTRIES = token<Entries>('repositories:entries');
