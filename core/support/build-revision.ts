import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

const HASH = /^[0-9a-f]{7,64}$/;

/**
 * The commit from which an installation was built: from the file `revision` in its folder, which the image has, or from the
 * clone that it runs in. `unknown` where neither tells.
 */
export function buildRevision(root = packageRoot): string {
  const text = contentOf(join(root, 'revision')) ?? headOf(join(root, '.git'));
  return text !== undefined && HASH.test(text) ? text : 'unknown';
}

function headOf(git: string): string | undefined {
  const head = contentOf(join(git, 'HEAD'));
  const name = head === undefined ? undefined : /^ref: (\S+)$/.exec(head)?.[1];
  if (name === undefined) return head;
  return contentOf(join(git, name)) ?? packedHash(contentOf(join(git, 'packed-refs')) ?? '', name);
}

function packedHash(refs: string, name: string): string | undefined {
  const line = refs.split('\n').find((one) => one.endsWith(` ${name}`));
  return line?.split(' ')[0];
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
