import { createHash } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';

interface Counter {
  count: number;
  readonly endsAt: number;
}

/** As much of Redis as counting in windows needs, spoken over TCP; it refuses every other command. */
export interface RedisStandIn {
  readonly port: number;
  stop(): Promise<void>;
}

type Session = (words: readonly string[]) => Reply;

type Reply = string | number | null | Error | readonly Reply[];

/** Starts it on a free port. With a password it takes no command before that. */
export async function startRedisStandIn(password?: string): Promise<RedisStandIn> {
  const counters = new Map<string, Counter>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const session = behind(password, sessionOn(counters));
    let waiting = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1');
      for (let read = readCommand(waiting); read; read = readCommand(waiting)) {
        waiting = waiting.slice(read.length);
        socket.write(written(session(read.words)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** One connection of a server with a password. */
function behind(password: string | undefined, session: Session): Session {
  let isSignedIn = password === undefined;
  return (words) => {
    const name = words[0]?.toUpperCase();
    if (name === 'HELLO') return session(words);
    if (name === 'AUTH') {
      isSignedIn = words.at(-1) === password;
      return isSignedIn ? 'OK' : new Error('WRONGPASS invalid username-password pair or user is disabled.');
    }
    return isSignedIn ? session(words) : new Error('NOAUTH Authentication required.');
  };
}

/** One connection: commands between MULTI and EXEC are answered together. */
function sessionOn(counters: Map<string, Counter>): Session {
  let queued: (readonly string[])[] | undefined;
  const scripts = new Set<string>();
  const run = (words: readonly string[]): Reply => {
    const [name = '', ...args] = words;
    switch (name.toUpperCase()) {
      case 'INFO':
        return 'redis_version:7.0.0\r\nloading:0\r\n';
      case 'CLIENT':
      case 'SELECT':
        return 'OK';
      case 'EVALSHA':
        return scripts.has(args[0]!) ? count(counters, args) : new Error('NOSCRIPT No matching script.');
      case 'EVAL':
        scripts.add(createHash('sha1').update(args[0]!).digest('hex'));
        return count(counters, args);
      case 'GET':
        return live(counters, args[0]!)?.count.toString() ?? null;
      case 'PTTL':
        return remainingMs(live(counters, args[0]!));
      default:
        return new Error(`ERR unknown command '${name}'`);
    }
  };
  return (words) => {
    const name = words[0]?.toUpperCase();
    if (name === 'MULTI') {
      queued = [];
      return 'OK';
    }
    if (name === 'EXEC') {
      const answers = (queued ?? []).map(run);
      queued = undefined;
      return answers;
    }
    if (!queued) return run(words);
    queued.push(words);
    return 'QUEUED';
  };
}

/** The script of the limiter: begins a window when there is none, counts, and answers the count and its time. */
function count(counters: Map<string, Counter>, [, keys, key = '', by, seconds]: readonly string[]): Reply {
  if (keys !== '1') return new Error('ERR one key was expected');
  const counter = live(counters, key) ?? { count: 0, endsAt: Date.now() + Number(seconds) * 1000 };
  counter.count += Number(by);
  counters.set(key, counter);
  return [counter.count, remainingMs(counter)];
}

function live(counters: Map<string, Counter>, key: string): Counter | undefined {
  const counter = counters.get(key);
  return counter && counter.endsAt > Date.now() ? counter : undefined;
}

function remainingMs(counter: Counter | undefined): number {
  return counter ? counter.endsAt - Date.now() : -2;
}

/** The first whole command of what arrived: `*2`, `$3`, `GET`, `$1`, `k`, each ended by CR LF. */
function readCommand(text: string): { words: string[]; length: number } | undefined {
  const head = /^[*](\d+)\r\n/.exec(text);
  if (!head) return undefined;
  const words: string[] = [];
  let at = head[0].length;
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^[$](\d+)\r\n/.exec(text.slice(at));
    if (!size) return undefined;
    const begin = at + size[0].length;
    const end = begin + Number(size[1]);
    if (text.length < end + 2) return undefined;
    words.push(text.slice(begin, end));
    at = end + 2;
  }
  return { words, length: at };
}

function written(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(written).join('')}`;
}
