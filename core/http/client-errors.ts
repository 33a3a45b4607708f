import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  HeadersTooLarge,
  MalformedRequest,
  MethodNotAllowed,
  RequestTimeout,
} from '../errors/core-problems.ts';
import type { Problem } from '../errors/problem.ts';
import { newId } from '../support/ids.ts';
import { everyAnswer } from './headers.ts';
import { PROBLEM_TYPE, problemDocument, problemHeaders } from './problems.ts';

/** Answers input that Node's parser refuses, and that never becomes a request, with a problem document. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isClosed = error.code === 'ECONNRESET' || !socket.writable;
  const hasAnswered = ((socket as Socket).bytesWritten ?? 0) > 0 && socket.writableLength > 0;
  if (isClosed || hasAnswered) socket.destroy(error);
  else answerOnSocket(socket, problemOf(error.code));
}

/** Refuses CONNECT, because the server is not a proxy. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  // Node has removed its own listener, and an error that nothing hears ends the process.
  socket.on('error', () => socket.destroy());
  answerOnSocket(socket, MethodNotAllowed('CONNECT is not served.', { headers: { Allow: 'GET, HEAD' } }));
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return RequestTimeout('The request did not arrive in time.');
  if (code === 'HPE_HEADER_OVERFLOW') return HeadersTooLarge('The headers of the request are too large.');
  return MalformedRequest('The request is not HTTP as this server understands it.');
}

function answerOnSocket(socket: Duplex, problem: Problem): void {
  const id = newId();
  const body = problemDocument(problem, id, '');
  const headers = {
    'X-Request-Id': id,
    ...Object.fromEntries(everyAnswer),
    ...problemHeaders(problem),
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join('')}\r\n${body}`,
    () => socket.destroy(),
  );
}
