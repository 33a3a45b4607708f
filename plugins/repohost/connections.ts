import { token, type BackendClient } from '../../core/index.ts';
import { CodeHostNotConfigured, type HostedAt } from '../repositories/contract.ts';
import type { Configuration, ConfiguredServer } from './configuration.ts';
import { GiteaApi } from './gitea/api.ts';
import { Gitea } from './gitea/gitea.ts';

/** A way to the configured server. */
export interface Connection {
  readonly server: ConfiguredServer;
  readonly gitea: Gitea;
}

export interface ConnectionsDeps {
  readonly configuration: Pick<Configuration, 'server'>;
  readonly backends: BackendClient;
  /** Milliseconds for one request; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** Opens the way to the server as it is configured at the moment. */
export class Connections {
  readonly #configuration: Pick<Configuration, 'server'>;
  readonly #backends: BackendClient;
  readonly #timeoutMs: number | undefined;

  constructor(deps: ConnectionsDeps) {
    this.#configuration = deps.configuration;
    this.#backends = deps.backends;
    this.#timeoutMs = deps.timeoutMs;
  }

  /** Throws `CodeHostNotConfigured`. */
  async open(): Promise<Connection> {
    const server = await this.#configuration.server();
    return { server, gitea: new Gitea(new GiteaApi(server, this.#backends, this.#timeoutMs)) };
  }

  /** The same for a repository that is there already: another server may have one of the same name. */
  async openFor(hosted: HostedAt): Promise<Connection> {
    const connection = await this.open();
    if (hostOf(connection.server.url) === hostOf(hosted.server)) return connection;
    throw CodeHostNotConfigured(
      `The repository ${hosted.fullName} lives on ${hosted.server}, and another server is configured. Configure that one again; or delete the entry alone, with hosted=keep.`,
    );
  }
}

/** Host and port: whether it is http or https may change. */
function hostOf(url: string): string {
  return new URL(url).host;
}

export const CONNECTIONS = token<Connections>('repohost:connections');
