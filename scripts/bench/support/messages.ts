const EMPTY = Buffer.alloc(0);
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

type OnMessage = (head: string, body: Buffer) => void;

/**
 * Cuts what a socket brings into HTTP/1.1 messages. Trusts its peer and knows only what the benchmarks need, so that
 * load and upstream cost little beside what is measured.
 */
export class MessageCutter {
  readonly #onMessage: OnMessage;
  #rest: Buffer = EMPTY;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = EMPTY;
    while (bytes.length > 0) {
      const end = this.#cut(bytes);
      if (end === undefined) {
        this.#rest = bytes;
        return;
      }
      bytes = bytes.subarray(end);
    }
  }

  /** Hands out the first message and answers where it ends, unless some of it is still to come. */
  #cut(bytes: Buffer): number | undefined {
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = bytes.toString('latin1', 0, headEnd);
    const start = headEnd + 4;
    const end = endOfBody(head, bytes, start);
    if (end === undefined || end > bytes.length) return undefined;
    this.#onMessage(head, bytes.subarray(start, end));
    return end;
  }
}

function endOfBody(head: string, bytes: Buffer, start: number): number | undefined {
  const length = LENGTH.exec(head);
  if (length) return start + Number(length[1]);
  if (!CHUNKED.test(head)) return start;
  const last = bytes.indexOf('0\r\n\r\n', start);
  return last < 0 ? undefined : last + 5;
}
