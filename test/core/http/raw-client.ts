import type { Socket } from 'node:net';
import { openSocket } from './support.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: any;
}

/** One kept connection, whose pieces a test writes as they are and whose answers it takes one by one. */
export class RawClient {
  readonly #answers: RawAnswer[] = [];
  readonly #waiting: ((answer: RawAnswer) => void)[] = [];
  readonly socket: Socket;
  #received = '';

  static async open(port: number): Promise<RawClient> {
    return new RawClient(await openSocket(port));
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      for (let answer = this.#cut(); answer; answer = this.#cut()) {
        const resolve = this.#waiting.shift();
        if (resolve) resolve(answer);
        else this.#answers.push(answer);
      }
    });
  }

  /** The next answer, whichever request it belongs to. */
  answer(): Promise<RawAnswer> {
    const known = this.#answers.shift();
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  ask(piece: string): Promise<RawAnswer> {
    this.socket.write(piece);
    return this.answer();
  }

  close(): void {
    this.socket.destroy();
  }

  #cut(): RawAnswer | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first, ...lines] = this.#received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (bodyEnd > this.#received.length) return undefined;
    const body: unknown = JSON.parse(this.#received.slice(end + 4, bodyEnd) || 'null');
    this.#received = this.#received.slice(bodyEnd);
    return { status: Number(first!.slice(9, 12)), headers, body };
  }
}
