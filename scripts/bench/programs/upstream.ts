/** The endpoint that calls go to: reads a request and answers a small JSON object, at the least cost. */
import { createServer } from 'node:net';
import { MessageReader } from '../support/messages.ts';
import { listenAndTell } from '../support/told-port.ts';

const BODY = '{"label":"cat","score":0.97,"boxes":[[12,40,220,310]]}';
/** Clients keep their connections from one round to the next, or each round would begin with opening them. */
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nKeep-Alive: timeout=120\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

listenAndTell(
  createServer({ noDelay: true }, (socket) => {
    const reader = new MessageReader(() => socket.write(ANSWER));
    socket.on('data', (chunk) => reader.push(chunk)).on('error', () => socket.destroy());
  }),
);
