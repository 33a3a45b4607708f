import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * Stands in for a pooler in transaction mode in front of PostgreSQL, such as PgBouncer, in what matters here:
 * notifications get lost on the way.
 */
export interface Pooler {
  /** The address of the database by way of the pooler. */
  readonly url: string;
  /** Notifications that got lost so far. */
  readonly lost: number;
  stop(): Promise<void>;
}

const NOTIFICATION = 'A'.charCodeAt(0);
/** A message is its type, its length without the type in four bytes, and what it says. */
const HEADER = 5;

/** Starts a pooler on a free port. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost = 0;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ port: Number(port || '5432'), host: hostname, noDelay: true });
    track(client).on('close', () => database.destroy());
    track(database).on('close', () => client.destroy());
    client.pipe(database);
    database.pipe(withoutNotifications(() => (lost += 1))).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href.replaceAll('+', '%20'),
    get lost() {
      return lost;
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Passes on whole messages of the server, all but notifications. */
function withoutNotifications(onLost: () => void): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1);
        if (rest[0] === NOTIFICATION) onLost();
        else this.push(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
      done();
    },
  });
}
