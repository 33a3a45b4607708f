import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** The commit from which an image was built, from the file `revision` that it has; `unknown` elsewhere. */
export function buildRevision(): string {
  const file = join(packageRoot, 'revision');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
}
