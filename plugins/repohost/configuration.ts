import {
  EgressDenied,
  isoTime,
  token,
  ValidationFailed,
  type Audit,
  type Author,
  type BackendClient,
  type Clock,
  type Connection,
  type Database,
  type Vault,
} from '../../core/index.ts';
import { CodeHostNotConfigured } from '../repositories/contract.ts';
import { ConfigurationRow } from './models.ts';
import { MASK, type ConfigurationAnswer, type ConfigurationInput } from './schemas.ts';

const ROW_ID = 'default';
const PURPOSE = 'repohost:access-token';

/** The server as it is configured, with the token in the clear: never to be answered or logged. */
export interface ConfiguredServer {
  /** Where it starts, without slash at the end; its API is below. */
  readonly url: string;
  readonly accessToken: string;
  readonly defaultOwner: string;
  readonly repoPrefix: string;
}

const nothing = { server_url: '', access_token: '', default_owner: '', repo_prefix: '' };

/** Keeps the address of the code-hosting server, and its token sealed. */
export class Configuration {
  readonly #database: Database;
  readonly #vault: Vault;
  readonly #backends: BackendClient;
  readonly #clock: Clock;
  readonly #audit: Audit;

  constructor(deps: {
    database: Database;
    vault: Vault;
    backends: BackendClient;
    clock: Clock;
    audit: Audit;
  }) {
    this.#audit = deps.audit;
    this.#database = deps.database;
    this.#vault = deps.vault;
    this.#backends = deps.backends;
    this.#clock = deps.clock;
  }

  /** The token is never shown. */
  async shown(): Promise<ConfigurationAnswer> {
    const { server_url, access_token, default_owner, repo_prefix } = await storedConfiguration(
      this.#database.knex,
    );
    const isSet = access_token !== '';
    return {
      server_url,
      access_token: isSet ? MASK : '',
      access_token_set: isSet,
      default_owner,
      repo_prefix,
    };
  }

  /**
   * What is not named stays; so does the token when the mask or nothing is sent. Asks no server. Returns the server's
   * address in the form that is kept.
   */
  async save(input: ConfigurationInput, by: Author): Promise<string> {
    return this.#database.transaction(async (trx) => {
      const stored = await ConfigurationRow.query(trx).findById(ROW_ID).forUpdate();
      const { server_url: asked = stored?.server_url ?? '', default_owner, repo_prefix } = input;
      this.#checkServer(asked);
      const server_url = startOf(asked);
      const access_token = this.#sealed(input.access_token);
      const updated_at = isoTime(this.#clock.now());
      const given = { server_url: input.server_url && server_url, default_owner, repo_prefix };
      const all = { ...given, access_token, updated_at };
      const named = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      await ConfigurationRow.query(trx)
        .insert({ id: ROW_ID, ...nothing, ...named })
        .onConflict('id')
        .merge(Object.keys(named));
      const target = { kind: 'code_hosting', name: server_url };
      const before = audited({ ...nothing, ...stored });
      const after = audited({ ...nothing, ...stored, ...named });
      await this.#audit.record(trx, by, { action: 'code_hosting.update', target, before, after });
      return server_url;
    });
  }

  /** Forgets the server and its token. */
  async clear(by: Author): Promise<void> {
    await this.#database.transaction(async (trx) => {
      const stored = await ConfigurationRow.query(trx).findById(ROW_ID).forUpdate();
      if (!stored) return;
      await stored.$query(trx).delete();
      const target = { kind: 'code_hosting', name: stored.server_url };
      await this.#audit.record(trx, by, { action: 'code_hosting.delete', target, before: audited(stored) });
    });
  }

  /** Seals the token under `SECRET_KEY` when it was sealed under `SECRET_KEY_FALLBACK`; says whether it did. */
  async reseal(): Promise<boolean> {
    const { access_token } = await storedConfiguration(this.#database.knex);
    if (access_token === '') return false;
    const resealed = opened(() => this.#vault.reseal(PURPOSE, ROW_ID, access_token));
    if (resealed === undefined) return false;
    return this.#database.transaction(async (trx) => {
      const stored = ConfigurationRow.query(trx).where({ id: ROW_ID, access_token });
      return (await stored.patch({ access_token: resealed })) > 0;
    });
  }

  /** Throws `CodeHostNotConfigured`. */
  server(): Promise<ConfiguredServer> {
    return configuredServer(this.#database.knex, this.#vault);
  }

  #sealed(accessToken = ''): string | undefined {
    if (accessToken === '' || accessToken === MASK) return undefined;
    return this.#vault.seal(PURPOSE, ROW_ID, accessToken);
  }

  #checkServer(url: string): void {
    const problem = shapeOf(url) ?? this.#refusal(url);
    if (!problem) return;
    const errors = [{ pointer: '/body/server_url', message: problem }];
    throw ValidationFailed(`The server's address cannot be used: ${problem}`, { errors });
  }

  #refusal(url: string): string | undefined {
    try {
      this.#backends.check(url);
    } catch (error) {
      if (EgressDenied.is(error)) return error.message;
      throw error;
    }
    return undefined;
  }
}

/** What is stored, with the token sealed; empty texts where nothing is. */
export async function storedConfiguration(connection: Connection): Promise<typeof nothing> {
  return (await ConfigurationRow.query(connection).findById(ROW_ID)) ?? nothing;
}

/** The server that is configured. Throws `CodeHostNotConfigured`. */
export async function configuredServer(connection: Connection, vault: Vault): Promise<ConfiguredServer> {
  const row = await storedConfiguration(connection);
  if (row.server_url === '' || row.access_token === '') {
    throw CodeHostNotConfigured(
      'No code-hosting server is configured: its address or its access token is missing. An administrator sets both with POST /repohost/config.',
    );
  }
  return {
    url: row.server_url,
    accessToken: opened(() => vault.open(PURPOSE, ROW_ID, row.access_token)),
    defaultOwner: row.default_owner,
    repoPrefix: row.repo_prefix,
  };
}

function opened<T>(open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw CodeHostNotConfigured(
      'The stored access token cannot be read, for it was stored under another SECRET_KEY. Set SECRET_KEY_FALLBACK to that one and restart, or send the token again with POST /repohost/config.',
      { cause },
    );
  }
}

/** The configuration for the audit trail, which masks the token: sealed, it only tells whether it changed. */
function audited({ server_url, access_token, default_owner, repo_prefix }: typeof nothing): object {
  return { server_url, access_token, default_owner, repo_prefix };
}

/** Where the server starts, when the address of its API or of the API's pages is given, or one with slashes at the end. */
function startOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/api\/(?:v1|swagger)$/, '')}`.replace(/\/+$/, '');
}

function shapeOf(url: string): string | undefined {
  if (url === '') return 'it must not be empty; DELETE /repohost/config forgets the server.';
  return /[?#]/.test(url) ? 'it must have neither query nor fragment.' : undefined;
}

export const CONFIGURATION = token<Configuration>('repohost:configuration');
