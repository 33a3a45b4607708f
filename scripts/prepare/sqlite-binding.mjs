import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './files.mjs';

/** From this Node on, better-sqlite3 12 aborts the process when one of its statements is collected as garbage. */
const NEEDS_NEWER = 24;

/**
 * Puts better-sqlite3 13 in the place of 12 where Node is too new for that. The lockfile has 12, for it is made on the
 * oldest Node, on which 13 crashes; 13 lies beside it.
 */
export function fitSqlite(modules, nodeVersion) {
  if (Number(nodeVersion.split('.')[0]) < NEEDS_NEWER || isFitted(modules)) return;
  const { installed, newer } = foldersIn(modules);
  rmSync(installed, { recursive: true, force: true });
  cpSync(newer, installed, { recursive: true });
}

/** Whether that was done, after which an older Node needs all packages anew. */
export function isFitted(modules) {
  const { installed, newer } = foldersIn(modules);
  const version = versionIn(installed);
  return version !== undefined && version === versionIn(newer);
}

function foldersIn(modules) {
  return { installed: join(modules, 'better-sqlite3'), newer: join(modules, 'better-sqlite3-13') };
}

function versionIn(folder) {
  return readJson(join(folder, 'package.json'))?.version;
}
