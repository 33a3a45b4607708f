/** The endpoint behind everything: reads a request and answers a small JSON object. */
import { createServer } from 'node:net';
import { listen } from '../support/told-port.ts';
import { MessageCutter } from '../support/messages.ts';

const BODY = '{"label":"cat","score":0.97,"boxes":[[12,40,220,310]]}';
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

listen(
  createServer({ noDelay: true }, (socket) => {
    const cutter = new MessageCutter(() => socket.write(ANSWER));
    socket.on('data', (chunk) => cutter.push(chunk)).on('error', () => socket.destroy());
  }),
);
