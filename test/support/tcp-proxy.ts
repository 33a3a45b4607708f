import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and a server, and can be cut like a cable. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and accepts no new one. */
  cut(): void;
  /** Accepts connections, but passes nothing on: a server that hangs. */
  hang(): void;
  /** What clients sent since it hangs, each time that something came. */
  readonly unheard: readonly string[];
  mend(): void;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port to a server on this machine. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'hanging' = 'whole';
  let unheard: string[] = [];
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (state === 'cut') client.destroy();
    client.on('data', (chunk) => state === 'hanging' && unheard.push(chunk.toString('latin1')));
    if (state !== 'whole') return;
    const upstream = track(connect(port, host));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => state === 'whole' && upstream.write(chunk));
    upstream.on('data', (chunk) => state === 'whole' && client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get unheard() {
      return unheard;
    },
    cut: () => {
      state = 'cut';
      endAll();
    },
    hang: () => {
      state = 'hanging';
      unheard = [];
    },
    mend: () => {
      if (state === 'hanging') endAll();
      state = 'whole';
    },
    stop: () =>
      new Promise((resolve) => {
        endAll();
        server.close(() => resolve());
      }),
  };
}
