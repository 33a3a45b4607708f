import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';

interface Opened {
  readonly descriptor: number;
  users: number;
}

const opened = new Map<string, Opened>();

/**
 * Brings to the disk what is written of a file, in the background. One descriptor for all who use the file in this
 * process, open until the last of them is gone: closing one ends the locks that SQLite holds on the file by another.
 */
export class FileSync {
  readonly #file: string;
  readonly #opened: Opened;

  /** The file has to be there. */
  constructor(file: string) {
    this.#file = realpathSync(file);
    this.#opened = opened.get(this.#file) ?? { descriptor: openSync(this.#file, 'r+'), users: 0 };
    this.#opened.users += 1;
    opened.set(this.#file, this.#opened);
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#opened.descriptor, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** To be called once, after the last connection to the file is closed. */
  close(): void {
    this.#opened.users -= 1;
    if (this.#opened.users > 0) return;
    opened.delete(this.#file);
    closeSync(this.#opened.descriptor);
  }
}
