import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { isWhole, type Answer, type TextAnswer, type WholeAnswer } from './answer.ts';
import { answerAndHangUp, leavesBodyUnread } from './hang-up.ts';
import { signalOf } from './connection-signal.ts';

/** Nothing is cached, framed or sniffed unless the handler's own headers say otherwise. */
const everyAnswer = [
  { name: 'X-Content-Type-Options', key: 'x-content-type-options', value: 'nosniff' },
  { name: 'Referrer-Policy', key: 'referrer-policy', value: 'no-referrer' },
  {
    name: 'Content-Security-Policy',
    key: 'content-security-policy',
    value: "default-src 'none'; frame-ancestors 'none'",
  },
  { name: 'Cache-Control', key: 'cache-control', value: 'no-store' },
] as const;

/** Statuses whose answers have no content (RFC 9110, 15.3.5 and 15.4.5). */
const withoutContent = new Set([204, 304]);

/** Longer texts are written as bytes: Node would keep the text beside its bytes until a client has read all of it. */
const LONG_TEXT = 65_536;

type StreamAnswer = Answer & { readonly body: Readable };

/** What the head of an answer tells beside what the handler gave it. */
interface Closing {
  readonly requestId: string;
  /** Tells the client to open its next connection elsewhere. */
  readonly isLast: boolean;
  /** The answer is to somebody signed in: no cache in between may keep it, whatever the handler says. */
  readonly isPersonal?: boolean;
}

/** What an answer carries beside what the handler gave it. */
export interface Sending extends Closing {
  /** Told when an answer breaks off that was begun: its status is sent, so only the log can tell. */
  readonly onBroken: (error: Error) => void;
}

/** Writes an answer and answers true, unless one was begun or the client is gone: then a stream is closed unread. */
export function send(req: IncomingMessage, res: ServerResponse, answer: Answer, sending: Sending): boolean {
  if (res.headersSent || res.destroyed || req.socket.destroyed) {
    discard(answer);
    return false;
  }
  try {
    write(req, res, answer, sending);
  } catch (error) {
    discard(answer);
    throw error;
  }
  return true;
}

/** The bytes of a whole answer, for a connection whose request never became an object of Node's. */
export function messageOf(answer: TextAnswer, closing: Closing): string {
  const head = headOf(answer, closing);
  let message = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n`;
  for (let at = 0; at < head.length; at += 2) message += `${head[at]}: ${head[at + 1]}\r\n`;
  return `${message}Content-Length: ${Buffer.byteLength(answer.body)}\r\n\r\n${answer.body}`;
}

function write(req: IncomingMessage, res: ServerResponse, answer: Answer, sending: Sending): void {
  if (withoutContent.has(answer.status)) {
    res.writeHead(answer.status, headOf(answer, sending));
    res.end();
    discard(answer);
  } else if (isWhole(answer)) sendWhole(req, res, answer, sending);
  else sendStream(req, res, answer as StreamAnswer, sending);
}

/** Lets go of what a stream holds, such as a file; nobody wants to know any more whether it could be read. */
function discard(answer: Answer): void {
  if (!isWhole(answer)) (answer as StreamAnswer).body.on('error', () => undefined).destroy();
}

function sendWhole(req: IncomingMessage, res: ServerResponse, answer: WholeAnswer, sending: Sending): void {
  const isLong = typeof answer.body === 'string' && answer.body.length > LONG_TEXT;
  const body = isLong ? Buffer.from(answer.body as string) : answer.body;
  const hangsUp = leavesBodyUnread(req, answer.status);
  const head = headOf(answer, hangsUp ? { ...sending, isLast: true } : sending);
  head.push('Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(answer.status, head);
  if (hangsUp) answerAndHangUp(req, res, body);
  else if (req.method === 'HEAD') res.end();
  else res.end(body);
}

function sendStream(req: IncomingMessage, res: ServerResponse, answer: StreamAnswer, sending: Sending): void {
  res.writeHead(answer.status, headOf(answer, sending));
  if (req.method === 'HEAD') {
    res.end();
    discard(answer);
  } else {
    // Node does not tell an answer that waits for an earlier one on its connection that the connection is gone.
    const gone = signalOf(req.socket);
    // Closes the connection of an answer that breaks off, by which a client tells it from a whole one.
    pipeline(addAbortSignal(gone, answer.body), res, (error) => {
      if (error && !gone.aborted && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') sending.onBroken(error);
    });
  }
}

/** Names and values in turn, as `writeHead` takes them at the least cost. */
function headOf({ status, headers, contentType }: Answer, closing: Closing): string[] {
  const { requestId, isLast, isPersonal } = closing;
  const head = ['X-Request-Id', requestId];
  const own: string[] = [];
  for (const name in headers) {
    const key = name.toLowerCase();
    if (isPersonal && key === 'cache-control') continue;
    head.push(name, headers[name]!);
    own.push(key);
  }
  for (const { name, key, value } of everyAnswer) {
    if (!own.includes(key)) head.push(name, value);
  }
  if (!withoutContent.has(status) && !own.includes('content-type')) head.push('Content-Type', contentType);
  if (isLast) head.push('Connection', 'close');
  return head;
}
