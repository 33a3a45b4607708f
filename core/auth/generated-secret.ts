import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { newId, randomSecret } from '../support/ids.ts';

const SECRET_BYTES = 48;
const OWNER_ONLY = 0o600;

/** A secret that is generated at the first start and stored in the data directory, readable only by its owner. */
export function generatedSecret(dataDir: string, file: string): string {
  const path = join(dataDir, file);
  return accessing(path, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return read(path) ?? make(path) ?? read(path) ?? '';
  });
}

/** The generated secret, if there is one; generates none. Throws `StartupError` when it is not whole, or cannot be read. */
export function storedSecret(dataDir: string, file: string): string | undefined {
  const path = join(dataDir, file);
  return accessing(path, () => read(path));
}

/** Stores a secret of a backup where a generated one would be. Another secret that is there already stays, and this throws. */
export function restoreSecret(dataDir: string, file: string, secret: string): void {
  const path = join(dataDir, file);
  if (accessing(path, () => store(path, secret) || read(path) === secret)) return;
  throw new StartupError(`"${path}" holds another secret than the backup. Move it away, and restore again.`);
}

/** Reads or makes a secret; what the system refuses becomes a sentence for the operator. */
function accessing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The secret in "${path}" cannot be read or made: ${(cause as Error).message}. ` +
        'Run this as the user of the service, and give that user the data directory.',
      [],
      { cause },
    );
  }
}

/** The stored secret; `undefined` when there is none yet. Removes rights that a volume mount may have added. */
function read(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (Buffer.from(text, 'base64url').length !== SECRET_BYTES) {
    throw new StartupError(
      `"${path}" does not hold a whole secret. Restore it from a backup; ` +
        'or delete it to have a new one made, which signs out all users and loses what was encrypted under it.',
    );
  }
  chmodSync(path, OWNER_ONLY);
  return text;
}

/** Creates the file atomically; `undefined` when another process was first. */
function make(path: string): string | undefined {
  const secret = randomSecret(SECRET_BYTES).toString('base64url');
  return store(path, secret) ? secret : undefined;
}

/** Writes the file atomically; false when it exists. */
function store(path: string, secret: string): boolean {
  const draft = `${path}.${newId()}`;
  try {
    writeDurably(draft, `${secret}\n`);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', OWNER_ONLY);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
