import { connect, type Socket } from 'node:net';
import { MessageCutter } from './messages.ts';

/** An answer: its status or what was wrong with it, when it came, and how long it took in milliseconds. */
export interface Answered {
  readonly kind: string;
  readonly at: number;
  readonly took: number;
}

interface ConnectionOptions {
  readonly port: number;
  readonly request: Buffer;
  /** Every good answer contains this. */
  readonly proof: Buffer | undefined;
  readonly onAnswer: (connection: Connection, answer: Answered) => void;
}

const CLOSES = /\r\nconnection: *close/i;
const RETRY_AFTER = /\r\nretry-after: *\d/i;

/** A refusal that does not say when to come back. */
export const UNSAID = '503 without Retry-After';

/** One kept-alive connection that sends the same request again and again, one at a time. */
export class Connection {
  readonly #options: ConnectionOptions;
  #socket: Socket | undefined;
  #since: number | undefined;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    await new Promise<void>((resolve) => connection.#connect(resolve));
    return connection;
  }

  get isBusy(): boolean {
    return this.#since !== undefined;
  }

  /** The time of the request counts from `since`. */
  send(since: number): void {
    this.#since = since;
    if (!this.#socket) this.#connect();
    this.#socket!.write(this.#options.request);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #connect(onOpen?: () => void): void {
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true }, onOpen);
    const cutter = new MessageCutter((head, body) => {
      if (CLOSES.test(head)) this.close();
      this.#answered(this.#judge(head, body));
    });
    socket.on('data', (chunk) => cutter.push(chunk));
    socket.on('error', () => onOpen?.());
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (this.isBusy) this.#answered('lost');
    });
    this.#socket = socket;
  }

  #judge(head: string, body: Buffer): string {
    const status = head.slice(9, 12);
    if (status === '503' && !RETRY_AFTER.test(head)) return UNSAID;
    const { proof } = this.#options;
    return status === '200' && proof !== undefined && !body.includes(proof) ? 'wrong body' : status;
  }

  #answered(kind: string): void {
    const at = performance.now();
    const took = at - (this.#since ?? at);
    this.#since = undefined;
    this.#options.onAnswer(this, { kind, at, took });
  }
}
