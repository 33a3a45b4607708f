import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createEgress } from '../../../core/egress/create-egress.ts';
import type { EgressPurpose, OutboundError, OutboundRequest } from '../../../core/egress/egress.ts';
import type { Lookup } from '../../../core/egress/guard/connector.ts';
import type { EgressValues } from '../../../core/egress/settings.ts';

/** A server of a test, and how often somebody connected to it. */
export interface TestServer {
  readonly port: number;
  connections: number;
  stop(): Promise<void>;
}

/** Serves whatever the test writes into the socket. */
export function startRawServer(serve: (socket: Socket) => void, at?: { host?: string; port?: number }) {
  return started(createServer(), serve, at);
}

/** Serves HTTP. */
export function startHttpServer(listener: RequestListener, at?: { host?: string; port?: number }) {
  return started(createHttpServer(listener), () => undefined, at);
}

async function started(
  server: Server,
  onSocket: (socket: Socket) => void,
  at: { host?: string; port?: number } = {},
) {
  const sockets = new Set<Socket>();
  const state: TestServer = { port: 0, connections: 0, stop };
  server.on('connection', (socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at.port ?? 0, at.host ?? '127.0.0.1', resolve);
  });
  return Object.assign(state, { port: (server.address() as AddressInfo).port });

  function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  }
}

/** A guard as a test wants it; other settings are the defaults. */
export function egressWith(settings: Partial<EgressValues> = {}, lookup?: Lookup, answerMemory?: number) {
  return createEgress(
    { policy: 'private', allow: [], ...settings },
    { ...(lookup && { lookup }), ...(answerMemory && { answerMemory }) },
  );
}

/** A resolver that answers every name with these addresses, turn by turn when there are several lists. */
export function resolverFor(...turns: readonly (readonly string[])[]): Lookup & { asked: number } {
  const lookup = Object.assign(
    ((_name, _options, done) => {
      const addresses = turns[lookup.asked % turns.length] ?? [];
      lookup.asked += 1;
      setImmediate(() =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      );
    }) as Lookup,
    { asked: 0 },
  );
  return lookup;
}

export function get(
  url: string,
  purpose: EgressPurpose,
  more: Partial<OutboundRequest> = {},
): OutboundRequest {
  return { url, purpose, timeoutMs: 2_000, maxBytes: 1_000_000, ...more };
}

/** How an exchange failed; `undefined` when it did not. */
export async function failureOf(answer: Promise<unknown>): Promise<OutboundError | undefined> {
  try {
    await answer;
    return undefined;
  } catch (error) {
    return error as OutboundError;
  }
}
