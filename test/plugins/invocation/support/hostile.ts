import { createServer, type AddressInfo, type Socket } from 'node:net';

export type Behaviour = (socket: Socket) => void;

const say =
  (...lines: string[]): Behaviour =>
  (socket) =>
    void socket.write(lines.join('\r\n'));
const head = 'HTTP/1.1 200 OK';

/** Repeats an action until the peer disconnects. */
const forever =
  (first: string, again: string, everyMs: number): Behaviour =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(again), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** What each does, and with which code calls of it end. */
export const hostile: readonly (readonly [string, Behaviour, string])[] = [
  ['never answers', () => undefined, 'upstream_timeout'],
  ['drips its headers', forever(`${head}\r\n`, 'x', 50), 'upstream_timeout'],
  ['drips its body', forever(`${head}\r\ncontent-length: 5000\r\n\r\n`, ' ', 50), 'upstream_timeout'],
  ['stops in the middle of its body', say(head, 'content-length: 50', '', '{"a":'), 'upstream_timeout'],
  ['sends a body without end', forever(`${head}\r\n\r\n`, 'x'.repeat(16_384), 1), 'upstream_bad_response'],
  ['announces a huge body', say(head, 'content-length: 999999999', '', ''), 'upstream_bad_response'],
  [
    'breaks off its body',
    (socket) => socket.end(`${head}\r\ncontent-length: 50\r\n\r\n{"a":`),
    'upstream_bad_response',
  ],
  ['does not speak HTTP', (socket) => socket.end('220 ready\r\n'), 'upstream_bad_response'],
  [
    'sends compressed bytes',
    say(head, 'content-encoding: gzip', 'content-length: 2', '', '\x1f\x8b'),
    'upstream_bad_response',
  ],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'upstream_unreachable'],
  [
    'sends a flood of headers',
    say(head, ...Array.from({ length: 5000 }, (_, n) => `x-${n}: 1`), 'content-length: 0', '', ''),
    'upstream_bad_response',
  ],
  [
    'sends interim answers without end',
    forever('', 'HTTP/1.1 100 Continue\r\n\r\n', 5),
    'upstream_bad_response',
  ],
];

/** An endpoint that does to each connection what it was told last. */
export async function startHostile() {
  let behave: Behaviour = () => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => behave(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (behaviour: Behaviour) => void (behave = behaviour),
    stop: () => void server.close(),
  };
}
