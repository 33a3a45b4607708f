import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { StartupError } from '../../../core/errors/startup-error.ts';
import type { Row } from '../cell.ts';

/** Throws `StartupError` for a path that leaves the data directory. */
export function refuseOutside(path: string): void {
  if (path === normalize(path) && !path.startsWith('/') && !path.startsWith('..')) return;
  throw new StartupError(
    `The backup has a file outside of the data directory: ${path}. \`vitrine backup\` makes no such file. Nothing was changed.`,
  );
}

/** Puts a file of an archive into the data directory. One that is there already stays as it is. */
export class RestoredFile {
  readonly #path: string;
  readonly #isThere: boolean;

  constructor(dataDir: string, path: string) {
    refuseOutside(path);
    this.#path = join(dataDir, path);
    this.#isThere = existsSync(this.#path);
    if (this.#isThere) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    rmSync(this.#partial, { force: true });
    writeFileSync(this.#partial, '', { mode: 0o600 });
  }

  async rows(rows: readonly Row[]): Promise<void> {
    if (this.#isThere) return;
    for (const [, content] of rows)
      writeFileSync(this.#partial, content as Buffer, { flag: 'a', flush: true });
  }

  async end(): Promise<void> {
    if (!this.#isThere) renameSync(this.#partial, this.#path);
  }

  get #partial(): string {
    return `${this.#path}.partial`;
  }
}
