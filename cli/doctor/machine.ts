import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
const WATCH_MS = 250;
/** More than the correction that a time service spreads over a quarter of a second. */
const JUMP_MS = 100;
const SET_CLOCK = 'timedatectl set-ntp true';

/** Whether the clock has a sane year, and runs as fast as the monotonic one. */
export async function clockFindings(
  clock: Clock,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<DoctorFinding[]> {
  const [now, elapsed] = [clock.now(), clock.elapsed()];
  const year = new Date(now).getUTCFullYear();
  if (!(year >= FIRST_SANE_YEAR && year <= LAST_SANE_YEAR)) {
    return [
      { state: 'fault', message: `The clock says ${isoTime(now)}, which cannot be right.`, mend: SET_CLOCK },
    ];
  }
  await wait(WATCH_MS);
  const jump = Math.round(clock.now() - now - (clock.elapsed() - elapsed));
  if (Math.abs(jump) > JUMP_MS) {
    return [
      {
        state: 'warning',
        message: `The clock jumped by ${jump} ms within ${WATCH_MS} ms; tokens and limits need one that does not.`,
        mend: SET_CLOCK,
      },
    ];
  }
  return [{ state: 'ok', message: `The clock says ${isoTime(now)} and does not jump.` }];
}
