import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSET_FILE } from '@aws-cdk/asset-kubectl-v20';
import { unzipSync } from 'fflate';
import { packageRoot } from '../../../core/support/package-root.ts';

const IN_ZIP = 'helm/helm';
const unpackedTo = join(packageRoot, 'node_modules', '.cache', 'helm');
let found: string | undefined;

/** Helm itself: the one that its package brings for Linux on x64, elsewhere the one on the PATH, if there is one. */
export function findHelm(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') return (found ??= unpacked());
  return (found ??= spawnSync('helm', ['version']).error ? undefined : 'helm');
}

/** Runs Helm, which must be there. */
export function helm(...words: string[]): SpawnSyncReturns<string> {
  const outcome = spawnSync(findHelm() ?? 'helm', words, { encoding: 'utf8' });
  if (outcome.error) throw outcome.error;
  return outcome;
}

/** Tests in several processes may do this at once, so the file takes its name when it is whole. */
function unpacked(): string {
  const target = join(unpackedTo, 'helm');
  if (existsSync(target)) return target;
  mkdirSync(unpackedTo, { recursive: true });
  const files = unzipSync(readFileSync(ASSET_FILE), { filter: ({ name }) => name === IN_ZIP });
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, files[IN_ZIP]!, { mode: 0o755 });
  renameSync(unfinished, target);
  return target;
}
