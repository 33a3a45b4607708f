import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../core/support/package-root.ts';

export const cruiserConfig = join(packageRoot, '.dependency-cruiser.cjs');
const cruiser = join(packageRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

export interface Cruise {
  readonly modules: number;
  readonly dependencies: number;
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

/** Runs the import rules over some folders of a source tree. */
export function cruise(root: string, folders: readonly string[]): Cruise {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, '--config', cruiserConfig, '--output-type', 'json', ...folders],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not answer:\n${stderr}`);
  const { summary } = JSON.parse(stdout) as {
    summary: {
      totalCruised: number;
      totalDependenciesCruised: number;
      violations: { rule: { name: string }; from: string; to: string }[];
    };
  };
  return {
    modules: summary.totalCruised,
    dependencies: summary.totalDependenciesCruised,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
