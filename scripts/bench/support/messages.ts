const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Splits what a socket brings into HTTP/1.1 messages; all here tell the length of their body. */
export class MessageReader {
  readonly #onMessage: (head: string, body: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onMessage: (head: string, body: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let end = this.#read(bytes); end !== undefined; end = this.#read(bytes)) bytes = bytes.subarray(end);
    this.#rest = bytes;
  }

  /** Hands on the first message and returns where it ends, or nothing while a part of it is missing. */
  #read(bytes: Buffer): number | undefined {
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = bytes.toString('latin1', 0, headEnd);
    const start = headEnd + 4;
    const end = start + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (end > bytes.length) return undefined;
    this.#onMessage(head, bytes.subarray(start, end));
    return end;
  }
}
