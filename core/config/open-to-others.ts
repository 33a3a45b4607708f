import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

const OTHERS_READ = 0o004;

/**
 * Whether every user of the machine may read a file that its owner could close. Not asked of secrets that Docker, Kubernetes or
 * systemd hand in: their rights are not the operator's, and others do not get there. Neither is it on Windows, which has other rights.
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

/** Kubernetes puts the keys of a Secret into a folder whose name begins with two dots, and links to them. */
function isHandedIn(path: string): boolean {
  return path.startsWith('/run/') || path.split(sep).some((part) => part.startsWith('..'));
}
