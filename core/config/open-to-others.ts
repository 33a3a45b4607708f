import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

const OTHERS_READ = 0o004;

/**
 * Whether every user of the machine may read a file although its owner could prevent it. False for secrets that Docker,
 * Kubernetes or systemd provide, whose rights the operator does not control, and on Windows, which has other rights.
 */
export function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  try {
    const path = realpathSync(file);
    return !isHandedIn(path) && (statSync(path).mode & OTHERS_READ) !== 0;
  } catch {
    return false;
  }
}

/** Kubernetes links the keys of a Secret to files in a folder whose name begins with two dots. */
function isHandedIn(path: string): boolean {
  return path.startsWith('/run/') || path.split(sep).some((part) => part.startsWith('..'));
}
