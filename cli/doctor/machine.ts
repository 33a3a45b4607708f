import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { sqliteModuleFault } from '../../core/persistence/sqlite/open-failure.ts';
import { isoTime, type Clock } from '../../core/support/clock.ts';
import { packageRoot } from '../../core/support/package-root.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

/** Whether this Node.js is one that the package names in `engines`. */
export function nodeFindings(version = process.versions.node, range = supportedNode()): DoctorFinding[] {
  if (semver.satisfies(version, range))
    return [{ state: 'ok', message: `Node.js ${version} is supported (${range}).` }];
  return [
    {
      state: 'fault',
      message: `Node.js ${version} is not supported; ${range} is.`,
      mend: 'Install a release of Node.js with long-term support, then run `npm rebuild`.',
    },
  ];
}

function supportedNode(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { engines: { node: string } }).engines.node;
}

/** Whether the native module that opens SQLite files loads; a plugin checks its own. */
export function nativeModuleFindings(load = sqliteModuleFault): DoctorFinding[] {
  const fault = load();
  if (fault === undefined) return [{ state: 'ok', message: 'The native module better-sqlite3 loads.' }];
  return [{ state: 'fault', message: fault, mend: 'npm rebuild better-sqlite3' }];
}

/** Times before the first release or long after it are those of a machine whose clock was never set. */
const FIRST_SANE_YEAR = 2026;
const LAST_SANE_YEAR = 2100;

/** Whether the clock has a sane year. */
export function clockFindings(clock: Pick<Clock, 'now'>): DoctorFinding[] {
  const now = clock.now();
  const year = new Date(now).getUTCFullYear();
  if (year >= FIRST_SANE_YEAR && year <= LAST_SANE_YEAR)
    return [{ state: 'ok', message: `The clock says ${isoTime(now)}.` }];
  return [
    {
      state: 'fault',
      message: `The clock says ${isoTime(now)}, which cannot be right.`,
      mend: 'timedatectl set-ntp true',
    },
  ];
}
