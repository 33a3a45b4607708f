import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';

interface Opened {
  readonly descriptor: number;
  users: number;
}

const opened = new Map<string, Opened>();

/**
 * Syncs a file to the disk in the background. All users in this process share one descriptor, which stays open until the
 * last of them closes it: closing any descriptor of a file releases the locks that SQLite has on that file.
 */
export class FileSync {
  readonly #file: string;
  readonly #opened: Opened;

  /** The file must exist. */
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

  /** Call once, after the last connection to the file is closed. */
  close(): void {
    this.#opened.users -= 1;
    if (this.#opened.users > 0) return;
    opened.delete(this.#file);
    closeSync(this.#opened.descriptor);
  }
}
