import type { IncomingMessage } from 'node:http';
import { ReadGarbage } from '../support/collect-young.ts';

/** What is read and dropped in a while, of all together: 160 MiB a second, which one client alone hardly sends. */
const BYTES = 4 * 1024 * 1024;
const WHILE_MS = 25;

/** Reads what still comes of bodies that nobody wants, no faster than others can bear however many send it. */
export class DroppedBodies {
  readonly #garbage = new ReadGarbage();
  readonly #waiting = new Set<IncomingMessage>();
  #bytes = 0;
  #isTimed = false;

  /** Drops what comes of a body, until its connection closes. */
  drop(req: IncomingMessage): void {
    req.on('data', ({ length }: Buffer) => {
      this.#garbage.add(length);
      this.#time();
      this.#bytes += length;
      if (this.#bytes < BYTES) return;
      req.pause();
      this.#waiting.add(req);
    });
    req.once('close', () => this.#waiting.delete(req));
  }

  #time(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(() => {
      this.#isTimed = false;
      this.#goOn();
    }, WHILE_MS);
  }

  #goOn(): void {
    this.#bytes = 0;
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const req of all) req.resume();
  }
}
