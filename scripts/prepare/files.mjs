import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The content of a JSON file, or `undefined` when it is absent or was cut off while being written. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** Every file below a folder, as paths relative to `root`, except below folders of the given names. */
export function filesBelow(folder, exceptFolders = []) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return exceptFolders.includes(path) ? [] : filesBelow(path, exceptFolders);
  });
}

/** A text that changes when a file is touched; cheaper than reading the file. */
export function fingerprint(path) {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${path} ${size} ${mtimeMs}`;
}
