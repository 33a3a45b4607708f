import { Socket } from 'node:net';
import pg from 'pg';
import { withDeadline } from '../../support/deadline.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** Errors of a network on the way to a server; others, such as a lack of file descriptors, tell nothing of the server. */
const NETWORK = /^E(TIMEDOUT|CONN|HOST|NET)/;

/** Checks in the time that a connection may take. */
const CHECKS_PER_TIMEOUT = 4;

export interface SilenceOptions {
  readonly connectionString: string;
  /** A server that accepts no connection within this time is silent; milliseconds. */
  readonly limitMs: number;
  readonly logger: Logger;
}

/**
 * Breaks the connections to a server that has fallen silent, because a network that drops packets breaks none: a
 * statement would wait for its whole time-out. While clients are in use for long, checks that new connections succeed.
 */
export class SilenceWatch {
  readonly #options: SilenceOptions;
  readonly #sockets = new Set<Socket>();
  /** Clients in use, and whether an earlier check has seen the same use. */
  readonly #inUse = new Map<pg.PoolClient, { isLong: boolean }>();
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** Makes the socket of a client; the option `stream` of its pool. */
  readonly openSocket = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  };

  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => {
      this.#inUse.set(client, { isLong: false });
      this.#timer ??= setInterval(
        () => void this.#check(),
        this.#options.limitMs / CHECKS_PER_TIMEOUT,
      ).unref();
    });
    pool.on('release', (_error, client) => this.#inUse.delete(client));
  }

  async #check(): Promise<void> {
    const uses = [...this.#inUse.values()];
    if (uses.length === 0) return this.#pause();
    const isAnyLong = uses.some(({ isLong }) => isLong);
    for (const use of uses) use.isLong = true;
    if (!isAnyLong || this.#isAsking) return;
    const before = [...this.#sockets];
    this.#isAsking = true;
    const isSilent = await this.#isSilent();
    this.#isAsking = false;
    if (!isSilent) return;
    this.#options.logger.warn(
      { limit_ms: this.#options.limitMs },
      'PostgreSQL accepts no new connections (database.connect_timeout_ms); the existing ones were closed, so that statements fail at once instead of waiting.',
    );
    for (const socket of before) socket.destroy();
  }

  #pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #isSilent(): Promise<boolean> {
    const { connectionString, limitMs } = this.#options;
    const socket = new Socket();
    const client = new pg.Client({ connectionString, application_name: 'vitrine', stream: () => socket });
    client.on('error', () => undefined);
    const isOnNetwork = (error: unknown): boolean =>
      NETWORK.test(String((error as NodeJS.ErrnoException).code));
    const outcome = client.connect().then(() => false, isOnNetwork);
    const isSilent = await withDeadline(limitMs, outcome, () => true);
    if (isSilent) socket.destroy();
    else await client.end().catch(() => undefined);
    return isSilent;
  }
}
