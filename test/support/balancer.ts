import { Agent, createServer, get, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer in front of the instances of a cluster. */
export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** When an instance is taken out and put in again, in the words of HAProxy. */
export interface ReadinessChecks {
  readonly path: string;
  readonly interMs: number;
  /** Between checks of an instance that is changing its state. */
  readonly fastMs: number;
  readonly timeoutMs: number;
  /** Failed checks in a row that take an instance out. */
  readonly fall: number;
  /** Good ones in a row that put it in. */
  readonly rise: number;
}

/** A balancer that trusts readiness alone: it repeats nothing, so that one refused connection is one failed request. */
export async function startBalancer(
  addresses: readonly string[],
  checks: ReadinessChecks,
): Promise<Balancer> {
  const instances = addresses.map((address) => new Instance(address, checks));
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  // Longer than a test: a connection must not be closed as idle just when a client takes it.
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, outgoing) => {
    const ready = instances.filter(({ isIn }) => isIn);
    turn += 1;
    const chosen = ready[turn % ready.length];
    if (chosen) forward(chosen.address, agent, incoming, outgoing);
    else outgoing.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const instance of instances) instance.forget();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(address: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress]
      .filter(Boolean)
      .join(', '),
  };
  const onward = request(`http://${address}${incoming.url}`, { agent, method: incoming.method, headers });
  onward.on('response', (answer) => {
    // Whether the instance keeps its connection says nothing about ours.
    const { connection: _, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(outgoing);
  });
  onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  incoming.pipe(onward);
}

/** One instance, asked again and again whether it is ready. */
class Instance {
  readonly address: string;
  isIn = true;
  readonly #checks: ReadinessChecks;
  #inARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #isForgotten = false;

  constructor(address: string, checks: ReadinessChecks) {
    this.address = address;
    this.#checks = checks;
    this.#checkIn(0);
  }

  forget(): void {
    this.#isForgotten = true;
    clearTimeout(this.#timer);
  }

  #checkIn(ms: number): void {
    if (!this.#isForgotten) this.#timer = setTimeout(() => void this.#check(), ms);
  }

  async #check(): Promise<void> {
    const { path, interMs, fastMs, timeoutMs, fall, rise } = this.#checks;
    const agrees = (await isReady(`http://${this.address}${path}`, timeoutMs)) === this.isIn;
    this.#inARow = agrees ? 0 : this.#inARow + 1;
    if (this.#inARow === (this.isIn ? fall : rise)) {
      this.isIn = !this.isIn;
      this.#inARow = 0;
    }
    this.#checkIn(this.#inARow > 0 ? fastMs : interMs);
  }
}

function isReady(url: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    get(url, { signal }, (answer) => resolve(answer.resume().statusCode === 200)).on('error', () =>
      resolve(false),
    );
  });
}
