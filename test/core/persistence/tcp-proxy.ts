import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A way to a server that can be cut, silenced and opened again. */
export class TcpProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  #server = this.#make();
  #silent = false;
  #fatal: string | undefined;
  #unsaid: string | undefined;
  port = 0;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  async open(): Promise<void> {
    this.#silent = false;
    this.#fatal = undefined;
    this.#unsaid = undefined;
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = this.#make();
  }

  /** Keeps connections open, but nothing comes through any more. */
  silence(): void {
    this.#silent = true;
  }

  /** Passes on what clients say until one says this: the server hears it, and its answer never comes. */
  breakAfter(text: string): void {
    this.#fatal = text;
  }

  /** Falls silent when a client says this, before the server hears it: a client that is stuck. */
  silenceBefore(text: string): void {
    this.#unsaid = text;
  }

  #make() {
    return createServer((near) => {
      const far = connect(this.#target);
      near.on('data', (data) => {
        if (this.#unsaid !== undefined && data.includes(this.#unsaid)) this.silence();
      });
      this.#relay(near, far);
      this.#relay(far, near);
      near.on('data', (data) => {
        if (this.#fatal === undefined || !data.includes(this.#fatal)) return;
        this.silence();
        setTimeout(() => near.destroy(), 50);
      });
    });
  }

  #relay(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (data) => void (this.#silent || to.write(data)));
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
